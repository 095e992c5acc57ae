/* Judgements of arguments that a caller needs before it comes to a kernel; see TH/THCheck.h. */
#ifndef THNN_CHECK_H
#define THNN_CHECK_H

#include <THNN/THNNGeneral.h>

/* Classes: targets of a sample (C) or of samples (N, C), and a weight for each class. */
TH_API void THNNCheck_targets(const THTensor *input, const THTensor *target);
TH_API void THNNCheck_singleTargets(const THTensor *target); /* one for each sample */
TH_API void THNNCheck_classWeights(int64_t classes, const THNullableTensor *weights);

/* The dimension that is halved, counted from the front. */
TH_API int THNNCheck_halved(const THTensor *input, int64_t dim);

/* What batch normalisation is given for each channel. */
TH_API void THNNCheck_channelwise(int64_t channels, bool train, const THNullableTensor *running_mean,
                                  const THNullableTensor *running_var, const THNullableTensor *weight,
                                  const THNullableTensor *bias);

/* Images: a batch of channels of n dimensions; the coordinates of places in n dimensions, and whether there are four
 * taps in each; indices of maxima; channels of what a transposed convolution is applied to. */
TH_API void THNNCheck_images(int n, const THTensor *images);
TH_API void THNNCheck_coordinates(int n, const THTensor *grid);
TH_API void THNNCheck_cubic(int n, bool cubic);
TH_API void THNNCheck_maxima(const THTensor *indices);
TH_API void THNNCheck_transposedChannels(const THTensor *input, const THTensor *weight);

/* Images or volumes, (batch, channels, …): whether their strides say that channels are innermost, which is called "channels
 * last". Gaps are allowed; where sizes of 1 let them lie row by row as well, no. */
TH_API bool THNNCheck_areChannelsLast(int ndim, const int64_t *size, const int64_t *stride);

/* Rows: elements of the indices, which the CPU has, name one of `rows`; the last bag of n rows begins, or ends, at
 * `offset`. */
TH_API void THNNCheck_rows(const THTensor *indices, int64_t rows);
TH_API void THNNCheck_lastOffset(int64_t offset, int64_t n);

#endif
