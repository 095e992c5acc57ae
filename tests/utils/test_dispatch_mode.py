"""TorchDispatchMode: what is heard of programs, as PyTorch 2.13 logs them, and what modes may answer."""

import threading

import pytest
import torch
import torch.nn.functional as F
from torch.utils import _python_dispatch as dispatch
from torch.utils._python_dispatch import BaseTorchDispatchMode, TorchDispatchMode
from torch.utils._pytree import tree_map

aten = torch.ops.aten


class Logging(TorchDispatchMode):
    """Writes down each operator, its arguments with tensors as their shapes, and its keywords."""

    def __init__(self):
        super().__init__()
        self.seen = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        words = [_shown(arg) for arg in args] + [f"{name}={_shown(value)}" for name, value in kwargs.items()]
        self.seen.append(f"{func}({', '.join(words)})")
        return func(*args, **kwargs)


class Answering(TorchDispatchMode):
    """Answers as a function does."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        return self.function(func, args, kwargs or {})


def _shown(value):
    if isinstance(value, torch.Tensor):
        return "x".join(map(str, value.shape)) or "-"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_shown, value))}]"
    return str(value)


def heard(program):
    """What of a program is heard, less what is made of numbers and what detach gives: of these libraries differ."""
    with Logging() as mode:
        program()
    return [line for line in mode.seen if not line.startswith(("aten.detach", "aten.lift_fresh"))]


# ---- logs ------------------------------------------------------------------------------------------------------
x, y, first = torch.ones(2, 3), torch.full((2, 3), 2.0), torch.tensor([0])
weight, bias = torch.ones(4, 3), torch.ones(4)
image, window = torch.ones(1, 3, 5, 5), torch.ones(2, 3, 3, 3)


def in_place():
    a = x.clone()
    a += y
    a.mul_(2).zero_()
    a.fill_(3)
    a.copy_(y)


def trained():
    weight = torch.ones(3, 4, requires_grad=True)
    loss = (x @ weight).relu()
    loss.backward(torch.ones(2, 4))


# What PyTorch 2.13 logs.
LOGS = {
    "numbers": (
        lambda: (x + y, x + 1, torch.add(x, y, alpha=2), 1 - x, x * 2, x / y, x**2, -x),
        """aten.add.Tensor(2x3, 2x3) aten.add.Tensor(2x3, 1) aten.add.Tensor(2x3, 2x3, alpha=2) aten.rsub.Scalar(2x3, 1)
        aten.mul.Tensor(2x3, 2) aten.div.Tensor(2x3, 2x3) aten.pow.Tensor_Scalar(2x3, 2) aten.neg.default(2x3)""",
    ),
    "in place": (
        in_place,
        """aten.clone.default(2x3) aten.add_.Tensor(2x3, 2x3) aten.mul_.Tensor(2x3, 2) aten.zero_.default(2x3)
        aten.fill_.Scalar(2x3, 3) aten.copy_.default(2x3, 2x3)""",
    ),
    "views": (
        lambda: (x.view(3, 2), x.t(), x.transpose(0, 1), x.permute(1, 0), x[0], x.unsqueeze(0), x.expand(2, 2, 3)),
        """aten.view.default(2x3, [3, 2]) aten.t.default(2x3) aten.transpose.int(2x3, 0, 1)
        aten.permute.default(2x3, [1, 0]) aten.select.int(2x3, 0, 0) aten.unsqueeze.default(2x3, 0)
        aten.expand.default(2x3, [2, 2, 3])""",
    ),
    "reshape": (
        lambda: (x.reshape(3, -1), x.flatten(), x.t().reshape(6)),
        """aten.view.default(2x3, [3, -1]) aten.view.default(2x3, [6]) aten.t.default(2x3)
        aten.clone.default(3x2, memory_format=torch.contiguous_format) aten._unsafe_view.default(3x2, [6])""",
    ),
    "parts": (
        lambda: (x.narrow(1, 0, 2), x.split(1), x.unbind(), torch.cat([x, y]), torch.stack([x, y])),
        """aten.slice.Tensor(2x3, 1, 0, 2) aten.split.Tensor(2x3, 1) aten.unbind.int(2x3) aten.cat.default([2x3, 2x3])
        aten.stack.default([2x3, 2x3])""",
    ),
    "reductions": (
        lambda: (x.sum(), x.sum(1), x.mean(0), x.max(), x.max(1), x.argmax(), x.prod(), x.amax(1), x.any(), x.all()),
        """aten.sum.default(2x3) aten.sum.dim_IntList(2x3, [1]) aten.mean.dim(2x3, [0]) aten.max.default(2x3)
        aten.max.dim(2x3, 1) aten.argmax.default(2x3) aten.prod.default(2x3) aten.amax.default(2x3, [1])
        aten.any.default(2x3) aten.all.default(2x3)""",
    ),
    "comparisons": (
        lambda: (x == y, x < 1, torch.where(x > 1, x, y), x.clamp(0, 1)),
        """aten.eq.Tensor(2x3, 2x3) aten.lt.Scalar(2x3, 1) aten.gt.Scalar(2x3, 1) aten.where.self(2x3, 2x3, 2x3)
        aten.clamp.default(2x3, 0, 1)""",
    ),
    "activations": (
        lambda: (F.relu(x), F.gelu(x), F.silu(x), x.sigmoid(), x.tanh(), F.leaky_relu(x), x.softmax(1)),
        """aten.relu.default(2x3) aten.gelu.default(2x3) aten.silu.default(2x3) aten.sigmoid.default(2x3)
        aten.tanh.default(2x3) aten.leaky_relu.default(2x3) aten._softmax.default(2x3, 1, False)""",
    ),
    "order": (
        lambda: (x.sort(), x.topk(2), x.cumsum(1), x.flip(0), x.roll(1), x.tril()),
        """aten.sort.default(2x3) aten.topk.default(2x3, 2) aten.cumsum.default(2x3, 1) aten.flip.default(2x3, [0])
        aten.roll.default(2x3, [1]) aten.tril.default(2x3)""",
    ),
    "index": (
        lambda: (x[first], x[x > 0], x.index_select(0, first), x.masked_fill(x > 0, 0.0)),
        """aten.index.Tensor(2x3, [1]) aten.gt.Scalar(2x3, 0) aten.index.Tensor(2x3, [2x3])
        aten.index_select.default(2x3, 0, 1) aten.gt.Scalar(2x3, 0) aten.masked_fill.Scalar(2x3, 2x3, 0.0)""",
    ),
    "dtypes": (
        lambda: (x.to(torch.float64), x.double(), x.to(torch.float32), x.int()),
        """aten._to_copy.default(2x3, dtype=torch.float64) aten._to_copy.default(2x3, dtype=torch.float64)
        aten._to_copy.default(2x3, dtype=torch.int32)""",
    ),
    "factories": (
        lambda: (
            torch.ones(2),
            torch.arange(5),
            torch.arange(1, 5),
            torch.eye(3),
            torch.randint(5, (2,)),
            torch.rand(2),
        ),
        """aten.ones.default([2], device=cpu) aten.arange.default(5, device=cpu) aten.arange.start(1, 5, device=cpu)
        aten.eye.default(3, device=cpu) aten.randint.default(5, [2], device=cpu) aten.rand.default([2], device=cpu)""",
    ),
    "matrices": (
        lambda: (x @ y.t(), torch.ones(2, 2, 3).bmm(torch.ones(2, 3, 2)), torch.ones(2, 2, 3) @ torch.ones(3, 2)),
        """aten.t.default(2x3) aten.mm.default(2x3, 3x2) aten.ones.default([2, 2, 3], device=cpu)
        aten.ones.default([2, 3, 2], device=cpu) aten.bmm.default(2x2x3, 2x3x2)
        aten.ones.default([2, 2, 3], device=cpu) aten.ones.default([3, 2], device=cpu)
        aten.view.default(2x2x3, [4, 3]) aten.mm.default(4x3, 3x2) aten._unsafe_view.default(4x2, [2, 2, 2])""",
    ),
    "layers": (
        lambda: (
            F.linear(x, weight, bias),
            F.conv2d(image, window),
            F.avg_pool2d(image, 2),
            F.embedding(torch.arange(2), weight),
            F.mse_loss(x, y),
        ),
        """aten.t.default(4x3) aten.addmm.default(4, 2x3, 3x4)
        aten.convolution.default(1x3x5x5, 2x3x3x3, None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1)
        aten.avg_pool2d.default(1x3x5x5, [2, 2]) aten.arange.default(2, device=cpu) aten.embedding.default(4x3, 2)
        aten.mse_loss.default(2x3, 2x3)""",
    ),
    "a pass backward": (
        trained,
        """aten.ones.default([3, 4], device=cpu) aten.mm.default(2x3, 3x4) aten.relu.default(2x4)
        aten.ones.default([2, 4], device=cpu) aten.threshold_backward.default(2x4, 2x4, 0) aten.mm.default(3x2, 2x4)""",
    ),
}


def _lines(text):
    return [f"aten.{line.strip()}" for line in " ".join(text.split()).split("aten.") if line.strip()]


@pytest.mark.parametrize("name", LOGS)
def test_what_is_heard(name):
    program, expected = LOGS[name]
    seen = [line.replace(", pin_memory=False", "").replace(", 0.0)", ", 0)") for line in heard(program)]
    if name == "a pass backward":  # how a matrix is turned over is said differently
        seen = [line for line in seen if not line.startswith(("aten.t.", "aten.transpose."))]
    assert seen == [line.replace(", 0.0)", ", 0)") for line in _lines(expected)]


# ---- answers ---------------------------------------------------------------------------------------------------
def _subtracting(func, args, kwargs):
    return (aten.sub.Tensor if func is aten.add.Tensor else func)(*args, **kwargs)


def test_a_mode_may_call_something_else():
    a = torch.tensor([1.0, 5.0], requires_grad=True)
    with Answering(_subtracting):
        total = (a + 2) * 3
    assert total.tolist() == [-3, 9]
    total.sum().backward()  # of what the program called, an addition
    assert a.grad.tolist() == [3, 3]
    assert (a + 2).tolist() == [3, 7]


def test_a_mode_may_change_arguments():
    with Answering(
        lambda func, args, kwargs: func(*args, **kwargs | ({"alpha": 10} if func is aten.add.Tensor else {}))
    ):
        assert (x + y).tolist() == [[21.0] * 3] * 2


@pytest.mark.parametrize("result", [torch.full((2,), 7.0), torch.zeros(5, dtype=torch.int64)])
def test_what_is_returned_is_the_result(result):
    with Answering(lambda func, args, kwargs: result):
        assert x + 1 is result


def test_a_result_is_what_the_mode_has_seen():
    with Logging() as mode:
        mode.seen = results = []
        results.append(x + 1)
    seen = []

    def keep(func, args, kwargs):
        seen.append(func(*args, **kwargs))
        return seen[-1]

    with Answering(keep):
        assert x * 2 is seen[-1]
        assert x.view(6) is seen[-1]
        total = torch.ones(2, requires_grad=True) * 2
    assert total.grad_fn is not None
    assert seen[-1].tolist() == total.tolist()


def test_a_result_that_is_recorded_may_be_anything():
    leaf = torch.ones(2, requires_grad=True)
    known = torch.full((2,), 7.0)
    with Answering(lambda func, args, kwargs: known):
        made = leaf * 3
    assert made.tolist() == [7, 7]
    made.sum().backward()
    assert leaf.grad.tolist() == [3, 3]
    with Answering(lambda func, args, kwargs: args[0]):
        made = leaf * 3
    assert made.grad_fn.name() == "MulBackward0"
    assert made.tolist() == [1, 1]
    assert leaf.is_leaf


@pytest.mark.parametrize("answer", [None, torch.zeros(2)])
def test_of_an_operator_in_place_the_answer_has_no_say(answer):
    a = torch.ones(2)
    with Answering(lambda func, args, kwargs: answer):
        assert a.add_(100) is a
    assert a.tolist() == [1, 1]
    with Answering(lambda func, args, kwargs: func(*args, **kwargs)):
        assert a.add_(100) is a
    assert a.tolist() == [101, 101]
    leaf = torch.ones(2, requires_grad=True)
    with Answering(_subtracting):
        b = leaf * 1
        b.mul_(3)
    b.sum().backward()
    assert leaf.grad.tolist() == [3, 3]


def test_several_results():
    with Answering(lambda func, args, kwargs: [torch.ones(1), torch.zeros(1)]):
        values, places = x.sort()
        assert (values.tolist(), places.tolist()) == ([1], [0])
    with Answering(lambda func, args, kwargs: (torch.ones(1),) * 3), pytest.raises(RuntimeError, match="3 results"):
        x.sort()
    with Answering(lambda func, args, kwargs: (torch.ones(1),) * 2), pytest.raises(RuntimeError, match="2 results"):
        x + 1


@pytest.mark.parametrize(
    ("answer", "error", "sentence"),
    [
        (3, RuntimeError, "Unable to cast 3 to Tensor: what __torch_dispatch__ returned for aten.add.Tensor"),
        (None, RuntimeError, "Unable to cast None to Tensor"),
        (("a",), TypeError, "has to hold tensors, not str"),
        (NotImplemented, TypeError, "Multiple dispatch failed for 'torch._ops.aten.add.Tensor'"),
    ],
)
def test_answers_that_are_none(answer, error, sentence):
    with Answering(lambda func, args, kwargs: answer), pytest.raises(error, match=sentence):
        torch.add(x, 1)


def test_results_that_our_functions_are_given_to_fill():
    layer = torch.nn.LayerNorm(3)
    given = torch.randn(2, 3, requires_grad=True)
    layer(given).pow(2).sum().backward()
    expected = given.grad.clone()
    given.grad = None
    seen = []

    def copied(func, args, kwargs):
        found = func(*args, **kwargs)
        seen.append(func)
        return tuple(t.clone() for t in found) if isinstance(found, tuple) else found

    with Answering(copied):
        layer(given).pow(2).sum().backward()
    assert aten.native_layer_norm.default in seen
    torch.testing.assert_close(given.grad, expected)


class Repeating(TorchDispatchMode):
    """Calls the operators anew, with tensors that are not those that it was given."""

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        if func.is_view or func.overloadpacket.__name__.endswith("_"):
            return func(*args, **(kwargs or {}))
        others = tree_map(lambda t: t.detach() if isinstance(t, torch.Tensor) else t, (args, kwargs or {}))
        return func(*others[0], **others[1])


def _image(*layers):
    return torch.nn.Sequential(torch.nn.Conv2d(2, 4, 3), *layers, torch.nn.Flatten()), torch.randn(2, 2, 6, 6)


NETWORKS = {
    "linear": lambda: (torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.GELU(), torch.nn.LayerNorm(4)), x),
    "images": lambda: _image(torch.nn.BatchNorm2d(4), torch.nn.ReLU(), torch.nn.MaxPool2d(2)),
    "pooled": lambda: _image(torch.nn.GroupNorm(2, 4), torch.nn.SiLU(), torch.nn.AdaptiveAvgPool2d(1)),
    "attention": lambda: (torch.nn.TransformerEncoderLayer(8, 2, 16, 0.0, batch_first=True), torch.randn(1, 3, 8)),
    "lookup": lambda: (torch.nn.Sequential(torch.nn.Embedding(5, 3), torch.nn.Softplus()), torch.tensor([1, 2])),
}


def _gradients(network):
    torch.manual_seed(0)
    model, given = network()
    made = model(given).flatten(1)
    target = torch.zeros(made.shape[0], dtype=torch.int64)
    loss = F.cross_entropy(made, target) + F.kl_div(made.log_softmax(1), torch.ones_like(made), reduction="batchmean")
    (loss + made.mean((), keepdim=True).sum()).backward()
    return [parameter.grad for parameter in model.parameters()]


@pytest.mark.parametrize("mode", [BaseTorchDispatchMode, Repeating])
@pytest.mark.parametrize("network", NETWORKS)
def test_networks_learn_the_same_under_a_mode(network, mode):
    expected = _gradients(NETWORKS[network])
    with mode():
        found = _gradients(NETWORKS[network])
    torch.testing.assert_close(found, expected)


# ---- where and when ----------------------------------------------------------------------------------------------
def test_a_mode_that_raises_is_left():
    def raising(func, args, kwargs):
        raise KeyError("no")

    with pytest.raises(KeyError, match="no"), Answering(raising):
        x + 1
    assert dispatch._get_current_dispatch_mode() is None
    assert (x + 1).tolist() == [[2.0] * 3] * 2
    with Answering(raising):  # within it, too, each call raises anew
        for _ in range(2):
            with pytest.raises(KeyError):
                torch.ones(2)


def test_errors_of_operators_pass_through():
    with BaseTorchDispatchMode(), pytest.raises(RuntimeError, match="must match the size"):
        torch.ones(2) + torch.ones(3)


def test_modes_stand_above_each_other():
    order = []

    def noting(name):
        def note(func, args, kwargs):
            order.append((name, str(func), len(dispatch._get_current_dispatch_mode_stack())))
            return func(*args, **kwargs)

        return Answering(note)

    with noting("outer") as outer, noting("inner") as inner:
        assert dispatch._get_current_dispatch_mode_stack() == [outer, inner]
        assert dispatch._get_current_dispatch_mode() is inner
        x + 1
    assert order == [("inner", "aten.add.Tensor", 1), ("outer", "aten.add.Tensor", 0)]
    with noting("outer"), Answering(lambda func, args, kwargs: x * 2):
        order.clear()
        x + 1
    assert order == [("outer", "aten.mul.Tensor", 0)]


def test_a_mode_may_enter_itself():
    seen = []

    class Again(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            seen.append(str(func))
            if func is aten.add.Tensor:
                with self:
                    args[0] * 2
            return func(*args, **(kwargs or {}))

    with Again():
        x + 1
        assert seen == ["aten.add.Tensor", "aten.mul.Tensor"]
        x - 1
    assert seen[2:] == ["aten.sub.Tensor"]


def test_modes_can_be_left_out():
    with Logging() as mode:
        with dispatch._disable_current_modes() as modes:
            assert modes == [mode]
            assert not dispatch.any_torch_dispatch_mode_on_stack()
            assert dispatch.is_in_torch_dispatch_mode()
            x + 1
        with dispatch._pop_mode_temporarily() as popped:
            assert popped is mode
            x + 1
        x - 1
    assert mode.seen == ["aten.sub.Tensor(2x3, 1)"]
    assert not dispatch.is_in_torch_dispatch_mode()
    with pytest.raises(RuntimeError, match="no TorchDispatchMode has been entered"):
        mode.__exit__(None, None, None)


def test_questions_about_modes():
    class Internal(BaseTorchDispatchMode):
        @classmethod
        def is_infra_mode(cls):
            return True

        @classmethod
        def ignore_compile_internals(cls):
            return True

    with Internal():
        assert dispatch.is_in_torch_dispatch_mode()
        assert not dispatch.is_in_torch_dispatch_mode(include_infra_modes=False)
        assert not dispatch.any_torch_dispatch_mode_on_stack(include_infra_modes=False)
        assert not dispatch.is_in_any_mode_without_ignore_compile_internals()
        with BaseTorchDispatchMode():
            assert dispatch.is_in_any_mode_without_ignore_compile_internals()
            assert torch._C._len_torch_dispatch_stack() == 2


def test_a_mode_belongs_to_a_thread():
    with Logging() as mode:
        thread = threading.Thread(target=lambda: x + 1)
        thread.start()
        thread.join()
    assert mode.seen == []


@pytest.mark.parametrize("context", [torch.no_grad, torch.inference_mode, torch.enable_grad])
def test_modes_hear_whatever_is_recorded(context):
    leaf = torch.ones(2, requires_grad=True)
    with context():
        assert heard(lambda: leaf + 1) == ["aten.add.Tensor(2, 1)"]


def test_nothing_is_recorded_while_a_mode_answers():
    leaf, seen = torch.ones(2, requires_grad=True), []

    def look(func, args, kwargs):
        seen.append((args[0].requires_grad, func(*args, **kwargs).requires_grad, (args[0] * 2).requires_grad))
        return func(*args, **kwargs)

    with Answering(look):
        assert (leaf + 1).requires_grad
    assert seen == [(True, False, False)]


def test_casts_of_autocast_are_heard():
    with torch.autocast("cpu", torch.bfloat16):
        seen = heard(lambda: torch.ones(2, 2) @ torch.ones(2, 2))
    assert [line.partition("(")[0] for line in seen[2:]] == ["aten._to_copy.default"] * 2 + ["aten.mm.default"]


def test_views_stay_views():
    base = torch.zeros(3, requires_grad=True) * 1
    with BaseTorchDispatchMode():
        base.view(3, 1)[0].add_(5)
    assert base.tolist() == [5, 0, 0]
    assert base.grad_fn.name() == "torch::autograd::CopySlices"


def test_users_operators_are_heard():
    @torch.library.custom_op("test_dispatch_mode::twice", mutates_args=())
    def twice(t: torch.Tensor) -> torch.Tensor:
        return t * 2

    twice.register_autograd(lambda ctx, grad: grad * 2)
    with Logging() as mode:
        assert twice(torch.ones(2)).tolist() == [2, 2]
        leaf = torch.ones(2, requires_grad=True)
        twice(leaf).backward(torch.ones(2))
    assert [line.partition("(")[0] for line in mode.seen if "twice" in line] == ["test_dispatch_mode.twice.default"] * 2
    assert leaf.grad.tolist() == [2, 2]
    with Answering(lambda func, args, kwargs: torch.zeros(1)):
        assert twice(x).tolist() == [0]
    with Logging() as outer, BaseTorchDispatchMode():
        twice(x)
    assert outer.seen == ["test_dispatch_mode.twice.default(2x3)"]


def test_rules_for_a_class_of_modes():
    @torch.library.custom_op("test_dispatch_mode::thrice", mutates_args=())
    def thrice(t: torch.Tensor) -> torch.Tensor:
        return t * 3

    class Derived(Logging):
        pass

    seen = []

    @torch.library.register_torch_dispatch("test_dispatch_mode::thrice", Logging)
    def rule(mode, func, types, args, kwargs):
        seen.append((type(mode), func, types, kwargs))
        return func(*args, **kwargs) + 1

    with Logging() as mode:
        assert thrice(torch.ones(2)).tolist() == [4, 4]
    assert seen == [(Logging, torch.ops.test_dispatch_mode.thrice.default, (), {})]
    assert len(mode.seen) == 1  # ones
    with Derived():
        assert thrice(torch.ones(2)).tolist() == [3, 3]
    with pytest.raises(RuntimeError, match="already has a `__torch_dispatch__` rule"):
        thrice.register_torch_dispatch(Logging, rule)
    with pytest.raises(NotImplementedError, match="of int, which is no TorchDispatchMode"):
        thrice.register_torch_dispatch(int, rule)


class Counting(TorchDispatchMode):
    """Multiplications and additions of products of matrices."""

    count = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        found = func(*args, **(kwargs or {}))
        if func in (aten.mm.default, aten.addmm.default):
            self.count += 2 * found.numel() * args[-2].shape[1]
        return found


def test_a_mode_counts_what_a_network_computes():
    model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU(), torch.nn.Linear(4, 2))
    with Counting() as mode:
        model(x).sum().backward()
    assert mode.count == 192  # PyTorch's
    from torch.utils.flop_counter import FlopCounterMode

    with FlopCounterMode(display=False) as counter:
        model(x).sum().backward()
    assert counter.get_total_flops() == mode.count


# ---- what a mode returns ---------------------------------------------------------------------------------------
def test_aliasing_is_corrected():
    a = torch.ones(2)
    correct = dispatch.return_and_correct_aliasing
    assert correct(aten.add_.Tensor, (a, 1), {}, torch.zeros(2)) is a
    made = torch.zeros(2, 1)
    assert correct(aten.view.default, (a, [2, 1]), {}, made) is made
    assert made.tolist() == [[1], [1]]
    assert made.untyped_storage().data_ptr() == a.untyped_storage().data_ptr()
    assert correct(aten.mul.Tensor, (a, 1), {}, made) is made
    out = torch.empty(2)
    assert correct(aten.add.out, (a, a), {"out": out}, torch.ones(2)) is out
    assert correct(aten.resize_.default, (a, [2]), {}, made) is a
    sparse = torch.ones(2).to_sparse()
    values = sparse._values()
    assert correct(aten._values.default, (sparse,), {}, values) is values and values.tolist() == [1, 1]
    with Answering(lambda func, args, kwargs: correct(func, args, kwargs, func(*args, **kwargs))):
        assert a.add_(1) is a
        assert [part.tolist() for part in a.split(1)] == [[2], [2]]


def test_keys_are_refused():
    with pytest.raises(NotImplementedError, match="_dispatch_key='functional'"):
        TorchDispatchMode(_dispatch_key="functional")
