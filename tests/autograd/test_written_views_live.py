"""Writes through views of recorded tensors end with the last reference to them: live memory, and gradients of both orders."""

import gc
import resource
import weakref

import pytest
import torch

# Every operator in place: methods, and functions of torch and of torch.nn.functional that are no method.
METHODS = [name for name in dir(torch.Tensor) if name.endswith("_") and not name.startswith("_")]
WRITES = [f"tensor.{name}" for name in METHODS] + [
    f"{module}.{name}"
    for module, names in (("torch", dir(torch)), ("functional", dir(torch.nn.functional)))
    for name in names
    if name.endswith("_") and not name.startswith("_") and name not in METHODS
]
# They resize the tensor, give it another storage or shape, are of integers, compute in double alone, or call Python.
NOT_WRITES = set(
    """tensor.apply_ tensor.map_ tensor.map2_ tensor.bitwise_and_ tensor.bitwise_left_shift_ tensor.bitwise_not_ tensor.bitwise_or_
    tensor.bitwise_right_shift_ tensor.bitwise_xor_ tensor.gcd_ tensor.lcm_ tensor.resize_ tensor.resize_as_ tensor.as_strided_
    tensor.resize_as_sparse_ tensor.sparse_resize_ tensor.sparse_resize_and_clear_ tensor.detach_ tensor.share_memory_
    tensor.set_ torch.embedding_renorm_""".split()
)
VIEWS = {
    "columns": lambda y: y[:, :5],
    "rows": lambda y: y[2:4],
    "transposed": lambda y: y.t(),
    "element": lambda y: y[0, 0],
    "view of a view": lambda y: y.view(-1)[3:40].view(-1),
    "step": lambda y: y[::2],
    "of three dimensions": lambda y: y.view(2, 4, 8)[:, 1:],
}


def candidates(view):
    """What an operator may take besides the view: the first that it accepts will do."""
    like = torch.full(view.shape, 0.3, dtype=view.dtype)
    first, rows = torch.zeros(1, dtype=torch.long), like.view(-1)[:1].reshape([1] * view.dim())
    row, place = like[:1] if view.dim() else like, first.reshape(rows.shape)
    yield from (
        (),
        (0.3,),
        (0.3, 0.0),
        (0.3, True),
        (like,),
        (like, like),
        (like > 0, 0.3),
        (like > 0, like),
        (2,),
        (0,),
    )
    yield from (
        (0, 0),
        (0, first, 0.3),
        (0, first, row),
        (0, first, row, "prod"),
        (0, place, rows),
        (0, place, rows, "sum"),
    )
    yield from ((2, 0, 1.0), (first, like.view(-1)[:1]), ((first,) * view.dim(), like.view(-1)[:1]))
    if view.dim() == 2:
        yield (like.new_ones(view.shape[0], 3), like.new_ones(3, view.shape[1]))
        yield (like.new_ones(view.shape[0]), like.new_ones(view.shape[1]))
        yield (like.new_ones(5, view.shape[0], 3), like.new_ones(5, 3, view.shape[1]))
    if view.dim() == 3:
        yield (like.new_ones(view.shape[0], view.shape[1], 3), like.new_ones(view.shape[0], 3, view.shape[2]))
    if view.dim() == 1:
        yield (like.new_ones(view.shape[0], 3), like.new_ones(3))


def write(name, view):
    """The operator in place, with arguments that it takes; None: with none of ours."""
    space, _, method = name.partition(".")
    function = getattr({"tensor": torch.Tensor, "torch": torch, "functional": torch.nn.functional}[space], method)
    for arguments in candidates(view):
        try:
            with torch.no_grad():
                function(view.detach().clone(), *arguments)
        except (TypeError, RuntimeError, IndexError, ValueError):
            continue
        return function(view, *arguments)
    return None


def base():
    torch.manual_seed(3)
    weight = torch.rand(8, 8, dtype=torch.float64, requires_grad=True)
    return weight, weight * 0.5 + 0.2


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", [name for name in WRITES if name not in NOT_WRITES])
def test_it_ends_without_a_backward_pass(name):
    """Through whichever of the views it takes; one at least."""
    taken = 0
    gc.disable()
    try:
        for view in VIEWS.values():
            _, y = base()
            part = view(y)
            written = weakref.ref(y)
            taken += write(name, part) is not None
            del y, part
            assert written() is None
    finally:
        gc.enable()
    assert taken, "candidates() has no arguments for it"


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
@pytest.mark.parametrize("name", ["exp_", "sigmoid_", "tanh_", "sqrt_", "reciprocal_"])
def test_second_gradients(name, view):
    """Against the same operator out of place, its result put where the view is."""

    def in_place(x):
        y = x * 0.5 + 0.2
        getattr(VIEWS[view](y), name)()
        return y

    def out_of_place(x):
        y = x * 0.5 + 0.2
        made = getattr(VIEWS[view](y), name.removesuffix("_"))()
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
