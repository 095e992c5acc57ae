/* The prepare halves of TH's kernels, for other backends.
 *
 * A kernel has two halves. Prepare checks the arguments, finds the dtypes and shapes of the results, and says which
 * elements meet; it looks at no element and serves every backend. Run fills in the elements; each backend has its own.
 * TH's kernels are made of the functions that are declared here, or of the parts that these are made of, and of loops of
 * the CPU; on the device TH_Meta they are these functions alone. A library for another backend calls them and then its own
 * loops, so it repeats no shape arithmetic, and an error reads the same on every device.
 *
 *     void THCudaTensor_cumsum(THTensor *r, const THTensor *t, int dim) {
 *       THRowsPlan plan;
 *       THPrepare_scan(&plan, r, t, dim);
 *       THTensor *input = contiguous_float(t); // plan.rows describes t were it contiguous
 *       THResult_resize(plan.result, 1);
 *       THTensor *output = to_be_written(r);   // r, or a contiguous one: r may have any strides
 *       launch_scan(output, input, &plan.rows);
 *       finish(r, output);                     // copies, if they are two
 *     }
 *
 * Names: THPrepare_x prepares TH…Tensor_x, or a group of kernels that differ in what they compute only, as scan does
 * cumsum and cumprod. It takes the plan, the dtype of the computation where there is a kernel for each, and the kernel's
 * own arguments in its order, without those that shapes do not depend on.
 *
 * Plans are plain structs on the caller's stack. Unless it says so, a plan owns nothing: it names the tensors that it was
 * made with, must not outlive them, and is thrown away.
 *
 * What may be changed, and when: THPrepare_… raises, or fills the plan; no tensor has changed either way. Then comes what
 * can still fail (temporaries, values such as indices that a backend judges itself), then THResult_resize, which gives the
 * results their shapes, then run. Where nothing can fail in between, prepare resizes the result itself, because the plan
 * holds its strides: THPrepare_pointwise and what is made of it, THPrepare_reduce.
 *
 * A prepare that returns bool says whether there is anything to run: false where nothing is to be written, or the result
 * has no memory. (Those of index tensors are true for an empty result, too: indices are judged all the same.)
 *
 * Memory in common: a prepare refuses a result that shares memory with an input or with another result where TH's own
 * kernel would go wrong; the headers say where sharing is allowed. A kernel that cannot write what it still reads then
 * takes a copy first.
 *
 * Devices: the tensors of a call are on one device, or are inputs on the CPU, which the backend brings over itself
 * (numbers, index tensors). An input on TH_Meta is refused where the result has memory, and any input of another device
 * where the result is the CPU's. Whether two tensors lie on the same card is for the caller to say. */
#ifndef TH_PREPARE_H
#define TH_PREPARE_H

#include <TH/prepare/result.h>
#include <TH/prepare/pointwise.h>
#include <TH/prepare/numbers.h>
#include <TH/prepare/reduce.h>
#include <TH/prepare/rows.h>
#include <TH/prepare/index.h>
#include <TH/prepare/products.h>
#include <TH/prepare/lapack.h>
#include <TH/prepare/counts.h>
#include <TH/prepare/fft.h>
#include <TH/prepare/fill.h>

#endif
