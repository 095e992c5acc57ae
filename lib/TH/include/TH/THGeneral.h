/* What every TH header needs: export marks, errors, threads, memory. */
#ifndef TH_GENERAL_H
#define TH_GENERAL_H

#include <stddef.h>
#include <TH/THDevice.h>
#include <TH/THDtype.h>

#ifdef __cplusplus
#define TH_EXTERN extern "C"
#else
#define TH_EXTERN extern
#endif
#define TH_API TH_EXTERN __attribute__((visibility("default")))

/* One line declares a kernel for a list of dtypes:
 *     TH_FUNCTION(cadd, number, (THTensor *r, ...))
 * declares THByteTensor_cadd, ..., THDoubleTensor_cadd, all with that argument list. */
#define TH_FUNCTION(op, dtypes, args) TH_FOR_##dtypes(TH_FUNCTION_, op, args)
#define TH_FUNCTION_(Name, op, args) TH_API void TH##Name##Tensor_##op args;
/* The same for functions that return something. */
#define TH_FUNCTION_RETURNS(type, op, dtypes, args) TH_FOR_##dtypes(TH_FUNCTION_RETURNS_, type, op, args)
#define TH_FUNCTION_RETURNS_(Name, type, op, args) TH_API type TH##Name##Tensor_##op args;

/* In C and in C++, and nothing to a parser that knows declarations only. */
#ifdef __cplusplus
#define TH_STATIC_ASSERT static_assert
#else
#define TH_STATIC_ASSERT _Static_assert
#endif

#define TH_MAX_DIM 64 /* dimensions of a tensor; also what fits the bit mask of THTensorReduce.h */

/* ---- errors -------------------------------------------------------------------------------
 * Every check ends in THError. It calls the handler, which must not return: the default one
 * throws th::Exception (THException.hpp). When an error is raised nothing has been changed. */
typedef enum THErrorKind {
  TH_ERROR_RUNTIME,
  TH_ERROR_INDEX,
  TH_ERROR_VALUE,
  TH_ERROR_TYPE,
  TH_ERROR_NOT_IMPLEMENTED,
  TH_ERROR_MEMORY,
  TH_ERROR_LINALG /* a matrix is singular, not positive definite, or no iteration converged */
} THErrorKind;

typedef void (*THErrorHandler)(THErrorKind kind, const char *message);

TH_API void THError(THErrorKind kind, const char *format, ...) __attribute__((noreturn, format(printf, 2, 3)));
TH_API THErrorHandler TH_setErrorHandler(THErrorHandler handler); /* NULL: the default; returns the old one */

/* ---- threads: the OpenMP runtime that BLAS uses too ---------------------------------------- */
TH_API int TH_getNumThreads(void);
TH_API void TH_setNumThreads(int n); /* n >= 1 */
/* Subnormal numbers become zero, as results and as operands, in the calling thread and OpenMP's; false
 * where the processor cannot. */
TH_API bool TH_setFlushDenormal(bool on);

/* ---- memory: blocks up to a few KiB come from a cache of the calling thread -------------------
 * Aligned to 64 bytes. `size` at TH_free must be that of TH_alloc. Raises
 * TH_ERROR_RUNTIME when the system has no more, as torch does. */
TH_API void *TH_alloc(size_t size);
TH_API void TH_free(void *block, size_t size);

/* ---- memory of devices: a table by kind, which a backend fills when it is loaded ---------------
 * The CPU's row uses the two functions above; the rows of Meta and the CPU are there from the start. Every
 * storage keeps the row that it was made by, so memory goes back to where it came from. */
struct THTensor;
typedef struct THAllocator {
  /* nbytes > 0; raises when there is no more. NULL is an answer: of a device without memory. */
  void *(*alloc)(void *context, THDevice device, size_t nbytes);
  void (*free)(void *context, THDevice device, void *data, size_t nbytes); /* of what alloc gave for nbytes */
  void (*copy)(void *context, THDevice device, void *to, const void *from, size_t nbytes); /* when a storage moves */
  void *context;
  /* THTensor_copy, for tensors of which one at least is of this kind and the other perhaps of the CPU; NULL: elements
   * cannot be copied. Clones, contiguous copies and THTensor_item go this way. */
  void (*copyTensor)(struct THTensor *self, const struct THTensor *src);
} THAllocator;
/* Returns the row that was there, or NULL. The new one is not copied and must outlive the storages made by it; NULL: the
 * kind has none. */
TH_API const THAllocator *TH_setAllocator(THDeviceKind kind, const THAllocator *allocator);
TH_API const THAllocator *TH_allocator(THDeviceKind kind); /* raises where there is none */
TH_API const char *TH_deviceName(THDeviceKind kind); /* "cpu" */
TH_API const char *TH_layoutName(THLayout layout);   /* "sparse_coo" */

/* ---- dtypes at run time ---------------------------------------------------------------------- */
TH_API size_t TH_elementSize(THDtype dtype);
TH_API THKind TH_kind(THDtype dtype);
TH_API int TH_digits(THDtype dtype); /* binary digits of its numbers, signs aside; of a complex dtype, of their parts */
TH_API double TH_finfoMax(THDtype dtype); /* finite number, or part of one */
TH_API double TH_smallest(THDtype dtype); /* positive number, or part of one, that is not subnormal; of integers 1 */
TH_API THDtype TH_realDtype(THDtype dtype); /* of a complex number's parts; of a real number its own */
TH_API const char *TH_dtypeName(THDtype dtype); /* "float32" */
TH_API const char *TH_typeName(THDtype dtype); /* "Float" */

#endif
