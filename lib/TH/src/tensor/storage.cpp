#include <TH/THStorage.h>

#include <algorithm>
#include <cstring>
#include <exception>

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
  else
    TH_free(self->data, self->capacity);
}

THStorage *THStorage_new(size_t nbytes) {
  void *data = nbytes ? TH_alloc(nbytes) : nullptr;
  auto *self = static_cast<THStorage *>(TH_alloc(sizeof(THStorage)));
  *self = {1, true, nbytes, data, nullptr, nullptr, nbytes, 0};
  return self;
}

THStorage *THStorage_newWithData(void *data, size_t nbytes, THStorageRelease release, void *context) {
  THStorage *self = newStorage(release, context, data);
  *self = {1, false, nbytes, data, release, context, nbytes, 0};
  return self;
}

void THStorage_retain(THStorage *self) { __atomic_fetch_add(&self->refcount, 1, __ATOMIC_RELAXED); }

void THStorage_free(THStorage *self) {
  if (!self) return;
  // The only owner needs no atomic subtraction: nobody else can add a reference meanwhile.
  if (__atomic_load_n(&self->refcount, __ATOMIC_ACQUIRE) != 1 &&
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
  void *data = nbytes ? TH_alloc(nbytes) : nullptr;
  if (const size_t kept = std::min(nbytes, self->capacity)) std::memcpy(data, self->data, kept);
  releaseData(self);
  self->data = data;
  self->nbytes = self->capacity = nbytes;
  self->release = nullptr;
  self->context = nullptr;
}
