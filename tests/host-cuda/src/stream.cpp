// Streams, events, callbacks, and the order in which tasks are carried out.
//
// A task waits in its stream's queue until somebody waits for it: then it is carried out by that thread, with those
// before it in its stream and those that its stream was told to wait for, and no others. So a program that forgot to
// wait reads what was there before. Work that meets with that of other threads waits until these have called it; the
// others go on meanwhile. With HOST_CUDA_ORDER=<seed> other streams go on, too, in random order.
#include <host_cuda/task.h>
#include <time.h>

#include <algorithm>
#include <string>
#include <unordered_set>

#include "runtime.hpp"

struct CUstream_st {
  hostcuda::StreamRef stream;
};

namespace hostcuda {
namespace {
struct Recording {
  Moment moment;
  double time = 0;  // milliseconds
};
}  // namespace
}  // namespace hostcuda

struct CUevent_st {
  int device;
  unsigned flags;
  std::shared_ptr<hostcuda::Recording> last;  // null: not recorded
};

namespace hostcuda {
namespace {

constexpr size_t mostTasks = 4096, mostStaged = size_t(64) << 20;
size_t waiting, staged;  // tasks of all streams, and bytes of theirs
uint64_t streamsMade;
bool callback;  // is one running?

auto &liveStreams = *new std::unordered_set<CUstream_st *>;
auto &liveEvents = *new std::unordered_set<CUevent_st *>;

const Moment *awaited(const Task &task) {
  for (const Moment &moment : task.after)
    if (!moment.done()) return &moment;
  return nullptr;
}

bool bring(const Moment &moment);

struct Busy {
  explicit Busy(Stream &stream) : stream(stream) { stream.busy = true; }
  ~Busy() { stream.busy = false; }
  Stream &stream;
};

// Carries out the stream's next task; there is one. false: what it waits for is up to other threads.
bool runOne(Stream &stream) {
  if (stream.busy) return false;  // streams that wait for each other
  const Busy busy(stream);
  while (const Moment *earlier = awaited(stream.tasks.front()))
    if (!bring(Moment(*earlier))) return false;
  if (stream.tasks.front().may) {
    std::vector<Moment> first;
    if (!stream.tasks.front().may(first)) return false;
    for (const Moment &moment : first)
      if (!bring(moment)) return false;
  }
  Task task = std::move(stream.tasks.front());
  stream.tasks.pop_front();
  waiting--;
  staged -= task.staged;
  Device &on = device(stream.device);
  if (!on.sticky || task.always) {
    const cudaError_t error = task.run();
    if (error && !on.sticky) on.sticky = error;
  }
  stream.finished++;
  lock().changed();
  return true;
}

template <class F>
void forStreams(int index, F &&f) {
  Device &d = device(index);
  f(d.defaultStream);
  for (const StreamRef &stream : d.streams) f(stream);
}

void runSomeOther() {
  std::vector<StreamRef> busy;
  for (int i = 0; i < settings().devices; i++)
    forStreams(i, [&](const StreamRef &stream) {
      if (!stream->tasks.empty()) busy.push_back(stream);
    });
  if (!busy.empty()) runOne(*busy[randomNumbers()() % busy.size()]);
}

void forgetDestroyed(int index) {
  std::erase_if(device(index).streams,
                [](const StreamRef &stream) { return stream->destroyed && stream->tasks.empty(); });
}

// Carries out what is before the moment. false: other threads have to call something first.
bool bring(const Moment &moment) {
  while (!moment.done()) {
    if (settings().randomOrder && randomNumbers()() % 2) runSomeOther();
    if (!moment.done() && !runOne(*moment.stream)) return false;
  }
  return true;
}

// All that does not wait for other threads.
void bringAll() {
  Open open;
  for (int i = 0; i < settings().devices; i++) {
    std::vector<Moment> moments;
    forStreams(i, [&](const StreamRef &stream) { moments.push_back({stream, stream->enqueued}); });
    for (const Moment &moment : moments) bring(moment);
  }
}

double now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return double(t.tv_sec) * 1e3 + double(t.tv_nsec) * 1e-6;
}

bool isEvent(cudaEvent_t event) { return liveEvents.count(event) != 0; }

cudaError_t createStream(cudaStream_t *handle, unsigned flags, int priority) {
  if (!handle || (flags & ~unsigned(cudaStreamNonBlocking))) return cudaErrorInvalidValue;
  auto stream = std::make_shared<Stream>();
  stream->device = currentDevice();
  stream->flags = flags;
  stream->priority = std::clamp(priority, -5, 0);
  stream->id = ++streamsMade;
  device(stream->device).streams.push_back(stream);
  *handle = new CUstream_st{stream};
  liveStreams.insert(*handle);
  return cudaSuccess;
}

// An answer to "is it done?" that says no at first where there was work, and brings it on.
cudaError_t query(const Moment &moment) {
  if (moment.done()) return device(moment.stream ? moment.stream->device : currentDevice()).sticky;
  Open open;
  runOne(*moment.stream);
  const cudaError_t sticky = device(moment.stream->device).sticky;
  return sticky ? sticky : cudaErrorNotReady;
}

cudaError_t enqueueCallback(cudaStream_t handle, std::function<void()> function) {
  const StreamRef stream = findStream(handle);
  if (!stream) return cudaErrorInvalidResourceHandle;
  Task task;
  task.always = true;
  task.run = [function = std::move(function)] {
    callback = true;
    function();
    callback = false;
    return cudaSuccess;
  };
  enqueue(stream, std::move(task));
  return cudaSuccess;
}

template <class F>
cudaError_t onStream(cudaStream_t handle, F &&f, const char *function = __builtin_FUNCTION()) {
  return call(
      [&] {
        const StreamRef stream = findStream(handle);
        return stream ? f(stream) : cudaErrorInvalidResourceHandle;
      },
      function);
}

}  // namespace

