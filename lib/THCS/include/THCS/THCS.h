/* THCS: sparse tensors on CUDA devices.
 *
 * Their names are THS's with THCS before the dtype: THSFloatTensor_coalesce runs on the CPU, THCSFloatTensor_coalesce
 * on a device. THSTensor.h and THSTensorMath.h say what each computes. A sparse tensor is made by THS's own functions,
 * of members that are on one device; so are all tensors of a call.
 * Order, streams and errors: as in THC.h. What indices say is checked before anything is computed with them: of each
 * version of them once, which waits for the device. Sums are added in the order in which the CPU adds them. */
#ifndef THCS_H
#define THCS_H

#include <THC/THC.h>
#include <THS/THS.h>

/* THCS_FUNCTION(coalesce, all_complex) declares THCSFloatTensor_coalesce as THSFloatTensor_coalesce is declared, … */
#define THCS_FUNCTION(op, dtypes) TH_FOR_##dtypes(THCS_FUNCTION_, op)
#define THCS_FUNCTION_(Name, op) THC_LIKE(THS##Name##Tensor_##op, THCS##Name##Tensor_##op)
#define THCS_FOR_ALL(op) THC_LIKE(THSTensor_##op, THCSTensor_##op)

THCS_FOR_ALL(checkInvariants)

THCS_FUNCTION(coalesce, all_complex)
THCS_FUNCTION(cadd, all_complex)
THCS_FOR_ALL(find)
THCS_FOR_ALL(compress)
THCS_FOR_ALL(group)

THCS_FUNCTION(spaddmm, number_complex)
THCS_FUNCTION(spgemm, number_complex)
THCS_FUNCTION(sampled, number_complex)
THCS_FUNCTION(trsm, lapack)

#endif
