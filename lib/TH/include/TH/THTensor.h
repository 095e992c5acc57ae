/* The tensor: one struct for all dtypes, and everything that does not look at elements. */
#ifndef TH_TENSOR_H
#define TH_TENSOR_H

#include <TH/THStorage.h>

#define TH_INLINE_DIMS 4 /* shapes up to this length need no allocation of their own */

/* Bits of THTensor.flags */
#define TH_WRAPPED_NUMBER 1 /* 0-dim, made of a Python number: takes part in promotion by kind only */
#define TH_DATA_VERSION 2   /* made by .data: see THTensor_version */
#define TH_RECORDED 4       /* what is done with it is to be recorded; whoever attaches meta for that sets this */
#define TH_NON_CPU 8        /* on another backend than this library, that is device or layout is not 0 */
#define TH_SPARSE 64        /* of a layout that is not strided; 16 and 32 are THPP's */

typedef struct THTensor {
  int32_t refcount; /* atomic; use retain and free */
  uint8_t dtype;    /* a THDtype */
  uint8_t flags;
  int8_t ndim;
  uint8_t device : 4; /* a THDeviceKind, the storage's; with layout what chooses a backend: 0 is TH itself */
  uint8_t layout : 4; /* a THLayout */
  int64_t numel;    /* product of size, kept up to date by every function that changes size */
  int64_t offset;   /* in elements */
  int64_t *size;    /* ndim entries; points into inline_shape or to memory of its own */
  int64_t *stride;  /* ndim entries, in elements, never negative */
  THStorage *storage; /* never NULL */
  void *meta;         /* gradient state or NULL: see THTensor_free */
  void *pyobj;        /* its one Python object or NULL: see TH_setObjectRelease */
  int64_t inline_shape[2 * TH_INLINE_DIMS];
} THTensor;
TH_STATIC_ASSERT(sizeof(THTensor) == 128, "a tensor is two cache lines");
TH_STATIC_ASSERT(TH_MAX_DIM <= INT8_MAX && TH_NUM_DEVICE_KINDS <= 16 && TH_NUM_LAYOUTS <= 16,
                 "THTensor's ndim, device and layout hold them");

/* Strides and the offset of a tensor without elements, and the stride of a dimension of size 1, may be any numbers. What
 * is computed of them is ignored, but must not overflow. */
static inline int64_t TH_saturatedProduct(int64_t a, int64_t b) {
  int64_t product;
  return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}
