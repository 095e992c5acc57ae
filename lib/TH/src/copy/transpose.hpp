// Copies where source and result run along different dimensions.
#pragma once

#include "kit/tensor.hpp"

namespace th {

// Copies t to r if they are such large tensors of one shape and dtype, which share no memory; false if they are not.
bool copyTransposed(THTensor *r, const THTensor *t);

}  // namespace th
