/* A storage is a reference-counted run of bytes. Tensors are views of it. */
#ifndef TH_STORAGE_H
#define TH_STORAGE_H

#include <TH/THGeneral.h>

typedef void (*THStorageRelease)(void *context, void *data);

typedef struct THStorage {
  int32_t refcount; /* atomic; use retain and free */
  THDevice device;
  bool resizable; /* false when the memory is somebody else's */
  bool inference; /* made in inference mode: see THInference.h */
  size_t nbytes;
  void *data; /* NULL when capacity is 0, and on a device without memory */
  THStorageRelease release; /* NULL: the allocator's memory */
  union {
    const THAllocator *allocator; /* the row that data came from and goes back to */
    void *context;                /* release's, if there is one */
  };
  size_t capacity; /* bytes that data has; more than nbytes after a resize to less */
  int32_t pins;    /* atomic; who holds the address of data (a buffer, a DLPack capsule): no resize meanwhile */
  /* How often operators have written here into tensors that others may know (see THTensor_version). */
  uint32_t version[2];
} THStorage;
TH_STATIC_ASSERT(sizeof(THStorage) == 64, "a storage is one block of TH_alloc's smallest size");

TH_API THStorage *THStorage_new(size_t nbytes); /* on the CPU; uninitialised */
TH_API THStorage *THStorage_newOn(THDevice device, size_t nbytes);

/* Memory that somebody else owns; `release(context, data)` is called once, by the last free,
 * and also when this function raises. */
TH_API THStorage *THStorage_newWithData(void *data, size_t nbytes, THStorageRelease release, void *context);
TH_API THStorage *THStorage_newWithDataOn(THDevice device, void *data, size_t nbytes, THStorageRelease release,
                                          void *context);

TH_API void THStorage_retain(THStorage *self);
TH_API void THStorage_free(THStorage *self); /* NULL is allowed */
/* Keeps the bytes that fit. A smaller size gives the memory back only if `self` has one owner: tensors that see the
 * storage may reach beyond it, and must not read what is somebody else's by then. */
TH_API void THStorage_resize(THStorage *self, size_t nbytes);

#endif
