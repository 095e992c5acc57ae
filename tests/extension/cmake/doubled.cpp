#include <torch/extension.h>

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("doubled", [](torch::Tensor x) { return x * 2; });
}