bool inCallback() { return callback; }

StreamRef findStream(cudaStream_t handle) {
  if (!handle || handle == cudaStreamLegacy) return device(currentDevice()).defaultStream;
  return liveStreams.count(handle) ? handle->stream : nullptr;
}

void enqueue(const StreamRef &stream, Task task) {
  // The default stream and the blocking streams of a device wait for each other.
  if (stream->isDefault)
    for (const StreamRef &other : device(stream->device).streams) {
      if (!(other->flags & cudaStreamNonBlocking) && !other->tasks.empty())
        task.after.push_back({other, other->enqueued});
    }
  else if (!(stream->flags & cudaStreamNonBlocking)) {
    const StreamRef &first = device(stream->device).defaultStream;
    if (!first->tasks.empty()) task.after.push_back({first, first->enqueued});
  }
  waiting++;
  staged += task.staged;
  stream->enqueued++;
  stream->tasks.push_back(std::move(task));
  if (waiting > mostTasks || staged > mostStaged) bringAll();
  lock().changed();
}

void finish(const Moment &moment) {
  while (!moment.done()) {
    {
      Open open;
      if (bring(moment)) return;
    }
    lock().waitForChange();
  }
}

void finishDevice(int index) {
  std::vector<Moment> moments;
  forStreams(index, [&](const StreamRef &stream) { moments.push_back({stream, stream->enqueued}); });
  for (const Moment &moment : moments) finish(moment);
  forgetDestroyed(index);
}

void finishAll() {
  for (int i = 0; i < settings().devices; i++) finishDevice(i);
}

void resetDevice(int index) {
  Device &d = device(index);
  finishDevice(index);
  std::erase_if(liveStreams, [&](CUstream_st *stream) {
    if (stream->stream->device != index) return false;
    delete stream;
    return true;
  });
  std::erase_if(liveEvents, [&](CUevent_st *event) {
    if (event->device != index) return false;
    delete event;
    return true;
  });
  d.streams.clear();
  forgetModules(index);
  std::fill(d.peers, d.peers + maxDevices, false);
  freeMemoryOf(index);
  d.sticky = cudaSuccess;
}

}  // namespace hostcuda

using namespace hostcuda;

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t *stream) {
  return call([=] { return createStream(stream, 0, 0); });
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
  return call([=] { return createStream(stream, flags, 0); });
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority) {
  return call([=] { return createStream(stream, flags, priority); });
}

