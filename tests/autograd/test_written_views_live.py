"""Writes through views of recorded tensors end with the last reference to them: live memory, and gradients of both orders."""

import gc
import resource
import weakref

import pytest
import torch

# What an operator written in place may take besides the tensor.
ARGUMENTS = {"elu_": (), "clamp_": (-1, 1), "cumprod_": (0,), "cumsum_": (0,), "pow_": (2,), "clamp_min_": (0,)}
NAMES = """abs_ acos_ acosh_ asin_ asinh_ atan_ atanh_ ceil_ cos_ cosh_ cumprod_ cumsum_ digamma_ erf_ erfc_ erfinv_ exp2_ exp_
expm1_ frac_ i0_ lgamma_ log10_ log1p_ log2_ log_ logit_ neg_ pow_ reciprocal_ relu_ rsqrt_ sigmoid_ sinc_ sin_ sinh_ sqrt_
square_ tan_ tanh_ clamp_ clamp_min_""".split()
FUNCTIONS = "elu_ selu_ celu_ leaky_relu_ hardtanh_ relu_ threshold_ rrelu_".split()
WRITES = [f"tensor.{name}" for name in NAMES] + [f"functional.{name}" for name in FUNCTIONS]
VIEWS = {
    "columns": lambda y: y[:, :5],
    "rows": lambda y: y[2:4],
    "transposed": lambda y: y.t(),
    "element": lambda y: y[0, 0],
    "view of a view": lambda y: y.view(-1)[3:40].view(-1),
    "step": lambda y: y[::2],
}


def write(name, view):
    kind, _, method = name.partition(".")
    if kind == "tensor":
        return getattr(view, method)(*ARGUMENTS.get(method, ()))
    return getattr(torch.nn.functional, method)(view, *((0.1, 0.0) if method == "threshold_" else ()))


def base():
    torch.manual_seed(3)
    weight = torch.rand(8, 8, dtype=torch.float64, requires_grad=True)
    return weight, weight * 0.5 + 0.2


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("name", WRITES)
def test_it_ends_without_a_backward_pass(name, view):
    gc.disable()
    try:
        _, y = base()
        part = VIEWS[view](y)
        written = weakref.ref(y)
        write(name, part)
        del y, part
        assert written() is None
    finally:
        gc.enable()


def test_memory_over_many_steps():
    weight = torch.rand(100, 10_000, requires_grad=True)

    def step():
        y = torch.ones(10, 100) @ weight
        y[:, :5_000].relu_()
        y[:, 5_000:].sigmoid_()

    for _ in range(5):
        step()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(200):
        step()
    assert (
        resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20_000
    )  # kilobytes; 80,000 where each step stays


def test_a_module_without_a_backward_pass():
    model = torch.nn.Sequential(
        torch.nn.Conv2d(1, 4, 3), torch.nn.Flatten(), torch.nn.ReLU(inplace=True), torch.nn.Linear(4 * 36, 2)
    )
    results = []
    for layer in model:
        layer.register_forward_hook(lambda layer, given, result: results.append(weakref.ref(result)))
    gc.disable()
    try:
        model(torch.rand(2, 1, 8, 8))
        assert len(results) == 4 and not [ref for ref in results if ref() is not None]
    finally:
        gc.enable()


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize(
    "name", ["tensor.exp_", "tensor.sigmoid_", "tensor.tanh_", "tensor.sqrt_", "tensor.reciprocal_"]
)
def test_second_gradients(name, view):
    """Against the same operator out of place, its result put where the view is."""

    def in_place(x):
        y = x * 0.5 + 0.2
        write(name, VIEWS[view](y))
        return y

    def out_of_place(x):
        y = x * 0.5 + 0.2
        made = getattr(VIEWS[view](y), name.removeprefix("tensor.").removesuffix("_"))()
        where = torch.arange(64).view(8, 8)
        return y.reshape(-1).index_put((VIEWS[view](where).reshape(-1),), made.reshape(-1)).view(8, 8)

    def gradients(function):
        torch.manual_seed(5)
        x = torch.rand(8, 8, dtype=torch.float64, requires_grad=True)
        weights = torch.rand(8, 8, dtype=torch.float64)
        (first,) = torch.autograd.grad((function(x) * weights).sum(), x, create_graph=True)
        (second,) = torch.autograd.grad((first * weights.t()).sum(), x)
        return first.detach(), second

    for ours, expected in zip(gradients(in_place), gradients(out_of_place), strict=True):
        torch.testing.assert_close(ours, expected)


