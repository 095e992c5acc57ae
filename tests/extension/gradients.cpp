// What test_autograd.py calls.
#include <torch/extension.h>

#include <stdexcept>
#include <string>
#include <vector>

using namespace torch::autograd;  // as PyTorch's examples have it
using torch::Tensor;

// ---- functions ----
struct Cube : public Function<Cube> {
  static Tensor forward(AutogradContext *ctx, Tensor x) {
    TORCH_CHECK(!torch::GradMode::is_enabled(), "forward() is recorded");
    ctx->save_for_backward({x});
    return x * x * x;
  }
  static tensor_list backward(AutogradContext *ctx, tensor_list grads) {
    const Tensor x = ctx->get_saved_variables()[0];
    return {3 * x * x * grads[0]};
  }
};
Tensor cube(Tensor x) { return Cube::apply(x); }

// Its result is saved, and so are values of every type.
namespace inner {
struct Exp : Function<Exp> {
  static Tensor forward(AutogradContext *ctx, const Tensor &x, double factor, int64_t power, bool minus, const char *text,
                        std::vector<int64_t> size) {
    const Tensor result = torch::exp(factor * torch::pow(x, power));
    ctx->saved_data["factor"] = factor;
    ctx->saved_data["power"] = power;
    ctx->saved_data["minus"] = minus;
    ctx->saved_data["text"] = text;
    ctx->saved_data["size"] = size;
    ctx->saved_data["x"] = std::vector<Tensor>{x};
    ctx->save_for_backward({result});
    return result;
  }
  static variable_list backward(AutogradContext *ctx, const variable_list &grads) {
    auto &data = ctx->saved_data;
    const Tensor x = data["x"].toTensorVector().at(0), result = ctx->get_saved_variables().at(0);
    TORCH_CHECK(data["text"].toStringRef() == "text" && data["size"].toIntVector() == x.sizes().vec());
    TORCH_CHECK(data["nothing"].isNone() && data["minus"].isBool() && !data["minus"].isInt());
    const double factor = data["factor"].toDouble();
    const int64_t power = data["power"].toInt();
    Tensor grad = grads[0] * result * (factor * double(power)) * torch::pow(x, power - 1);
    if (data["minus"].toBool()) grad = -grad;
    return {grad, {}, {}, {}, {}, {}};
  }
};
}  // namespace inner
Tensor exponential(Tensor x, double factor, int64_t power, bool minus) {
  return inner::Exp::apply(x, factor, power, minus, "text", x.sizes().vec());
}
void wrong_value(torch::Scalar number) { torch::IValue(number.toInt()).toStringRef(); }

std::vector<bool> needed;
struct Linear : Function<Linear> {
  static Tensor forward(AutogradContext *ctx, Tensor x, Tensor w, std::optional<Tensor> bias) {
    ctx->save_for_backward({x, w});
    ctx->saved_data["bias"] = bias.has_value();
    const Tensor y = x.mm(w.t());
    return bias ? y + *bias : y;
  }
  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    const auto saved = ctx->get_saved_variables();
    const bool bias = ctx->saved_data["bias"].toBool();
    needed = {ctx->needs_input_grad(0), ctx->needs_input_grad(1), ctx->needs_input_grad(2)};
    return {needed[0] ? grads[0].mm(saved[1]) : Tensor(), needed[1] ? grads[0].t().mm(saved[0]) : Tensor(),
            bias ? grads[0].sum(0) : Tensor()};
  }
};
Tensor linear(Tensor x, Tensor w, std::optional<Tensor> bias) { return Linear::apply(x, w, bias); }
std::vector<bool> what_was_needed() { return needed; }

struct Sorted : Function<Sorted> {
  static variable_list forward(AutogradContext *ctx, Tensor x) {
    const auto [values, places] = torch::sort(x);
    ctx->save_for_backward({places});
    ctx->mark_non_differentiable({places});
    return {values, places, values * 2};
  }
  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    const Tensor places = ctx->get_saved_variables()[0];
    return {torch::zeros_like(grads[0]).scatter(0, places, grads[0] + 2 * grads[2])};
  }
};
std::vector<Tensor> sorted(Tensor x) { return Sorted::apply(x); }

