/* THCUNN: neural-network kernels on CUDA devices, forward and backward.
 *
 * Their names and arguments are THNN's with Cuda before the dtype, which for float is left out: THNN_FloatTanh_updateOutput
 * runs on the CPU, THNN_CudaTanh_updateOutput on a device, THNN_CudaHalfTanh_updateOutput on half. THNN.h says what each
 * computes and which shapes it takes; `state` is not looked at. Tensors are on the device of the result; 0-dim inputs may
 * be on the CPU.
 * Order, streams and errors: as in THC.h. A target that is out of bounds is found by the kernel, and raised by what waits for
 * it: THC_checkFailure. Sums are added in an order that follows from the shapes alone. */
#ifndef THCUNN_H
#define THCUNN_H

#include <THC/THC.h>
#include <THNN/THNN.h>

/* THCUNN_FUNCTION(Tanh_updateOutput, floating) declares THNN_CudaHalfTanh_updateOutput as
 * THNN_HalfTanh_updateOutput is declared, …, and THNN_CudaTanh_updateOutput for float. */
#define THCUNN_FUNCTION(op, dtypes) TH_FOR_##dtypes(THCUNN_FUNCTION_, op)
#define THCUNN_FUNCTION_(Name, op) THC_LIKE(THNN_##Name##op, THCUNN_NAME(Name, op))
#define THCUNN_NAME(Name, op) THC_JOIN(THCUNN_NAME_##Name, op)
#define THCUNN_NAME_Half THNN_CudaHalf
#define THCUNN_NAME_BFloat16 THNN_CudaBFloat16
#define THCUNN_NAME_Float THNN_Cuda
#define THCUNN_NAME_Double THNN_CudaDouble

THCUNN_FUNCTION(Sigmoid_updateOutput, floating)
THCUNN_FUNCTION(Sigmoid_updateGradInput, floating)
THCUNN_FUNCTION(Tanh_updateOutput, floating)
THCUNN_FUNCTION(Tanh_updateGradInput, floating)
THCUNN_FUNCTION(Threshold_updateOutput, floating)
THCUNN_FUNCTION(Threshold_updateGradInput, floating)
THCUNN_FUNCTION(SoftMax_updateOutput, floating)
THCUNN_FUNCTION(SoftMax_updateGradInput, floating)
THCUNN_FUNCTION(LogSoftMax_updateOutput, floating)
THCUNN_FUNCTION(LogSoftMax_updateGradInput, floating)
THCUNN_FUNCTION(ClassNLLCriterion_updateOutput, floating)
THCUNN_FUNCTION(ClassNLLCriterion_updateGradInput, floating)
THCUNN_FUNCTION(MSECriterion_updateOutput, floating)
THCUNN_FUNCTION(MSECriterion_updateGradInput, floating)

#endif
