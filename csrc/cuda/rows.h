// What `python -m codegen cuda` writes: rows.cpp.
#pragma once

#include <THPP/Backend.h>

namespace torch::cuda {

void fill(thpp::Kernels &kernels);  // with THC's, THCUNN's and THCS's; what they have none of stays as it is

}  // namespace torch::cuda
