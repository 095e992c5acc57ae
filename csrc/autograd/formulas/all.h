// What generated nodes compute with: every header of this folder.
#pragma once

#include "indexing.h"
#include "operators.h"
#include "reductions.h"
#include "shapes.h"
#include "softmax.h"
