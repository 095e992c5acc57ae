// Events.
#include "state.hpp"

struct THCEvent {
  unsigned flags;
  int device = -1;
  cudaEvent_t event = nullptr;
};

THCEvent *THCEvent_new(bool timing, bool blocking, bool interprocess) {
  if (timing && interprocess)
    THError(TH_ERROR_VALUE,
            "an event that other processes see has no time: timing and interprocess exclude each other");
  unsigned flags = cudaEventDefault;
  if (!timing) flags |= cudaEventDisableTiming;
  if (blocking) flags |= cudaEventBlockingSync;
  if (interprocess) flags |= cudaEventInterprocess;
  return new THCEvent{flags};
}

void THCEvent_free(THCEvent *self) {
  if (!self) return;
  if (self->event && !thc::isForked()) (void)cudaEventDestroy(self->event);
  delete self;
}

void THCEvent_record(THCEvent *self, THCStream stream, int device) {
  device = thc::checkDevice(device);
  if (self->event && self->device != device)
    THError(TH_ERROR_RUNTIME, "Event device %d does not match recording stream's device %d.", self->device, device);
  const thc::DeviceGuard guard(device);
  if (!self->event) {
    THC_CHECK(cudaEventCreateWithFlags(&self->event, self->flags));
    self->device = device;
  }
  THC_CHECK(cudaEventRecord(self->event, stream));
}

void THCEvent_wait(THCEvent *self, THCStream stream, int device) {
  if (!self->event) return;
  const thc::DeviceGuard guard(device);
  THC_CHECK(cudaStreamWaitEvent(stream, self->event, 0));
}

bool THCEvent_query(const THCEvent *self) {
  return !self->event || thc::isReady(cudaEventQuery(self->event), __func__);
}

void THCEvent_synchronize(const THCEvent *self) {
  if (!self->event) return;
  THC_CHECK(cudaEventSynchronize(self->event));
  THC_checkFailure(self->device);
}

double THCEvent_elapsed(const THCEvent *start, const THCEvent *end) {
  if ((start->flags | end->flags) & cudaEventDisableTiming)
    THError(TH_ERROR_VALUE, "Both events must be created with argument 'enable_timing=True'.");
  if (!start->event || !end->event)
    THError(TH_ERROR_VALUE, "Both events must be recorded before calculating elapsed time.");
  if (start->device != end->device)
    THError(TH_ERROR_RUNTIME, "the time between events of two devices is not known: %d and %d", start->device,
            end->device);
  const thc::DeviceGuard guard(start->device);
  float milliseconds = 0;
  THC_CHECK(cudaEventElapsedTime(&milliseconds, start->event, end->event));
  return milliseconds;
}

int THCEvent_device(const THCEvent *self) { return self->device; }

void *THCEvent_handle(const THCEvent *self) { return self->event; }
