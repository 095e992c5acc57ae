/* Images sampled at any places. */
#ifndef THNN_GRID_H
#define THNN_GRID_H

#include <THNN/THNNGeneral.h>

/* A sample is made of the two elements next to its place in each dimension, of the nearest one (halves go to the even
 * one), or of four by Keys' convolution with a = -3/4. */
typedef enum THNNGridMode { THNN_GRID_LINEAR, THNN_GRID_NEAREST, THNN_GRID_CUBIC } THNNGridMode;
/* What lies outside: zeros, the outermost elements, or the image's reflection. */
typedef enum THNNGridPadding { THNN_GRID_ZEROS, THNN_GRID_BORDER, THNN_GRID_REFLECTION } THNNGridPadding;

/* input (batch, channels, size…), grid (batch, places…, n) for n = 2 or 3 spatial dimensions, output (batch, channels,
 * places…). A place has its coordinates last dimension first; -1 and 1 are the image's borders, or with align_corners the
 * centres of its outermost elements. Cubic: two dimensions only. */
THNN_FUNCTION(GridSampler_updateOutput, floating,
              (THNNState *state, const THTensor *input, const THTensor *grid, THTensor *output, int mode,
               int padding_mode, bool align_corners))
/* `size`: of gradInput's planes. */
THNN_FUNCTION(GridSampler_updateGradInput, floating,
              (THNNState *state, const THTensor *gradOutput, THTensor *gradInput, const THTensor *grid, int nsize,
               const int64_t *size, int mode, int padding_mode, bool align_corners))
THNN_FUNCTION(GridSampler_updateGradGrid, floating,
              (THNNState *state, const THTensor *input, const THTensor *grid, const THTensor *gradOutput,
               THTensor *gradGrid, int mode, int padding_mode, bool align_corners))

/* By the names of 2017: linear, two dimensions, corners aligned. */
THNN_FUNCTION(SpatialGridSamplerBilinear_updateOutput, floating,
              (THNNState *state, const THTensor *input, const THTensor *grid, THTensor *output, int padding_mode))
THNN_FUNCTION(SpatialGridSamplerBilinear_updateGradInput, floating,
              (THNNState *state, const THTensor *input, THTensor *gradInput, const THTensor *grid, THTensor *gradGrid,
               const THTensor *gradOutput, int padding_mode))

/* ---- prepare halves: the result may share memory with the inputs ------------------------------- */

/* Of 2 or 3 spatial dimensions; in lists of three those that there are not are 1 long, and come first. */
typedef struct THNNGridPlan {
  int dimensions;
  int64_t batch, channels, places; /* places: of an image */
  int64_t size[3];
  THNNGridMode mode;
  THNNGridPadding padding;
  bool align_corners;
  THResult result;
} THNNGridPlan;

/* All take a plan whose mode, padding and align_corners are given. */
TH_API bool THNNPrepare_GridSampler_updateOutput(THNNGridPlan *plan, THDtype dtype, const THTensor *input,
                                                 const THTensor *grid, THTensor *output);
TH_API bool THNNPrepare_GridSampler_updateGradInput(THNNGridPlan *plan, THDtype dtype, const THTensor *gradOutput,
                                                    THTensor *gradInput, const THTensor *grid, int n,
                                                    const int64_t *size);
TH_API bool THNNPrepare_GridSampler_updateGradGrid(THNNGridPlan *plan, THDtype dtype, const THTensor *input,
                                                   const THTensor *grid, const THTensor *gradOutput,
                                                   THTensor *gradGrid);

#endif
