/* TH: tensors on the CPU.
 *
 * A THStorage is a run of bytes; a THTensor is a view of it: dtype, sizes, strides, offset. Views
 * (narrow, select, transpose, expand …) share the storage and cost nothing. Functions that only
 * deal with geometry exist once (THTensor_…); kernels exist once per dtype they can compute in
 * (THFloatTensor_cadd), take the result first, then inputs, then parameters, and convert inputs
 * and results of other dtypes on the way.
 *
 *     int64_t size[] = {2, 3};
 *     THTensor *a = THTensor_newWithSize(TH_Float, 2, size);
 *     THTensor_fill(a, (THScalar){TH_KIND_float, {.d = 2}});
 *     THTensor *row = THTensor_newSelect(a, 0, 0);   // 3 elements, a's memory
 *     THTensor *r = THTensor_new(TH_Float);          // empty: kernels resize their result
 *     THFloatTensor_cmul(r, a, row);                 // row is broadcast; r becomes 2 x 3, full of 4
 *     THTensor_free(r); THTensor_free(row); THTensor_free(a);
 *
 * Devices: kernels here are the CPU's; a tensor of another device has its geometry only (THDevice.h). What other backends
 * share with them, all that looks at no element, is in THPrepare.h and THCheck.h.
 * Memory: new… gives the caller one reference, free takes it back, retain adds one. Arguments are
 * borrowed. A const THTensor * is only read.
 * Errors: see THGeneral.h. A function that raises has changed nothing.
 * Threads: kernels use OpenMP inside and give the same bits for any number of threads. Two threads
 * may read one tensor; reference counts are atomic; anything else needs the caller's own lock.
 * Vector instructions are chosen when the library is loaded; the environment variable
 * TH_CPU_CAPABILITY (default, avx2, avx512) sets a limit. */
#ifndef TH_H
#define TH_H

#include <TH/THGeneral.h>
#include <TH/THStorage.h>
#include <TH/THInference.h>
#include <TH/THTensor.h>
#include <TH/THTensorMath.h>
#include <TH/THTensorComplex.h>
#include <TH/THTensorSpecial.h>
#include <TH/THTensorUnsigned.h>
#include <TH/THTensorReduce.h>
#include <TH/THTensorSort.h>
#include <TH/THTensorOrder.h>
#include <TH/THTensorIndex.h>
#include <TH/THBlas.h>
#include <TH/THTensorBlas.h>
#include <TH/THTensorLapack.h>
#include <TH/THTensorFft.h>
#include <TH/THRandom.h>
#include <TH/THTensorShorthand.h>
#include <TH/THPrepare.h>
#include <TH/THCheck.h>

#endif
