// What generated nodes compute with: every header of this folder.
#pragma once

#include "operators.h"
#include "pointwise.h"
#include "softmax.h"
#include "special.h"
#include "statistics.h"
