"""__torch_function__: types derived from torch.Tensor, types that act like tensors, and modes."""

import copy
import math
import pickle
import threading

import pytest
import torch
from torch.overrides import (
    TorchFunctionMode,
    get_ignored_functions,
    get_overridable_functions,
    handle_torch_function,
    has_torch_function,
    has_torch_function_unary,
    has_torch_function_variadic,
    is_tensor_like,
    is_tensor_method_or_property,
    resolve_name,
    wrap_torch_function,
)


class Plain(torch.Tensor):
    """Nothing of its own."""


class Child(Plain):
    """Of the second generation."""


heard = []


class Listening(torch.Tensor):
    """Writes down what it hears."""

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        heard.append((func, types, args, kwargs or {}))
        return super().__torch_function__(func, types, args, kwargs or {})


def made(cls, values=((1.0, 2.0), (3.0, 4.0))):
    tensor = torch.tensor(values).as_subclass(cls)
    heard.clear()
    return tensor


def last():
    """The function that has been heard of first since `made`."""
    return heard[0][0]


# ---- what results are --------------------------------------------------------------------------------------
T = torch.Tensor
RESULTS = [
    (lambda s: s + 1, T.add),
    (lambda s: 1 + s, T.add),
    (lambda s: torch.ones(2) + s, T.add),
    (lambda s: s - 1, T.sub),
    (lambda s: 1 - s, T.__rsub__),
    (lambda s: s * s, T.mul),
    (lambda s: 2 / s, T.__rdiv__),
    (lambda s: s / 2, T.div),
    (lambda s: s // 2, T.__floordiv__),
    (lambda s: 2 // s, T.__rfloordiv__),
    (lambda s: s % 2, T.remainder),
    (lambda s: 2 % s, T.__rmod__),
    (lambda s: s**2, T.pow),
    (lambda s: 2**s, T.__rpow__),
    (lambda s: s**s, T.pow),
    (lambda s: s @ s, T.matmul),
    (lambda s: torch.ones(2, 2) @ s, T.matmul),
    (lambda s: -s, T.neg),
    (lambda s: +s, T.positive),
    (lambda s: abs(s), T.abs),
    (lambda s: s < 2, T.lt),
    (lambda s: 2 < s, T.gt),
    (lambda s: s == torch.ones(2), T.__eq__),
    (lambda s: s != 1, T.ne),
    (lambda s: s[0], T.__getitem__),
    (lambda s: s[0, 1:], T.__getitem__),
    (lambda s: s.add_(1), T.add_),
    (lambda s: s.__iadd__(1), T.add_),
    (lambda s: s.sum(), T.sum),
    (lambda s: torch.sum(s, dim=0), torch.sum),
    (lambda s: torch.add(torch.ones(2), s), torch.add),
    (lambda s: torch.cat([torch.ones(1, 2), s]), torch.cat),
    (lambda s: torch.stack((s, s)), torch.stack),
    (lambda s: torch.add(torch.ones(2, 2), 1, out=s), torch.add),
    (lambda s: torch.exp(input=s), torch.exp),
    (lambda s: s.view(4), T.view),
    (lambda s: s.double(), T.double),
    (lambda s: s.to(torch.float64), T.to),
    (lambda s: s.clone(), T.clone),
    (lambda s: s.new_zeros(2), T.new_zeros),
    (lambda s: torch.zeros_like(s), torch.zeros_like),
    (lambda s: s.T, T.T.__get__),
    (lambda s: s.data, T.data.__get__),
    (lambda s: s.type(torch.float64), T.type),
    (lambda s: torch.where(s > 1, s, 0.0), T.gt),
    (lambda s: torch.einsum("ij->j", s), None),
    (lambda s: torch.linalg.norm(s), torch.linalg.norm),
    (lambda s: torch.special.expit(s), torch.special.expit),
    (lambda s: s.copy_(torch.ones(2, 2)), T.copy_),
    (lambda s: torch.ones(2, 2).copy_(s), T.copy_),
    (lambda s: torch.ones(4)[s[0].long()], T.__getitem__),
]


@pytest.mark.parametrize("number", range(len(RESULTS)))
def test_results_are_of_the_type_and_the_function_is_heard_of(number):
    function, expected = RESULTS[number]
    plain = function(made(T))
    for cls in (Plain, Child, Listening):
        got = function(made(cls))
        assert type(got) is cls and torch.equal(got.as_subclass(T), plain)
    if expected is not None:
        # PyTorch's ** finds the method by a wrapper of its own
        assert last() == expected or last().__name__ == expected.__name__ == "pow"


@pytest.mark.parametrize(
    ("function", "names"),
    [
        (lambda s: s.max(0), "max"),
        (lambda s: torch.topk(s, 1), "topk"),
        (lambda s: s.split(1), None),
        (lambda s: s.unbind(), None),
        (lambda s: tuple(s), None),
        (lambda s: tuple(torch.broadcast_tensors(s, torch.ones(2))), None),
    ],
)
def test_tuples_of_them(function, names):
    got = function(made(Plain))
    assert all(type(part) is Plain for part in got) and len(got) == 2
    assert names is None or type(got).__name__ == names


def test_other_results_stay_as_they_are():
    s = made(Plain)
    assert type(s.shape) is torch.Size and s.dtype is torch.float32 and s.numel() == 4 and s.dim() == 2
    assert s.tolist() == [[1, 2], [3, 4]] and type(s.numpy()).__name__ == "ndarray" and len(s) == 2
    assert s[0, 0].item() == 1 and float(s[0, 1]) == 2.0 and int(s[1, 1]) == 4 and bool(s[0, 0]) and 3.0 in s
    assert torch.equal(s, s) and type(torch.tensor(s.tolist())) is T and torch.is_tensor(s)
    assert repr(s).startswith("Plain([[1., 2.]") and hash(s) == id(s) and s.grad is None
    assert type(s.as_subclass(T)) is T and type(torch.stack([torch.ones(2)])) is T
    s[0] = 7
    s[1, 1:] = made(Child, (5.0,))
    assert s.tolist() == [[7, 7], [3, 5]] and type(s) is Plain
    s += 1
    assert type(s) is Plain and s.tolist() == [[8, 8], [4, 6]]
    assert math.floor(made(Plain, 2.5)) == 2 and [10, 20, 30][made(Plain, 1)] == 20


def test_properties_and_numbers_are_heard_of():
    for function, expected in (
        (lambda s: s.shape, T.shape.__get__),
        (lambda s: s.dim(), T.dim),
        (lambda s: len(s), T.__len__),
        (lambda s: s.requires_grad, T.requires_grad.__get__),
        (lambda s: 1.0 in s, T.__contains__),
        (lambda s: repr(s), T.__repr__),
        (lambda s: s.tolist(), T.tolist),
        (lambda s: s.__setitem__(0, 1), T.__setitem__),
        (lambda s: bool(s[0, 0]), T.__getitem__),
        (lambda s: setattr(s, "data", torch.ones(2)), T.data.__set__),
        (lambda s: copy.deepcopy(s), T.__deepcopy__),
    ):
        try:
            function(made(Listening))
        except RuntimeError:
            assert expected is T.__deepcopy__  # PyTorch refuses a type without a constructor of this kind
        assert last() == expected
    for function, name in ((bool, "__bool__"), (float, "__float__"), (int, "__int__"), (complex, "__complex__")):
        function(made(Listening, 1))
        assert last() == getattr(T, name)


def test_arguments_are_handed_over():
    s, t = made(Listening), torch.ones(2, 2)
    torch.add(t, s, alpha=2)
    func, types, args, kwargs = heard[0]
    assert func is torch.add and types == (Listening,) and args[0] is t and args[1] is s and kwargs == {"alpha": 2}
    heard.clear()
    s.sub(1)
    assert heard[0][0] == T.sub and heard[0][2][0] is s and heard[0][2][1] == 1 and len(heard) == 1
    heard.clear()
    torch.cat([t, s])
    assert heard[0][2][0][1] is s


# ---- several types -----------------------------------------------------------------------------------------
def test_the_more_derived_type_is_asked_first():
    order = []

    class Base(torch.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            order.append(cls)
            return NotImplemented

    class Derived(Base):
        pass

    class Other(torch.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            order.append((cls, types))
            return 5

    a, b, c = (torch.ones(1).as_subclass(cls) for cls in (Base, Derived, Other))
    assert torch.stack([a, b, c]) == 5
    assert order == [Derived, Base, (Other, (Derived, Base, Other))]
    with pytest.raises(TypeError, match="returned NotImplemented"):
        torch.add(a, b)
    with pytest.raises(TypeError, match="unsupported operand"):
        a + b


def test_unrelated_types_do_not_mix():
    class Stranger(torch.Tensor):
        pass

    a, b = made(Plain), made(Stranger)
    with pytest.raises(TypeError):
        torch.add(a, b)
    assert type(a + made(Child)) is Child and type(made(Child) + a) is Child


class Diagonal:
    """Acts like a tensor without being one."""

    def __init__(self, n, value):
        self.n, self.value = n, value

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func is torch.mean:
            return args[0].value / args[0].n
        if func in (torch.add, torch.Tensor.add):
            return "sum"
        if func is torch.cat:
            return len(args[0])
        return NotImplemented


def test_types_that_are_no_tensors():
    d, t = Diagonal(5, 10.0), torch.ones(2)
    assert torch.mean(d) == 2.0
    assert torch.add(d, 1) == torch.add(t, d) == t + d == t.add(d) == "sum"
    assert torch.cat([t, d]) == torch.cat((d, d)) == 2
    for function in (lambda: torch.exp(d), lambda: torch.matmul(t, d), lambda: t * d, lambda: d * t):
        with pytest.raises(TypeError):
            function()
    for function in (lambda: torch.exp(object()), lambda: torch.add(t, object()), lambda: torch.cat([object()])):
        with pytest.raises(TypeError):
            function()


# ---- switched off ------------------------------------------------------------------------------------------
def test_disabling():
    class Off(torch.Tensor):
        __torch_function__ = torch._C._disabled_torch_function_impl

    s = torch.ones(2).as_subclass(Off)
    for got in (s + 1, s.sum(), s[0], torch.exp(s), s.data, -s):
        assert type(got) is T
    assert not has_torch_function((s,))
    s = made(Listening)
    with torch._C.DisableTorchFunctionSubclass():
        assert type(s + 1) is T and type(s[0]) is T and s.shape == (2, 2) and not heard
        assert not has_torch_function_unary(s)
        with pytest.raises(TypeError):
            torch.mean(Diagonal(1, 2))
    assert type(s + 1) is Listening and heard


def test_an_error_on_the_way_leaves_everything_on():
    class Failing(torch.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            raise KeyError(func.__name__)

    s = torch.ones(2).as_subclass(Failing)
    for function in (
        lambda: s + 1,
        lambda: torch.exp(s),
        lambda: s.shape,
        lambda: s[0],
        lambda: len(s),
        lambda: bool(s),
        lambda: repr(s),
        lambda: s.numel(),
        lambda: 1 in s,
        lambda: torch.ones(2).__setitem__(0, s),
    ):
        with pytest.raises(KeyError):
            function()
    with pytest.raises(RuntimeError):
        made(Plain).view(3)
    assert type(made(Plain) + 1) is Plain


# ---- for functions in Python -------------------------------------------------------------------------------
def test_helpers():
    s, t = made(Listening), torch.ones(2)
    assert has_torch_function((t, s)) and not has_torch_function((t, 1)) and has_torch_function_unary(s)
    assert has_torch_function_variadic(t, s) and not has_torch_function_variadic(t, t, "x")
    assert is_tensor_like(t) and is_tensor_like(s) and is_tensor_like(Diagonal(1, 2)) and not is_tensor_like([1])

    def double(x, *, by=2):
        if has_torch_function((x,)):
            return handle_torch_function(double, (x,), x, by=by)
        return x * by

    assert type(double(s, by=3)) is Listening and heard[0][0] is double and heard[0][3] == {"by": 3}

    @wrap_torch_function(lambda x: (x,))
    def halve(x):
        return x / 2

    assert type(halve(s)) is Listening and halve(torch.ones(1)).item() == 0.5
    assert resolve_name(torch.add) == "torch.add" and resolve_name(torch.Tensor.add) == "torch.Tensor.add"
    assert is_tensor_method_or_property(torch.Tensor.add) and not is_tensor_method_or_property(torch.add)
    functions = get_overridable_functions()
    assert torch.add in functions[torch] and torch.Tensor.add in functions[torch.Tensor]
    assert torch.tensor in get_ignored_functions() and torch.add not in get_ignored_functions()
    assert torch.zeros not in functions[torch]


class Counting(TorchFunctionMode):
    def __init__(self):
        super().__init__()
        self.calls = []

    def __torch_function__(self, func, types, args=(), kwargs=None):
        self.calls.append(func.__name__)
        return func(*args, **(kwargs or {}))


def test_modes():
    with Counting() as outer:
        a = torch.ones(2)
        b = torch.add(a, 1) * 2
        with Counting() as inner:
            c = b.sum()
        with torch._C.DisableTorchFunction():
            torch.zeros(1)
        seen = []
        thread = threading.Thread(target=lambda: seen.append(torch.zeros(2)))  # a thread's own
        thread.start()
        thread.join()
    torch.zeros(3)
    assert outer.calls == ["ones", "add", "mul", "sum"] and inner.calls == ["sum"]
    assert type(c) is T and c.item() == 8 and seen[0].tolist() == [0, 0]

    class Replacing(TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs=None):
            if func is torch.randn:
                return torch.zeros(*args)
            return func(*args, **(kwargs or {}))

    with Replacing():
        assert torch.randn(3).tolist() == [0, 0, 0]
        assert type(made(Plain) + 1) is Plain
    with pytest.raises(ZeroDivisionError), Counting():
        raise ZeroDivisionError
    assert torch._C._len_torch_function_stack() == 0


# ---- attributes, copies, pickles ---------------------------------------------------------------------------
class Named(torch.Tensor):
    """With an attribute."""

    def __new__(cls, data, label="none"):
        tensor = torch.as_tensor(data).as_subclass(cls)
        tensor.label = label
        return tensor

    def new_empty(self, *size, **options):
        """What PyTorch's deepcopy makes a new one with."""
        return Named(torch.empty(*size, **options))


def test_attributes_are_kept():
    s = Named([1.0, 2.0], "x")
    assert s.label == "x" and type(s) is Named and not hasattr(s + 1, "label") and type(s + 1) is Named
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        got = pickle.loads(pickle.dumps(s, protocol))
        assert type(got) is Named and got.label == "x" and got.tolist() == [1, 2]
    shallow = copy.copy(s)
    assert type(shallow) is Named and shallow.label == "x" and shallow.data_ptr() == s.data_ptr()
    deep = copy.deepcopy(s)
    assert type(deep) is Named and deep.label == "x" and deep.data_ptr() != s.data_ptr() and deep.tolist() == [1, 2]


def test_methods_of_the_type_itself():
    class Adding(torch.Tensor):
        def add(self, other):
            return super().add(other) + 1

        def __mul__(self, other):
            return "mine"

        @property
        def first(self):
            return self[0]

    s = torch.ones(2).as_subclass(Adding)
    assert s.add(1).tolist() == [3, 3]
    assert s * 2 == "mine" and type(s.first) is Adding and type(s + 1) is Adding


def test_modes_are_listed_and_left_for_a_while():
    class Mode(torch.overrides.TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs=None):
            return 42 if func is torch.add else func(*args, **(kwargs or {}))

    x = torch.ones(1)
    assert torch.overrides._get_current_function_mode() is None
    with Mode() as mode:
        assert torch.overrides._get_current_function_mode() is mode
        assert torch.overrides._get_current_function_mode_stack() == [mode]
        assert torch.add(x, 1) == 42
        with torch.overrides._pop_mode_temporarily() as left, torch.overrides.enable_reentrant_dispatch():
            assert left is mode
            assert torch.add(x, 1).item() == 2
        assert torch.add(x, 1) == 42


def test_redispatch_skips_one_level():
    class Logging(torch.Tensor):
        heard = []  # noqa: RUF012

        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            cls.heard.append(func)
            return torch.overrides.redispatch_function(func, types, args, kwargs)

    x = torch.ones(2).as_subclass(Logging)
    Logging.heard.clear()
    torch.nn.functional.normalize(x, dim=0)
    assert Logging.heard[0] is torch.nn.functional.normalize
    assert len(Logging.heard) > 1


def test_testing_overrides():
    overrides = torch.overrides.get_testing_overrides()
    assert overrides.keys() == {f for fs in torch.overrides.get_overridable_functions().values() for f in fs}
    assert overrides[torch.add](1, 2) == -1

    class First:
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            return None

    class Second(First):
        pass

    a, b, x = First(), Second(), torch.ones(1)
    assert torch.overrides._get_overloaded_args([a, b, x, 3, First()]) == [b, a, x]


def test_wrapper_subclasses_are_taken_apart():
    from torch.utils import _python_dispatch as dispatch

    class Pair(torch.Tensor):
        def __tensor_flatten__(self):
            return ["inner"], None

        @staticmethod
        def __tensor_unflatten__(inner, context, size, stride):
            made = inner["inner"].as_subclass(Pair)
            made.inner = inner["inner"]
            return made

    pair = torch.ones(2).as_subclass(Pair)
    pair.inner = torch.ones(2)
    assert dispatch.is_traceable_wrapper_subclass(pair)
    assert not dispatch.is_traceable_wrapper_subclass(torch.ones(2))
    assert dispatch.transform_subclass(pair, lambda name, t: t * 2).inner.tolist() == [2, 2]
