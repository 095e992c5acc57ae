// What generated nodes compute with: the headers of this folder.
#pragma once

#include "convolution.h"
#include "decompositions.h"
#include "embedding.h"
#include "fourier.h"
#include "indexing.h"
#include "linear.h"
#include "operators.h"
#include "pointwise.h"
#include "pooling.h"
#include "recurrent.h"
#include "reductions.h"
#include "shapes.h"
#include "softmax.h"
#include "solving.h"
#include "special.h"
#include "statistics.h"
