/* What libtorch_python exports is marked by this. The list for its link stub is made with another meaning of it
   (codegen/exports.py). */
#pragma once

#ifndef TORCH_PYTHON_API
#define TORCH_PYTHON_API __attribute__((visibility("default")))
#endif
