#include "profiler.h"

#include <time.h>

#include <algorithm>
#include <atomic>
#include <mutex>

#include <autograd/engine.h>

#include "errors.h"

namespace torch::python {

thread_local Recording *recording_now = nullptr;

namespace {

int64_t nanoseconds(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}
int64_t now() { return nanoseconds(CLOCK_MONOTONIC); }

// ---- memory: while a recording wants it, the CPU's row tells of each block --------------------------------------
// What is freed is seen if it was allocated meanwhile: a storage keeps the row that it was made by.
const THAllocator *below = nullptr;

void *alloc_seen(void *context, THDevice device, size_t nbytes) {
  void *const data = below->alloc(context, device, nbytes);
  if (recording_now) recording_now->allocated(data, int64_t(nbytes));
  return data;
}
void free_seen(void *context, THDevice device, void *data, size_t nbytes) {
  below->free(context, device, data, nbytes);
  if (recording_now) recording_now->allocated(data, -int64_t(nbytes));
}

std::mutex counting;
int counted = 0;

void count_memory(int more) {
  static THAllocator seen;
  const std::lock_guard lock(counting);
  const bool before = counted > 0;
  counted += more;
  if (!before && counted) {
    if (!below) {
      below = TH_allocator(TH_CPU);
      seen = *below;
      seen.alloc = alloc_seen;
      seen.free = free_seen;
    }
    TH_setAllocator(TH_CPU, &seen);
  } else if (before && !counted) {
    TH_setAllocator(TH_CPU, below);
  }
}

// ---- arguments ------------------------------------------------------------------------------------------------
KeptTensor kept_tensor(const thpp::Tensor &tensor) {
  const thpp::IntList sizes = tensor.sizes();
  return {tensor.dtype(), {sizes.begin(), sizes.end()}};
}

struct Keep {
  KeptArgument operator()(std::monostate) const { return {}; }
  KeptArgument operator()(const thpp::Tensor *tensor) const {
    if (!tensor->defined()) return {};
    if (tensor->is_wrapped_number()) return number(thpp::Scalar(tensor->item()));
    return kept_tensor(*tensor);
  }
  KeptArgument operator()(const thpp::Scalar *value) const { return number(*value); }
  KeptArgument operator()(thpp::TensorList tensors) const {
    std::vector<KeptTensor> list;
    for (const thpp::Tensor &tensor : tensors)
      list.push_back(tensor.defined() ? kept_tensor(tensor) : KeptTensor{TH_Float, {}});
    return list;
  }
  KeptArgument operator()(thpp::IntList list) const { return std::vector<int64_t>(list.begin(), list.end()); }
  KeptArgument operator()(thpp::FloatList list) const { return std::vector<double>(list.begin(), list.end()); }
  KeptArgument operator()(int64_t value) const { return value; }
  KeptArgument operator()(double value) const { return value; }
  KeptArgument operator()(bool value) const { return value; }
  KeptArgument operator()(char value) const { return std::string(1, value); }
  KeptArgument operator()(const char *text) const { return text ? KeptArgument(std::string(text)) : KeptArgument(); }
  KeptArgument operator()(THDtype dtype) const { return std::string(TH_dtypeName(dtype)); }
  KeptArgument operator()(THDevice device) const { return std::string(TH_deviceName(THDeviceKind(device.kind))); }
  KeptArgument operator()(thpp::MemoryFormat) const { return {}; }
  KeptArgument operator()(THGenerator *) const { return {}; }

 private:
  static KeptArgument number(const thpp::Scalar &value) {
    switch (value.kind) {
      case TH_KIND_bool: return value.value.i != 0;
      case TH_KIND_int: return value.value.i;
      case TH_KIND_uint: return double(value.value.u);
      case TH_KIND_float: return value.value.d;
      case TH_KIND_complex: return std::string("complex");
    }
    return {};
  }
};

std::atomic<uint64_t> recordings{0};

}  // namespace

Recording::Recording(RecordingOptions options)
    : Observer(options.shapes), options(options), begun(now()), begun_since_epoch(nanoseconds(CLOCK_REALTIME)),
      number(++recordings) {
  events.reserve(1024);
  if (options.memory) count_memory(1);
}

Recording::~Recording() {
  watch(false);
  if (options.memory) count_memory(-1);
  for (const Event &event : events)
    if (event.code) end_reference(event.code);
}

void Recording::watch(bool on) {
  if (on == watching_) return;
  watching_ = on;
  if (!on) finish();  // what goes on has ended as far as this recording knows
  thpp::set_observer(on ? this : nullptr);
  recording_now = on ? this : nullptr;
}

size_t Recording::add(const Event &event) {
  const size_t at = events.size();
  events.push_back(event);
  events[at].parent = open_.empty() ? -1 : open_.back();
  open_.push_back(int32_t(at));
  events[at].begin = now();
  return at;
}

const char *Recording::kept(const char *name) { return names_.emplace_back(name).c_str(); }

size_t Recording::begin(const thpp::Op &op, std::span<const thpp::Argument> given, bool recording) {
  Event event{.op = &op};
  if (recording) event.sequence = int64_t(autograd::next_sequence());
  if (options.shapes) {
    event.arguments = int32_t(arguments.size());
    auto &list = arguments.emplace_back();
    for (const thpp::Argument &argument : given) list.push_back(std::visit(Keep(), argument));
  }
  return add(event);
}

size_t Recording::begin(const char *name, int64_t sequence) {
  return add({.name = kept(name), .sequence = sequence, .kind = EventKind::Node});
}

size_t Recording::begin_range(const char *name, std::vector<KeptArgument> given) {
  Event event{.name = kept(name), .kind = EventKind::Range};
  if (!given.empty()) {
    event.arguments = int32_t(arguments.size());
    arguments.push_back(std::move(given));
  }
  return add(event);
}

void Recording::begin_python(PyObject *code) { add({.code = Py_NewRef(code), .kind = EventKind::PythonFunction}); }
void Recording::begin_builtin(const char *name) { add({.name = kept(name), .kind = EventKind::BuiltinFunction}); }

// What has begun inside of it and goes on, such as a range that a function of Python has opened, lies in what this lay in.
void Recording::end(size_t begun) noexcept {
  if (begun >= events.size() || events[begun].end) return;
  events[begun].end = now();
  const auto at = std::find(open_.rbegin(), open_.rend(), int32_t(begun));
  if (at == open_.rend()) return;
  if (at != open_.rbegin()) events[size_t(*(at - 1))].parent = events[begun].parent;
  open_.erase(std::next(at).base());
}

// Functions that were called before the recording began are left during it.
void Recording::end_python(EventKind kind) noexcept {
  for (size_t i = open_.size(); i-- > 0;) {
    const EventKind found = events[size_t(open_[i])].kind;
    if (found == kind) return end(size_t(open_[i]));
    if (found == EventKind::PythonFunction || found == EventKind::BuiltinFunction) return;
  }
}

void Recording::allocated(const void *address, int64_t bytes) noexcept {
  if (!options.memory) return;
  total_ += bytes;
  try {
    allocations.push_back({now(), bytes, total_, address, open_.empty() ? -1 : open_.back()});
  } catch (const std::bad_alloc &) {  // one fewer is known
  }
}

void Recording::finish() {
  while (!open_.empty()) end(size_t(open_.back()));
}

}  // namespace torch::python
