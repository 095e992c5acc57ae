// What generated nodes compute with: every header of this folder.
#pragma once

#include "decompositions.h"
#include "fourier.h"
#include "linear.h"
#include "operators.h"
#include "softmax.h"
#include "solving.h"
