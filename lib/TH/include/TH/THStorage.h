/* A storage is a reference-counted run of bytes. Tensors are views of it. */
#ifndef TH_STORAGE_H
#define TH_STORAGE_H

#include <TH/THGeneral.h>

typedef void (*THStorageRelease)(void *context, void *data);

typedef struct THStorage {
  int32_t refcount; /* atomic; use retain and free */
  bool resizable;   /* false when the memory is somebody else's */
  size_t nbytes;
  void *data; /* NULL when nbytes is 0 */
  THStorageRelease release; /* NULL: TH's own memory */
  void *context;
} THStorage;

TH_API THStorage *THStorage_new(size_t nbytes); /* uninitialised */

/* Memory that somebody else owns; `release(context, data)` is called once, by the last free,
 * and also when this function raises. */
TH_API THStorage *THStorage_newWithData(void *data, size_t nbytes, THStorageRelease release, void *context);

TH_API void THStorage_retain(THStorage *self);
TH_API void THStorage_free(THStorage *self); /* NULL is allowed */
TH_API void THStorage_resize(THStorage *self, size_t nbytes); /* keeps the bytes that fit */

#endif
