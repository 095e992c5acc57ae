"""Gradients in C++: functions with a backward of their own, passes, hooks, modes, and tensors that require grad."""

import gc
import weakref

import pytest
import torch
from torch.utils import cpp_extension

SOURCE = """
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
"""
FUNCTIONS = [
    *("cube", "exponential", "wrong_value", "linear", "what_was_needed", "sorted", "twice", "what_was_defined"),
    *("double_", "dirty", "same", "failing", "grads", "hessian_of_cubes", "run_backward", "only_for", "wrong_counts"),
    *("grad_of_nothing", "backward_of", "facts", "fail_with", "hooks", "hook_log", "hook_that_fails", "modes", "made"),
    "shown",
]


@pytest.fixture(scope="module")
def cpp(tmp_path_factory):
    folder = tmp_path_factory.mktemp("gradients")
    return cpp_extension.load_inline(
        "gradients", SOURCE, functions=FUNCTIONS, extra_cflags=["-O0"], build_directory=folder
    )


def leaf(*values):
    return torch.tensor(values, dtype=torch.float64, requires_grad=True)


# ---- functions ----


def test_function(cpp):
    x = leaf(1, -2, 3)
    y = cpp.cube(x)
    assert y.tolist() == [1, -8, 27] and y.requires_grad and not y.is_leaf
    assert y.grad_fn.name() == "torch::autograd::CppNode<Cube>" and "CppNode<Cube>" in repr(y)
    y.sum().backward()
    assert x.grad.tolist() == [3, 12, 27]
    with pytest.raises(RuntimeError, match=r"second time: what torch::autograd::CppNode<Cube> had saved"):
        y.sum().backward()
    for operator, arguments in (
        (cpp.cube, (x,)),
        (lambda x: cpp.exponential(x, 0.5, 3, False), (x,)),
        (lambda x: cpp.sorted(x)[2], (x,)),
        (cpp.linear, (torch.randn(2, 3).double().requires_grad_(), torch.randn(4, 3).double(), leaf(1, 2, 3, 4))),
    ):
        assert torch.autograd.gradcheck(operator, arguments)
        assert torch.autograd.gradgradcheck(operator, arguments)


def test_nothing_is_recorded_where_nothing_asks(cpp):
    assert not cpp.cube(torch.ones(2)).requires_grad
    with torch.no_grad():
        assert not cpp.cube(leaf(1)).requires_grad
    assert torch.is_grad_enabled()
    assert not cpp.sorted(torch.ones(2))[0].requires_grad


def test_arguments_of_other_types(cpp):
    x = leaf(1, 2)
    cpp.exponential(x, 0.5, 3, True).sum().backward()
    expected = -(0.5 * x.detach() ** 3).exp() * 1.5 * x.detach() ** 2
    assert torch.allclose(x.grad, expected)
    with pytest.raises(RuntimeError, match="Expected String but got Int"):
        cpp.wrong_value(3)


def test_needs_input_grad(cpp):
    x, w, b = torch.ones(2, 3), torch.ones(4, 3, requires_grad=True), torch.ones(4, requires_grad=True)
    cpp.linear(x, w, b).sum().backward()
    assert cpp.what_was_needed() == [False, True, True]
    assert x.grad is None and w.grad.tolist() == [[2] * 3] * 4 and b.grad.tolist() == [2] * 4
    y = cpp.linear(x, w, None).sum()
    torch.autograd.grad(y, w)
    assert cpp.what_was_needed() == [False, True, False]
    y = cpp.linear(x.requires_grad_(), w, b).sum()
    torch.autograd.grad(y, b)
    assert cpp.what_was_needed() == [False, False, True], "only what the running pass asks for"


def test_several_results(cpp):
    x = leaf(3, 1, 2)
    values, places, doubled = cpp.sorted(x)
    assert places.tolist() == [1, 2, 0] and not places.requires_grad
    assert values.grad_fn is doubled.grad_fn and (values.output_nr, doubled.output_nr) == (0, 2)
    (values * torch.tensor([1.0, 2, 3])).sum().backward(retain_graph=True)
    assert x.grad.tolist() == [3, 1, 2]
    doubled[0].backward()
    assert x.grad.tolist() == [3, 3, 2]


@pytest.mark.parametrize("materialize", [True, False])
def test_gradients_that_nobody_computed(cpp, materialize):
    x = leaf(1, 2)
    first, second = cpp.twice(x, materialize)
    second.sum().backward(retain_graph=True)
    assert cpp.what_was_defined() == [materialize, True] and x.grad.tolist() == [3, 3]
    (first + second).sum().backward()
    assert cpp.what_was_defined() == [True, True] and x.grad.tolist() == [8, 8]


def test_in_place(cpp):
    x = leaf(1, 2)
    y = x * 3
    z = cpp.double_(y, True)
    assert z is y and y.tolist() == [6, 12]
    assert y.grad_fn.name() == "torch::autograd::CppNode<Double_>"
    y.sum().backward()
    assert x.grad.tolist() == [6, 6]
    part = x * 3
    cpp.double_(part[0], True)
    part.sum().backward()
    assert x.grad.tolist() == [12, 9]
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad has been used in an in-place"):
        cpp.double_(leaf(1), True)
    with pytest.raises(RuntimeError, match="Some elements marked as dirty .* were not returned as output"):
        cpp.dirty(torch.ones(2))


def test_an_argument_that_is_returned(cpp):
    x = leaf(1, 2)
    y = cpp.same(x)
    assert y is not x and x.is_leaf and y.data_ptr() == x.data_ptr()
    y.sum().backward()
    assert x.grad.tolist() == [10, 10]


