// What generated nodes compute with: every header of this folder.
#pragma once

#include "indexing.h"
#include "operators.h"
#include "pointwise.h"
#include "reductions.h"
#include "shapes.h"
#include "softmax.h"
#include "special.h"
#include "statistics.h"
