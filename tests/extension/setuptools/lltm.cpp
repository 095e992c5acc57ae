// The cell that PyTorch's tutorial on extensions made known: functions, methods, operators, dispatch
// and an accessor, as people write them.
#include <torch/extension.h>

#include <vector>

#include "factor.h"

torch::Tensor d_sigmoid(torch::Tensor z) {
  auto s = torch::sigmoid(z);
  return (1 - s) * s;
}

std::vector<at::Tensor> lltm_forward(torch::Tensor input, torch::Tensor weights, torch::Tensor bias,
                                     torch::Tensor old_h, torch::Tensor old_cell) {
  auto X = torch::cat({old_h, input}, /*dim=*/1);
  auto gate_weights = torch::addmm(bias, X, weights.transpose(0, 1));
  auto gates = gate_weights.chunk(3, /*dim=*/1);
  auto input_gate = torch::sigmoid(gates[0]);
  auto output_gate = at::sigmoid(gates[1]);
  auto candidate_cell = gates[2].tanh();
  auto new_cell = old_cell + candidate_cell * input_gate;
  auto new_h = torch::tanh(new_cell) * output_gate;
  return {new_h, new_cell};
}

double trace(const torch::Tensor &x) {
  TORCH_CHECK(x.dim() == 2, "trace: expected a matrix, but got sizes ", x.sizes());
  double total = 0;
  AT_DISPATCH_ALL_TYPES(x.scalar_type(), "trace", [&] {
    auto a = x.accessor<scalar_t, 2>();
    for (int64_t i = 0; i < std::min(a.size(0), a.size(1)); ++i) total += double(a[i][i]);
  });
  return total;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("d_sigmoid", &d_sigmoid, "the derivative of sigmoid");
  m.def("forward", &lltm_forward);
  m.def("trace", &trace, py::call_guard<py::gil_scoped_release>());
  m.def("factor", [] { return FACTOR; });
}