static inline int64_t TH_saturatedSum(int64_t a, int64_t b) {
  int64_t sum;
  return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

/* On the device TH_Meta, which has no memory, a function checks its arguments and gives its results their shapes and
 * strides as on the CPU, and that is all: nothing is computed, and no value is judged. A result on the CPU needs inputs
 * with memory. What reads single elements, and functions whose result's shape depends on elements, raise
 * TH_ERROR_NOT_IMPLEMENTED, THTensor_item TH_ERROR_RUNTIME. */

/* ---- life. new… returns one reference; whoever holds it calls free. ------------------------- */
TH_API THTensor *THTensor_new(THDtype dtype); /* one dimension of size 0 */
TH_API THTensor *THTensor_newWithSize(THDtype dtype, int ndim, const int64_t *size); /* uninitialised */
TH_API THTensor *THTensor_newWithSizeOn(THDevice device, THDtype dtype, int ndim, const int64_t *size);
/* stride NULL: contiguous. The storage is retained; it must reach the last element. */
TH_API THTensor *THTensor_newWithStorage(THDtype dtype, THStorage *storage, int64_t offset, int ndim,
                                         const int64_t *size, const int64_t *stride);
TH_API THTensor *THTensor_newWithScalar(THDtype dtype, THScalar value); /* 0-dim */
/* For the library whose layout it is: what its storage has, which is retained, says where elements are. All strides are 0. */
TH_API THTensor *THTensor_newWithLayout(THLayout layout, THDtype dtype, THStorage *storage, int ndim,
                                        const int64_t *size);
TH_API THTensor *THTensor_newWithTensor(THTensor *self); /* another view of the same elements */
TH_API THTensor *THTensor_newClone(const THTensor *self); /* copy; keeps the order of strides of a dense tensor */
TH_API THTensor *THTensor_newContiguous(THTensor *self); /* itself, retained, if it is contiguous already */
TH_API void THTensor_retain(THTensor *self);
/* NULL is allowed. The last one ends meta too: the first word of what it points to is a void (*)(void *meta). */
TH_API void THTensor_free(THTensor *self);
/* Of a tensor with a pyobj, the last reference is not dropped but handed to this function, once for all tensors: it may
 * give it to the Python object, or clear pyobj and free it. It is called in whatever thread frees the tensor. */
TH_API void TH_setObjectRelease(void (*release)(THTensor *self));

/* ---- views: a new tensor over the same storage. dim may be negative. -------------------------- */
TH_API THTensor *THTensor_newSelect(THTensor *self, int dim, int64_t index);
TH_API THTensor *THTensor_newNarrow(THTensor *self, int dim, int64_t first, int64_t length);
TH_API THTensor *THTensor_newSlice(THTensor *self, int dim, int64_t first, int64_t last,
                                   int64_t step); /* as x[first:last:step], step > 0 */
TH_API THTensor *THTensor_newTranspose(THTensor *self, int dim0, int dim1);
TH_API THTensor *THTensor_newPermute(THTensor *self, int ndim, const int64_t *dims);
TH_API THTensor *THTensor_newUnfold(THTensor *self, int dim, int64_t size, int64_t step);
TH_API THTensor *THTensor_newExpand(THTensor *self, int ndim, const int64_t *size); /* -1: keep */
TH_API THTensor *THTensor_newView(THTensor *self, int ndim,
                                  const int64_t *size); /* one -1 is inferred; raises where a copy would be needed */
TH_API THTensor *THTensor_newReshape(THTensor *self, int ndim,
                                     const int64_t *size); /* view where possible, else copy */
TH_API THTensor *THTensor_newSqueeze(THTensor *self);
TH_API THTensor *THTensor_newSqueeze1d(THTensor *self, int dim);
TH_API THTensor *THTensor_newUnsqueeze1d(THTensor *self, int dim);
TH_API THTensor *THTensor_newDiagonal(THTensor *self, int64_t offset, int dim0, int dim1);
TH_API THTensor *THTensor_newAsStrided(THTensor *self, int ndim, const int64_t *size, const int64_t *stride,
                                       int64_t offset);

/* ---- changing a tensor's own geometry ---------------------------------------------------------- */
/* Becomes a view of source's elements. What others have attached to self (flags, meta, pyobj) stays. */
TH_API void THTensor_set(THTensor *self, THTensor *source); /* dtypes must be equal, and devices */
TH_API void THTensor_setData(THTensor *self, THTensor *source); /* of any dtype */
TH_API void THTensor_become(THTensor *self, THTensor *source); /* of any dtype, device and layout */
/* Contiguous; the storage grows if need be. A tensor that has this shape keeps its strides. */
TH_API void THTensor_resize(THTensor *self, int ndim, const int64_t *size);
TH_API void THTensor_resizeAs(THTensor *self, const THTensor *like);

/* ---- questions --------------------------------------------------------------------------------- */
TH_API void *THTensor_data(const THTensor *self); /* address of element 0; raises on a device without memory */
TH_API int64_t THTensor_size(const THTensor *self, int dim);
TH_API int64_t THTensor_stride(const THTensor *self, int dim);
TH_API bool THTensor_isContiguous(const THTensor *self);
/* the strides of a clone: self's if it is dense, else those of a dense tensor with its dimensions in the order of self's */
TH_API void THTensor_denseStrides(const THTensor *self, int64_t *stride);
TH_API bool THTensor_isSameSizeAs(const THTensor *self, const THTensor *other);
TH_API bool THTensor_isSetTo(const THTensor *self, const THTensor *other); /* same elements, same geometry */
/* raises if self cannot be written: a dimension of stride 0, as after expand */
TH_API void THTensor_checkDistinct(const THTensor *self);
/* the same, and if r overlaps an input without being it: what all pointwise kernels ask of their result first */
TH_API void THTensor_checkPointwise(const THTensor *r, int n, const THTensor *const *inputs);
TH_API bool THTensor_overlapsItself(const THTensor *self); /* two indices may mean one element, as after expand */
TH_API bool THTensor_overlaps(const THTensor *self, const THTensor *other); /* conservative: may share memory */
TH_API int TH_wrapDim(int64_t dim,
                      int ndim); /* -ndim … ndim-1 to 0 … ndim-1 (a 0-dim tensor counts as 1); else TH_ERROR_INDEX */
TH_API int TH_broadcastShape(int n, const THTensor *const *tensors, int64_t size[TH_MAX_DIM]); /* returns ndim */
TH_API int64_t TH_numel(int ndim, const int64_t *size); /* raises on a negative size and on overflow */
TH_API void TH_sizeString(int ndim, const int64_t *size, char *buffer, size_t length); /* "[2, 3]" for messages */

/* ---- versions: has somebody written since? -----------------------------------------------------
 * TH's functions write results, and cannot know who has seen them. So whoever writes into a tensor that he did not make
 * himself (an in-place operator, one with out=) says it, once per operation. All tensors over a storage share its
 * version, but for those that were made by .data, and their views: these share another. */
static inline uint32_t *TH_versionOf(const THTensor *self) {
  return &self->storage->version[(self->flags & TH_DATA_VERSION) != 0];
}
static inline uint32_t THTensor_version(const THTensor *self) {
  return __atomic_load_n(TH_versionOf(self), __ATOMIC_RELAXED);
}
/* Not one atomic step: of two writers at the same time one may go uncounted, but the version has changed. */
static inline void THTensor_bumpVersion(const THTensor *self) {
  uint32_t *version = TH_versionOf(self);
  __atomic_store_n(version, __atomic_load_n(version, __ATOMIC_RELAXED) + 1, __ATOMIC_RELAXED);
}

/* ---- single elements ----------------------------------------------------------------------------- */
TH_API THScalar THTensor_item(const THTensor *self); /* numel must be 1 */
TH_API void THTensor_fill(THTensor *self,
                          THScalar value); /* raises if the dtype cannot hold value; self may overlap itself */
TH_API void THTensor_zero(THTensor *self);

/* ---- copies: any dtype to any dtype, src is broadcast to self ------------------------------------- */
TH_API void THTensor_copy(THTensor *self, const THTensor *src);

#endif
