// What a C++ extension for Python includes: torch's C++ side, pybind11, and the conversions between.
//
//     #include <torch/extension.h>
//
//     torch::Tensor d_sigmoid(torch::Tensor z) {
//       auto s = torch::sigmoid(z);
//       return (1 - s) * s;
//     }
//
//     PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("d_sigmoid", &d_sigmoid, "derivative of sigmoid"); }
//
// torch.utils.cpp_extension compiles it, and defines TORCH_EXTENSION_NAME.
#pragma once

#include <torch/python.h>
#include <torch/torch.h>