cudaError_t cudaStreamDestroy(cudaStream_t handle) {
  return call([=] {
    if (!liveStreams.erase(handle)) return cudaErrorInvalidResourceHandle;
    const int index = handle->stream->device;
    handle->stream->destroyed = true;  // its work goes on
    delete handle;
    forgetDestroyed(index);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamQuery(cudaStream_t handle) {
  return onStream(handle, [](const StreamRef &stream) { return query({stream, stream->enqueued}); });
}

cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  return onStream(handle, [](const StreamRef &stream) {
    finish({stream, stream->enqueued});
    return device(stream->device).sticky;
  });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event, unsigned flags) {
  return onStream(handle, [=](const StreamRef &stream) {
    if (flags) return cudaErrorInvalidValue;
    if (!isEvent(event)) return cudaErrorInvalidResourceHandle;
    if (!event->last) return cudaSuccess;
    Task task;
    task.run = [] { return cudaSuccess; };
    task.after.push_back(event->last->moment);
    enqueue(stream, std::move(task));
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetPriority(cudaStream_t handle, int *priority) {
  return onStream(handle, [=](const StreamRef &stream) {
    if (!priority) return cudaErrorInvalidValue;
    *priority = stream->priority;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetFlags(cudaStream_t handle, unsigned *flags) {
  return onStream(handle, [=](const StreamRef &stream) {
    if (!flags) return cudaErrorInvalidValue;
    *flags = stream->flags;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetDevice(cudaStream_t handle, int *index) {
  return onStream(handle, [=](const StreamRef &stream) {
    if (!index) return cudaErrorInvalidValue;
    *index = stream->device;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetId(cudaStream_t handle, unsigned long long *id) {
  return onStream(handle, [=](const StreamRef &stream) {
    if (!id) return cudaErrorInvalidValue;
    *id = stream->id;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t handle, cudaStreamCaptureStatus *status) {
  return onStream(handle, [=](const StreamRef &) {
    if (!status) return cudaErrorInvalidValue;
    *status = cudaStreamCaptureStatusNone;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamAddCallback(cudaStream_t handle, cudaStreamCallback_t function, void *data, unsigned flags) {
  return call([=] {
    if (!function || flags) return cudaErrorInvalidValue;
    const StreamRef stream = findStream(handle);
    return enqueueCallback(handle, [=] { function(handle, device(stream->device).sticky, data); });
  });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t handle, cudaHostFn_t function, void *data) {
  return call([=] {
    if (!function) return cudaErrorInvalidValue;
    return enqueueCallback(handle, [=] { function(data); });
  });
}

cudaError_t hostcudaTask(cudaStream_t handle, const std::function<cudaError_t()> &work) {
  return onStream(handle, [&](const StreamRef &stream) {
    Task task;
    task.run = work;
    enqueue(stream, std::move(task));
    return cudaSuccess;
  });
}

cudaError_t hostcudaLast(cudaStream_t handle, hostcudaMoment *last) {
  return onStream(handle, [=](const StreamRef &stream) {
    *last = std::make_shared<const Moment>(stream, stream->enqueued);
    return cudaSuccess;
  });
}

cudaError_t hostcudaMeet(cudaStream_t handle, const std::function<bool(std::vector<hostcudaMoment> &)> &may,
                         const std::function<cudaError_t()> &work) {
  return onStream(handle, [&](const StreamRef &stream) {
    Task task;
    task.may = [may](std::vector<Moment> &first) {
      std::vector<hostcudaMoment> moments;
      const bool yes = may(moments);
      for (const hostcudaMoment &moment : moments) first.push_back(*static_cast<const Moment *>(moment.get()));
      return yes;
    };
    task.run = work;
    enqueue(stream, std::move(task));
    return cudaSuccess;
  });
}

void hostcudaChanged() { lock().changed(); }

cudaError_t cudaEventCreate(cudaEvent_t *event) { return cudaEventCreateWithFlags(event, cudaEventDefault); }

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
  return call([=] {
    if (!event || flags > 7) return cudaErrorInvalidValue;
    if ((flags & cudaEventInterprocess) && !(flags & cudaEventDisableTiming)) return cudaErrorInvalidValue;
    *event = new CUevent_st{currentDevice(), flags, nullptr};
    liveEvents.insert(*event);
    return cudaSuccess;
  });
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return call([=] {
    if (!liveEvents.erase(event)) return cudaErrorInvalidResourceHandle;
    delete event;
    return cudaSuccess;
  });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t handle) {
  return onStream(handle, [=](const StreamRef &stream) {
    if (!isEvent(event) || event->device != stream->device) return cudaErrorInvalidResourceHandle;
    auto recording = std::make_shared<Recording>();
    Task task;
    task.always = true;
    task.run = [recording] {
      recording->time = now();
      return cudaSuccess;
    };
    recording->moment = {stream, stream->enqueued + 1};
    event->last = recording;
    enqueue(stream, std::move(task));
    return cudaSuccess;
  });
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return call([=] {
    if (!isEvent(event)) return cudaErrorInvalidResourceHandle;
    return event->last ? query(event->last->moment) : cudaSuccess;
  });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return call([=] {
    if (!isEvent(event)) return cudaErrorInvalidResourceHandle;
    if (event->last) finish(event->last->moment);
    return device(event->device).sticky;
  });
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return call([=] {
    if (!milliseconds) return cudaErrorInvalidValue;
    if (!isEvent(start) || !isEvent(end) || !start->last || !end->last || start->device != end->device ||
        ((start->flags | end->flags) & cudaEventDisableTiming))
      return cudaErrorInvalidResourceHandle;
    if (!start->last->moment.done() || !end->last->moment.done()) return cudaErrorNotReady;
    *milliseconds = float(end->last->time - start->last->time);
    return cudaSuccess;
  });
}

}  // extern "C"
