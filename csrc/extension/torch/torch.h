// The C++ side of torch: tensors with their methods, functions and operators. For programs without
// Python, and for the C++ files of an extension that do not touch Python.
//
//     torch::Tensor x = torch::ones({2, 3});
//     std::cout << (x * 2).sum().item<double>() << '\n';  // 12
//     x.requires_grad_();
//     (x * x).sum().backward();
//     std::cout << x.grad().sum().item<double>() << '\n';  // 12
//
// Errors are torch::Error (th::Exception).
#pragma once

#include <torch/arguments.h>
#include <torch/autograd.h>
#include <torch/check.h>
#include <torch/dispatch.h>
#include <torch/factories.h>
#include <torch/keys.h>
#include <torch/library.h>
#include <torch/operators.h>
#include <torch/print.h>
#include <torch/tensor.h>
#include <torch/types.h>
#include <torch/values.h>
