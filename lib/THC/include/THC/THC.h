/* THC: tensors on CUDA devices.
 *
 * A tensor is TH's THTensor whose storage is on a device of the kind TH_CUDA. What looks at no element (views, shapes,
 * checks, allocation of results) is TH's; THC has the kernels. Their names and arguments are TH's with the prefix
 * THCuda: THFloatTensor_cadd runs on the CPU, THCudaTensor_cadd on a device, THCudaLongTensor_cadd on int64; what has no
 * dtype in its name is THCTensor_…. As in TH, inputs and results of other dtypes are converted; 0-dim inputs may be
 * on the CPU.
 *
 *     THC_init();
 *     int64_t size[] = {2, 3};
 *     THTensor *a = THTensor_newWithSizeOn((THDevice){TH_CUDA, 0}, TH_Float, 2, size);
 *     THCTensor_fill(a, (THScalar){TH_KIND_float, {.d = 2}});
 *     THTensor *r = THTensor_newWithSizeOn((THDevice){TH_CUDA, 0}, TH_Float, 0, NULL);
 *     THCudaTensor_cmul(r, a, a);              // runs in the current stream of a's device; returns at once
 *     THScalar sum = …
 *
 * Kernels run in order in the current stream of their result's device (THC_currentStream). A call returns when its work has
 * been handed over; a copy to the host waits for it. Errors: as in TH, those of arguments before anything is changed;
 * bad values among a kernel's elements (indices) are reported later, see THC_checkFailure. */
#ifndef THC_H
#define THC_H

#include <THC/THCGeneral.h>
#include <THC/THCTensorCopy.h>
#include <THC/THCTensorMath.h>
#include <THC/THCTensorSpecial.h>
#include <THC/THCTensorReduce.h>
#include <THC/THCTensorOrder.h>
#include <THC/THCTensorIndex.h>
#include <THC/THCTensorBlas.h>
#include <THC/THCTensorLapack.h>
#include <THC/THCTensorFft.h>
#include <THC/THCTensorRandom.h>

#endif