@pytest.mark.parametrize(
    "how, error, text",
    [
        (1, ValueError, "a value"),
        (2, RuntimeError, "a runtime error"),
        (3, IndexError, "out of range"),
        (4, RuntimeError, r"function Failing returned an incorrect number of gradients \(expected 2, got 0\)"),
        (5, RuntimeError, "returned a gradient different than None at position 2"),
        (6, RuntimeError, r"incorrect number of gradients \(expected 2, got 3\)"),
        (8, RuntimeError, "CppNode<Failing>.*returned an invalid gradient at index 0"),
    ],
)
def test_errors_out_of_backward(cpp, how, error, text):
    y = cpp.failing(leaf(1, 2), how)
    for run in (lambda: y.sum().backward(retain_graph=True), lambda: cpp.backward_of(y.sum())):
        with pytest.raises(error, match=text) as info:
            run()
        assert info.type is error
    assert torch.is_grad_enabled()


def test_other_errors(cpp):
    with pytest.raises(TypeError, match="out of forward"):
        cpp.failing(leaf(1), 0)
    x = leaf(1, 2)
    cpp.failing(x, 7).sum().backward()
    assert x.grad.tolist() == [1, 1], "undefined ones too many are no error"
    y = x * 1
    z = cpp.cube(y)
    y.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        z.sum().backward()


def test_nothing_is_left(cpp):
    """A result that is saved, and a graph that is not run, keep nothing alive."""
    x = leaf(1, 2)
    y = cpp.exponential(x, 1.0, 1, False)
    ended = weakref.ref(y)
    del y
    gc.collect()
    assert ended() is None


# ---- passes ----


def test_grad(cpp):
    x, other = leaf(1, 2), leaf(5)
    y = (x * x).sum()
    (first,) = cpp.grads([y], [x], True, False)
    assert first.tolist() == [2, 4] and first.requires_grad
    assert cpp.grads([first.sum()], [x], False, False)[0].tolist() == [2, 2]
    assert cpp.grads([y], [x, other], True, True)[1] is None
    with pytest.raises(RuntimeError, match="not have been used in the graph"):
        cpp.grads([y], [other], True, False)
    assert x.grad is None
    assert cpp.hessian_of_cubes(leaf(1, 2)).tolist() == [6, 12]
    with pytest.raises(ValueError, match="grad requires non-empty inputs"):
        cpp.grad_of_nothing(y)
    with pytest.raises(RuntimeError, match="got 2 tensors and 1 gradients"):
        cpp.wrong_counts(y)
    with pytest.raises(RuntimeError, match="does not require grad and does not have a grad_fn"):
        cpp.backward_of(torch.ones(()))


def test_backward(cpp):
    assert cpp.run_backward(leaf(1, 2)).tolist() == [8, 16]
    x, other = leaf(1, 2), leaf(3, 4)
    assert cpp.only_for((x * other).sum(), x).tolist() == [3, 4]
    assert other.grad is None


def test_python_in_a_pass_of_cpp(cpp):
    """What Python's functions and hooks raise comes out as what it was."""

    class Strange(Exception):
        pass

    class Function(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, grad):
            if grad[0] > 1:
                raise Strange("from Python")
            return grad * 7

    x = leaf(1, 2)
    cpp.backward_of(Function.apply(cpp.cube(x)).sum())
    assert x.grad.tolist() == [21, 84]
    with pytest.raises(Strange, match="from Python"):
        cpp.backward_of((2 * Function.apply(x)).sum())
    y = cpp.cube(x)
    y.register_hook(lambda grad: grad * 100)
    x.grad = None
    cpp.backward_of(y.sum())
    assert x.grad.tolist() == [300, 1200]


# ---- what a tensor says ----


def test_facts(cpp):
    assert cpp.facts() == [
        (True, True, False, None, False),
        (False, True, True, True),
        (True, False, "MulBackward0", True, 2.0, 2, "torch::autograd::AccumulateGrad", 0),
        (False, False, True, True),
        (False, True, False, 0),
    ]


@pytest.mark.parametrize(
    "how, text",
    [
        (0, "floating point and complex dtype can require gradients"),
        (1, "only change requires_grad flags of leaf variables"),
        (2, "a leaf Variable that requires grad is being used in an in-place operation"),
        (3, "leaf is null"),
        (4, "cannot register a hook on a tensor that doesn't require gradient"),
        (5, r"call x.to\(…\).requires_grad_\(\)"),
        (6, "undefined"),
    ],
)
def test_refused(cpp, how, text):
    with pytest.raises(RuntimeError, match=text):
        cpp.fail_with(how)


def test_hooks(cpp):
    assert cpp.hooks() == [20, 22]
    assert cpp.hook_log() == "abxcx"
    x = leaf(1)
    cpp.hook_that_fails(x)
    with pytest.raises(IndexError, match="out of a hook"):
        (x * 2).sum().backward()


def test_modes(cpp):
    assert cpp.modes(leaf(1)) == [True, False, True, False, True, False, True]
    with torch.no_grad():
        assert cpp.modes(leaf(1))[0] is False
        assert torch.is_grad_enabled(), "C++ has switched it on, in this thread"
    assert torch.is_grad_enabled()


def test_factories(cpp):
    made = cpp.made(torch.ones(2, requires_grad=True) * 2)
    for i, x in enumerate(made):
        assert x.requires_grad and x.is_leaf and x.grad_fn is None, i
        (x * 2).sum().backward()
        assert x.grad.eq(2).all(), i
        assert x.dtype == (torch.float32 if i == 1 else torch.float64), i
    assert made[9].shape == ()


def test_print(cpp):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    assert cpp.shown(x) == cpp.shown(x.detach())
