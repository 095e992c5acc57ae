/* oneDNN: convolutions in single precision, and TH's products of matrices in single precision and bfloat16, use it where
 * THNN was built with it, it is switched on, and the shape is one that it is faster at than the kernels here and BLAS. Results are the same bits for any number of threads. Other instructions of
 * the processor, such as AVX-512 in place of AVX2, may change how they are rounded, as with BLAS; so may switching it off. */
#ifndef THNN_ONEDNN_H
#define THNN_ONEDNN_H

#include <THNN/THNNGeneral.h>

TH_API const char *THNNOneDNN_version(void); /* "3.7.2"; NULL: built without it */
TH_API bool THNNOneDNN_isEnabled(void); /* whether it may be used where it is there: true at first */
TH_API void THNNOneDNN_setEnabled(bool on); /* in all threads */
/* What it prints on standard output: 0 nothing, 1 what it runs, 2 what it makes, too. False: that cannot be set. */
TH_API bool THNNOneDNN_setVerbose(int level);
/* How many primitives are kept (compiled code for one shape each), and how many at most: the ones that were used longest
 * ago go. */
TH_API int64_t THNNOneDNN_cached(void);
TH_API int64_t THNNOneDNN_capacity(void);

#endif
