/* What the headers of THNN have in common.
 *
 * A module or criterion X is a pair of functions: X_updateOutput computes `output`, and
 * X_updateGradInput computes `gradInput`, the gradient for `input`, from `gradOutput`, the one for
 * `output`. A declaration stands for one function per dtype:
 *
 *     THNN_FUNCTION(Tanh_updateOutput, floating, (THNNState *state, …))
 *     → THNN_HalfTanh_updateOutput, THNN_BFloat16…, THNN_Float…, THNN_DoubleTanh_updateOutput
 *
 * Arguments by type:
 *     const THTensor *          read only; its dtype is the function's
 *     THTensor *                a result: any shape, resized; its dtype is the function's
 *     const THIndexTensor *     read only, int64
 *     const THNullableTensor *  like const THTensor *, or NULL
 * Inputs may be strided in any way. A result may be one of the inputs if it has the result's shape
 * already. Half and BFloat16 compute in float.
 * Errors, memory, threads: as in TH.h. All checks come before the first write.
 *
 * Each header ends with the prepare halves of its functions, for other backends. What THPrepare.h says of plans, order and
 * memory holds for them. THNNPrepare_X prepares THNN_…X, or a group of functions that differ in what they compute only. It
 * takes the plan, the dtype, and the function's own arguments in its order, without the state and those that shapes do not
 * depend on. */
#ifndef THNN_GENERAL_H
#define THNN_GENERAL_H

#include <TH/TH.h>
#include <TH/THPrepare.h>

typedef void THNNState; /* the device's state; NULL on the CPU */
typedef THTensor THIndexTensor;
typedef THTensor THNullableTensor;

#define THNN_FUNCTION(op, dtypes, args) TH_FOR_##dtypes(THNN_FUNCTION_, op, args)
#define THNN_FUNCTION_(Name, op, args) TH_API void THNN_##Name##op args;

#endif
