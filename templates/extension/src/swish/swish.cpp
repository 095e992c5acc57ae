#include <torch/extension.h>

#include <cmath>

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct Swish : torch::autograd::Function<Swish> {
  static torch::Tensor forward(AutogradContext *ctx, const torch::Tensor &x) {
    ctx->save_for_backward({x});
    const torch::Tensor input = x.contiguous();
    torch::Tensor output = torch::empty_like(input);
    AT_DISPATCH_FLOATING_TYPES(input.scalar_type(), "swish", [&] {
      const scalar_t *const from = input.data_ptr<scalar_t>();
      scalar_t *const to = output.data_ptr<scalar_t>();
      for (int64_t i = 0; i < input.numel(); ++i) to[i] = from[i] / (1 + std::exp(-from[i]));
    });
    return output;
  }
  // Of torch's functions, so that it has a gradient in turn.
  static variable_list backward(AutogradContext *ctx, const variable_list &grads) {
    const torch::Tensor x = ctx->get_saved_variables()[0], s = torch::sigmoid(x);
    return {grads[0] * (s + x * s * (1 - s))};
  }
};

torch::Tensor swish(const torch::Tensor &x) {
  TORCH_CHECK_TYPE(x.is_floating_point(), "swish: expected a floating-point tensor, but got ", x.dtype());
  return Swish::apply(x);
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  // Nothing in swish needs the interpreter: other threads may run meanwhile.
  m.def("swish", &swish, "swish(x) -> Tensor: x * sigmoid(x)", py::arg("x"), py::call_guard<py::gil_scoped_release>());
}