def test_a_custom_function_that_saves_what_it_wrote_through_a_view():
    class Exp(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            x.exp_()
            ctx.mark_dirty(x)
            ctx.save_for_backward(x)
            return x

        @staticmethod
        def backward(ctx, grad):
            return grad * ctx.saved_tensors[0]

    gc.disable()
    try:
        weight, y = base()
        written = weakref.ref(y)
        part = y[:, :3]
        Exp.apply(part)
        y.sum().backward(retain_graph=True)
        expected = torch.full((8, 8), 0.5, dtype=torch.float64)
        expected[:, :3] = 0.5 * (weight.detach()[:, :3] * 0.5 + 0.2).exp()
        torch.testing.assert_close(weight.grad, expected)
        del y, part
        assert written() is None
    finally:
        gc.enable()


class KeepsItsResult(torch.autograd.Function):
    """With attributes of ctx that lead back to the node."""

    @staticmethod
    def forward(ctx, x, kept, in_place):
        result = x.exp_() if in_place else x.exp()
        if in_place:
            ctx.mark_dirty(x)
        ctx.kept = {"result": result, "input": x, "list": [result]}[kept]
        ctx.save_for_backward(result)
        return result

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.saved_tensors[0], None, None


@pytest.mark.parametrize("kept", ["result", "input", "list"])
@pytest.mark.parametrize("in_place", [False, True])
@pytest.mark.parametrize("backward", [False, True])
def test_a_custom_function_that_keeps_its_result(kept, in_place, backward):
    def run():
        weight, y = base()
        result = KeepsItsResult.apply(y, kept, in_place)
        if backward:
            result.sum().backward()
        return [weakref.ref(t) for t in (weight, y, result)]

    refs = [ref for _ in range(3) for ref in run()]
    gc.collect()
    assert not [ref for ref in refs if ref() is not None]


def test_a_written_view_that_its_custom_function_keeps_ends_with_the_backward_pass():
    weight, y = base()
    part = y[:, :3]
    KeepsItsResult.apply(part, "result", True)
    refs = [weakref.ref(t) for t in (y, part)]
    y.sum().backward()
    del y, part
    gc.collect()
    assert [ref() for ref in refs] == [None, None]


HOOKS = {
    "its tensor": lambda y, z: z.register_hook(lambda grad: (z, None)[1]),
    "its base": lambda y, z: z.register_hook(lambda grad: (y, None)[1]),
    "its node": lambda y, z: z.grad_fn.register_hook(lambda *grads: (z, None)[1]),
    "before its node": lambda y, z: z.grad_fn.register_prehook(lambda *grads: (z, None)[1]),
    "retained": lambda y, z: (z.retain_grad(), z.register_hook(lambda grad: (z, None)[1])),
}
CLOSED_OVER = {
    "new": lambda part: part.exp(),
    "exp_": lambda part: part.exp_(),
    "relu_": lambda part: part.relu_(),
    "custom": lambda part: KeepsItsResult.apply(part, "result", False),
}


@pytest.mark.parametrize("backward", [False, True])
@pytest.mark.parametrize("view", [lambda y: y, VIEWS["columns"]], ids=["whole", "columns"])
@pytest.mark.parametrize("make", CLOSED_OVER.values(), ids=CLOSED_OVER)
@pytest.mark.parametrize("hook", HOOKS.values(), ids=HOOKS)
def test_hooks_that_close_over_what_they_are_of(hook, make, view, backward):
    def run():
        weight, y = base()
        z = make(view(y))
        hook(y, z)
        if backward:
            (y.sum() + z.sum()).backward()
        return [weakref.ref(t) for t in (weight, y, z)]

    refs = [ref for _ in range(3) for ref in run()]
    gc.collect()
    assert not [ref for ref in refs if ref() is not None]