std::vector<bool> defined;
struct Twice : Function<Twice> {
  static variable_list forward(AutogradContext *ctx, Tensor x, bool materialize) {
    ctx->set_materialize_grads(materialize);
    return {x + x, x * 3};
  }
  static variable_list backward(AutogradContext *, variable_list grads) {
    defined = {grads[0].defined(), grads[1].defined()};
    Tensor sum;
    if (grads[0].defined()) sum = 2 * grads[0];
    if (grads[1].defined()) sum = sum.defined() ? sum + 3 * grads[1] : 3 * grads[1];
    return {sum, Tensor()};
  }
};
std::vector<Tensor> twice(Tensor x, bool materialize) { return Twice::apply(x, materialize); }
std::vector<bool> what_was_defined() { return defined; }

struct Double_ : Function<Double_> {
  static Tensor forward(AutogradContext *ctx, Tensor x, bool mark) {
    x.mul_(2);
    if (mark) ctx->mark_dirty({x});
    return x;
  }
  static variable_list backward(AutogradContext *, variable_list grads) { return {grads[0] * 2, {}}; }
};
Tensor double_(Tensor x, bool mark) { return Double_::apply(x, mark); }
struct Dirty : Function<Dirty> {
  static Tensor forward(AutogradContext *ctx, Tensor x) {
    ctx->mark_dirty({x.mul_(2)});
    return x.clone();
  }
  static variable_list backward(AutogradContext *, variable_list grads) { return grads; }
};
Tensor dirty(Tensor x) { return Dirty::apply(x); }
struct Same : Function<Same> {
  static Tensor forward(AutogradContext *, Tensor x) { return x; }
  static variable_list backward(AutogradContext *, variable_list grads) { return {grads[0] * 10}; }
};
Tensor same(Tensor x) { return Same::apply(x); }

struct Failing : Function<Failing> {
  static Tensor forward(AutogradContext *ctx, Tensor x, int64_t how) {
    ctx->saved_data["how"] = how;
    TORCH_CHECK_TYPE(how != 0, "out of forward");
    return x.clone();
  }
  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    switch (ctx->saved_data["how"].toInt()) {
      case 1: TORCH_CHECK_VALUE(false, "a value");
      case 2: throw std::runtime_error("a runtime error");
      case 3: throw std::out_of_range("out of range");
      case 4: return {};
      case 5: return {grads[0], grads[0]};
      case 6: return {grads[0], {}, grads[0]};
      case 7: return {grads[0], {}, {}, {}};
      default: return {grads[0].reshape({-1}).slice(0, 0, 1).expand({5}), {}};
    }
  }
};
Tensor failing(Tensor x, int64_t how) { return Failing::apply(x, how); }

// ---- passes ----
std::vector<Tensor> grads(std::vector<Tensor> outputs, std::vector<Tensor> inputs, bool create_graph, bool unused) {
  return grad(outputs, inputs, {}, torch::nullopt, create_graph, unused);
}
Tensor hessian_of_cubes(Tensor x) {  // its diagonal
  const Tensor y = (x * x * x).sum();
  const Tensor first = grad({y}, {x}, {torch::ones({})}, true, true, true)[0];
  return grad({first.sum()}, {x})[0];
}
Tensor run_backward(Tensor x) {
  const Tensor leaf = x.detach().requires_grad_();
  const Tensor y = leaf * leaf;
  y.backward(torch::ones_like(y) * 2, /*retain_graph=*/true);
  backward({y.sum(), y.sum()});
  return leaf.grad();
}
Tensor only_for(Tensor y, Tensor input) {
  y.backward({}, torch::nullopt, false, {input});
  return input.grad();
}
void wrong_counts(Tensor y) { backward({y, y}, {torch::ones({})}); }
void grad_of_nothing(Tensor y) { grad({y}, {}); }
void backward_of(Tensor y) { y.backward(); }

