#include <TH/THInference.h>

#include <algorithm>
#include <exception>

__attribute__((tls_model("initial-exec"))) static constinit thread_local bool inference = false;
void TH_setInferenceMode(bool on) { inference = on; }
bool TH_inferenceMode(void) { return inference; }

// Memory that another party owns is handed back exactly once, also if we cannot take it.
static THStorage *newStorage(THStorageRelease release, void *context, void *data) try {
  return static_cast<THStorage *>(TH_alloc(sizeof(THStorage)));
} catch (...) {
  if (release) release(context, data);
  throw;
}

static void releaseData(THStorage *self) {
  if (self->release)
    self->release(self->context, self->data);
  else if (self->capacity)
    self->allocator->free(self->allocator->context, self->device, self->data, self->capacity);
}

static void *newData(const THAllocator *allocator, THDevice device, size_t nbytes) {
  return nbytes ? allocator->alloc(allocator->context, device, nbytes) : nullptr;
}

THStorage *THStorage_newOn(THDevice device, size_t nbytes) {
  const THAllocator *allocator = TH_allocator(THDeviceKind(device.kind));
  void *data = newData(allocator, device, nbytes);
  auto *self = static_cast<THStorage *>(TH_alloc(sizeof(THStorage)));
  *self = {1, device, true, inference, nbytes, data, nullptr, {allocator}, nbytes, 0, {0, 0}};
  return self;
}

THStorage *THStorage_new(size_t nbytes) { return THStorage_newOn({}, nbytes); }

THStorage *THStorage_newWithData(void *data, size_t nbytes, THStorageRelease release, void *context) {
  return THStorage_newWithDataOn({}, data, nbytes, release, context);
}

THStorage *THStorage_newWithDataOn(THDevice device, void *data, size_t nbytes, THStorageRelease release,
                                   void *context) {
  const THAllocator *allocator = release ? nullptr : TH_allocator(THDeviceKind(device.kind));
  THStorage *self = newStorage(release, context, data);
  *self = {1, device, false, inference, nbytes, data, release, {.context = context}, nbytes, 0, {0, 0}};
  if (!release) self->allocator = allocator;
  return self;
}

void THStorage_retain(THStorage *self) { __atomic_fetch_add(&self->refcount, 1, __ATOMIC_RELAXED); }

void THStorage_free(THStorage *self) {
  if (!self) return;
  // The only owner needs no atomic subtraction: nobody else can add a reference meanwhile. But whoever has given a
  // release may find the storage in a table of its own until that is called, and there sees by a count of 0 that it is
  // too late (lib/shm).
  if ((self->release || __atomic_load_n(&self->refcount, __ATOMIC_ACQUIRE) != 1) &&
      __atomic_fetch_sub(&self->refcount, 1, __ATOMIC_ACQ_REL) != 1)
    return;
  releaseData(self);
  TH_free(self, sizeof(THStorage));
}

void THStorage_resize(THStorage *self, size_t nbytes) {
  if (nbytes == self->nbytes) return;
  if (!self->resizable || __atomic_load_n(&self->pins, __ATOMIC_ACQUIRE))
    THError(TH_ERROR_RUNTIME, "Trying to resize storage that is not resizable");
  if (nbytes <= self->capacity && __atomic_load_n(&self->refcount, __ATOMIC_ACQUIRE) != 1) {
    self->nbytes = nbytes;
    return;
  }
  const THAllocator *allocator = self->allocator;  // what is resizable is its memory
  void *data = newData(allocator, self->device, nbytes);
  if (const size_t kept = std::min(nbytes, self->capacity))
    allocator->copy(allocator->context, self->device, data, self->data, kept);
  releaseData(self);
  self->data = data;
  self->nbytes = self->capacity = nbytes;
}
