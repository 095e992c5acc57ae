// Operators of tests/extension/test_torch_library.py: every way to register one, every type, calls between C++ and Python.
#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/autograd.h>
#include <torch/library.h>

namespace {

at::Tensor scale(const at::Tensor &x, double by) {
  static auto op = c10::Dispatcher::singleton().findSchemaOrThrow("ext::scale", "").typed<decltype(scale)>();
  return op.call(x, by);
}

at::Tensor scale_cpu(const at::Tensor &x, double by) {
  TORCH_CHECK(x.is_cpu() && !at::GradMode::is_enabled() | !x.requires_grad(), "scale_cpu was recorded");
  TORCH_CHECK_VALUE(by != 13, "by must not be ", by);
  at::Tensor y = at::empty(x.sizes(), x.options());
  const at::Tensor from = x.contiguous();
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "scale", [&] {
    const scalar_t *const in = from.data_ptr<scalar_t>();
    scalar_t *const out = y.data_ptr<scalar_t>();
    at::parallel_for(0, x.numel(), 2, [&](int64_t first, int64_t last) {
      for (const auto i : c10::irange(first, last)) out[i] = in[i] * scalar_t(by);
    });
  });
  return y;
}

struct Scale : torch::autograd::Function<Scale> {
  static torch::autograd::variable_list forward(torch::autograd::AutogradContext *ctx,
                                                const torch::autograd::Variable &x, double by) {
    ctx->saved_data["by"] = by;
    ctx->saved_data["sizes"] = x.sym_sizes();
    at::AutoDispatchBelowADInplaceOrView below;
    return {scale(x, by)};
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext *ctx,
                                                 const torch::autograd::variable_list &grads) {
    TORCH_CHECK(ctx->saved_data["sizes"].toList()[0].get().toSymInt() == grads[0].size(0), "another size");
    return {scale(grads[0], ctx->saved_data["by"].toDouble()), torch::autograd::Variable()};
  }
};
at::Tensor scale_autograd(const at::Tensor &x, double by) { return Scale::apply(x, by)[0]; }

at::Tensor twice(const at::Tensor &x) { return scale(x, 2); }  // on whatever device scale has a kernel for

std::tuple<std::string, int64_t, std::vector<at::Tensor>> everything(
    const std::optional<at::Tensor> &t, at::IntArrayRef sizes, const std::vector<double> &floats, c10::string_view word,
    at::ScalarType dtype, std::optional<at::Device> device, const at::Scalar &number, bool flag, at::TensorList tensors,
    at::OptionalIntArrayRef more, std::vector<std::optional<at::Tensor>> maybe, c10::SymInt n) {
  std::ostringstream text;
  text << (t ? t->numel() : -1) << ' ' << sizes << ' ' << floats.size() << ' ' << word << ' ' << dtype << ' '
       << (device ? device->is_cpu() : -1) << ' ' << number.toDouble() << ' ' << flag << ' ' << tensors.size() << ' '
       << (more ? int64_t(more->size()) : -1) << ' ' << maybe.size();
  std::vector<at::Tensor> back;
  for (size_t i = 0; i < tensors.size(); ++i) back.push_back(tensors[i]);
  return {text.str(), n, back};
}

at::Tensor &add_one_(at::Tensor &x) { return x.add_(1), x; }
void nothing(const at::Tensor &) {}
at::Tensor calls(const at::Tensor &x, std::string name) {
  return c10::Dispatcher::singleton()
      .findSchemaOrThrow(name.c_str(), "")
      .typed<at::Tensor(const at::Tensor &)>()
      .call(x);
}
// Picks by a list that a gradient keeps, and says whether it was asked for one.
std::tuple<at::Tensor, bool, double> older(const at::Tensor &x, c10::List<int64_t> places) {
  torch::IValue kept = places.vec();
  const c10::List<int64_t> list = kept.toIntList();
  const at::Tensor index = at::tensor(std::vector<int64_t>(list.begin(), list.end()));
  const at::Tensor sum = at::gather(x.detach(), 0, index, /*sparse_grad=*/false);
  at::opmath_type<at::Half> total = 0;
  for (int64_t i = 0; i < sum.numel(); ++i) total += sum.const_data_ptr<float>()[i];
  return {sum, torch::autograd::any_variable_requires_grad({x}), total};
}
at::Tensor cast(const at::Tensor &x) { return x.to(at::kBFloat16); }
at::Tensor wrong(const at::Tensor &x, int64_t) { return x; }

}  // namespace

TORCH_LIBRARY(ext, m) {
  m.set_python_module("a.module.of.python");
  m.def("scale(Tensor x, float by=2.0) -> Tensor");
  m.def(TORCH_SELECTIVE_SCHEMA("ext::add_one_(Tensor(a!) x) -> Tensor(a!)"), &add_one_);
  m.def("twice", &twice);
  m.def("calls", TORCH_FN(calls));
  m.def("plus.number", [](const at::Tensor &x, double y) { return x + y; });
  m.def("plus.both", [](const at::Tensor &x, const at::Tensor &y) { return x + y; });
}
TORCH_LIBRARY_FRAGMENT(ext, m) {
  m.def(torch::schema("nothing(Tensor x) -> ()"), torch::dispatch(c10::DispatchKey::CPU, &nothing));
  m.def(
      "everything(Tensor? t, int[2] sizes, float[] floats, str word, ScalarType dtype, Device? device, Scalar number, "
      "bool flag, Tensor[] tensors, int[]? more=None, Tensor?[] maybe=[], *, SymInt n=7) -> (str, int, Tensor[])",
      &everything);
  m.def("cast(Tensor x) -> Tensor");
}
TORCH_LIBRARY_IMPL(ext, CPU, m) {
  m.impl(TORCH_SELECTIVE_NAME("ext::scale"), TORCH_FN(scale_cpu));
  m.impl("cast", [](const at::Tensor &x) { return x * 1; });
}
TORCH_LIBRARY_IMPL(ext, Autograd, m) {
  m.impl("scale", TORCH_FN(scale_autograd));
  m.impl("nothing", torch::CppFunction::makeFallthrough());
}
TORCH_LIBRARY_IMPL(ext, AutocastCPU, m) { m.impl("cast", &cast); }
static auto registry = torch::RegisterOperators()
                           .op("ext_older::older", &older)
                           .op("ext_older::plus_one(Tensor x) -> Tensor", [](const at::Tensor &x) { return x + 1; });
TORCH_LIBRARY(ext_liar, m) { m.def("f(Tensor x) -> Tensor", &wrong); }
TORCH_LIBRARY(ext_broken, m) { m.def("f(Tensor x -> Tensor"); }