// ---- what a tensor says ----
py::list facts() {
  py::list list;
  const Tensor x = torch::ones({2}, torch::requires_grad()), plain = torch::ones({2}), y = x * 3;
  y.retain_grad();
  list.append(py::make_tuple(x.requires_grad(), x.is_leaf(), bool(x.grad_fn()), x.grad(), x.retains_grad()));
  list.append(py::make_tuple(plain.requires_grad(), plain.is_leaf(), plain.grad_fn() == nullptr, plain.detach().is_leaf()));
  y.sum().backward();
  const auto edges = y.grad_fn()->next_edges();
  list.append(py::make_tuple(y.requires_grad(), y.is_leaf(), y.grad_fn()->name(), y.retains_grad(), y.grad().sum().item<double>(),
                             edges.size(), edges[0].function->name(), edges[0].input_nr));
  x.mutable_grad() = Tensor();
  list.append(py::make_tuple(x.grad().defined(), y.detach().requires_grad(), x[0].is_view(), x[0]._base().is_same(x)));
  y.detach_();
  x.set_requires_grad(false);
  list.append(py::make_tuple(y.requires_grad(), y.is_leaf(), x.requires_grad(), y._version()));
  return list;
}
void fail_with(int64_t how) {
  const Tensor x = torch::ones({2}, torch::requires_grad());
  if (how == 0) torch::ones({2}, torch::dtype(torch::kLong).requires_grad(true));
  if (how == 1) (x * 2).requires_grad_(false);
  if (how == 2) x.mul_(2);
  if (how == 3) x.grad_fn()->name();
  if (how == 4) torch::ones({2}).register_hook([](Tensor) {});
  if (how == 5) x.to(torch::dtype(torch::kDouble).requires_grad(true));
  if (how == 6) Tensor().requires_grad();
}

std::string log_of_hooks;
std::vector<double> hooks() {
  const Tensor x = torch::ones({}, torch::requires_grad()), y = x * 2;
  log_of_hooks.clear();
  const unsigned first = y.register_hook([](Tensor grad) { log_of_hooks += 'a'; return grad * 10; });
  y.register_hook([](const Tensor &grad) { log_of_hooks += grad.item<double>() == 10 ? 'b' : 'c'; });
  x.register_hook([](Tensor grad) -> Tensor { log_of_hooks += 'x'; return {}; });
  y.backward({}, true);
  const double with = x.grad().item<double>();
  y.remove_hook(first);
  y.remove_hook(first);
  y.backward();
  return {with, x.grad().item<double>()};
}
std::string hook_log() { return log_of_hooks; }
void hook_that_fails(Tensor x) {
  x.register_hook([](Tensor) { TORCH_CHECK_INDEX(false, "out of a hook"); });
}

std::vector<bool> modes(Tensor x) {
  std::vector<bool> recorded{(x * 2).requires_grad()};
  {
    const torch::NoGradGuard off;
    recorded.push_back((x * 2).requires_grad());
    {
      const at::AutoGradMode on(true);
      recorded.push_back((x * 2).requires_grad() && torch::GradMode::is_enabled());
    }
    recorded.push_back((x * 2).requires_grad());
    recorded.push_back(torch::ones({}, torch::requires_grad()).requires_grad());
  }
  torch::GradMode::set_enabled(false);
  recorded.push_back((x * 2).requires_grad());
  torch::GradMode::set_enabled(true);
  recorded.push_back((x * 2).requires_grad());
  return recorded;
}
std::vector<Tensor> made(Tensor like) {
  static double memory[2] = {1, 2};
  const auto options = torch::dtype(torch::kDouble).requires_grad(true);
  return {torch::zeros({2}, options), torch::ones({2}, torch::requires_grad()), torch::rand({3}, options),
          torch::full({2}, 7, options), torch::arange(0, 3, 1, options), torch::eye(2, torch::nullopt, options),
          torch::zeros_like(like, options), like.new_ones({2}, options), torch::tensor({1.5, 2.5}, options),
          torch::tensor(3, options), torch::from_blob(memory, {2}, options), torch::empty({2}, options)};
}
std::string shown(Tensor x) {
  std::ostringstream stream;
  stream << x;
  return stream.str();
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
#define BOUND(name) m.def(#name, &name)
  BOUND(cube);
  BOUND(exponential);
  BOUND(wrong_value);
  BOUND(linear);
  BOUND(what_was_needed);
  BOUND(sorted);
  BOUND(twice);
  BOUND(what_was_defined);
  BOUND(double_);
  BOUND(dirty);
  BOUND(same);
  BOUND(failing);
  BOUND(grads);
  BOUND(hessian_of_cubes);
  BOUND(run_backward);
  BOUND(only_for);
  BOUND(wrong_counts);
  BOUND(grad_of_nothing);
  BOUND(backward_of);
  BOUND(facts);
  BOUND(fail_with);
  BOUND(hooks);
  BOUND(hook_log);
  BOUND(hook_that_fails);
  BOUND(modes);
  BOUND(made);
  BOUND(shown);
}
