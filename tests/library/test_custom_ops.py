"""torch.library.custom_op: calls, gradients, fakes, what is written, and schemas that lie."""

import warnings
from typing import List, Optional, Sequence, Tuple, Union  # noqa: UP035 - older annotations are schemas, too

import pytest
import torch
from torch import Tensor


@pytest.fixture
def square(ns):
    @torch.library.custom_op(f"{ns}::square", mutates_args=())
    def square(x: Tensor, by: float = 1.0, *, n: int | None = None) -> Tensor:
        return torch.from_numpy(x.numpy() ** 2 * by)

    return square


def test_a_call_and_its_names(square, ns):
    x = torch.tensor([1.0, 2.0])
    packet = getattr(torch.ops, ns).square
    assert str(packet.default._schema) == f"{ns}::square(Tensor x, float by=1., *, SymInt? n=None) -> Tensor"
    assert packet.overloads() == ["default"] and packet.default.name() == f"{ns}::square"
    assert packet.default.tags == [torch.Tag.pt2_compliant_tag]
    for call in (square, packet, packet.default):
        torch.testing.assert_close(call(x, by=3), torch.tensor([3.0, 12.0]))
    assert repr(square) == f"<CustomOpDef({ns}::square)>"


@pytest.mark.parametrize(
    "args, kwargs, text",
    [
        (("a",), {}, "Expected a value of type 'Tensor' for argument 'x' but instead found type 'str'"),
        ((1.0, "a"), {}, "for argument 'x' but instead found type 'float'"),
        ((), {}, "is missing value for argument 'x'"),
        ((torch.ones(1), 2.0, 3), {}, r"takes 2 positional argument\(s\) but 3 was/were given"),
        ((torch.ones(1),), {"z": 1}, "Unknown keyword argument 'z'"),
        ((torch.ones(1),), {"x": 1}, "Argument 'x' specified both as positional and keyword argument"),
        ((torch.ones(1),), {"n": 1.5}, "for argument 'n' but instead found type 'float'"),
    ],
)
def test_arguments_are_checked(square, args, kwargs, text):
    with pytest.raises(RuntimeError, match=text):
        square(*args, **kwargs)


def test_gradients(square):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = square(x)
    assert "GeneratedBackwardFor" in y.grad_fn.name()
    with pytest.raises(RuntimeError, match="Trying to backward through .*square.default but no autograd formula"):
        y.sum().backward()
    seen = []

    def setup_context(ctx, inputs, keyword_only_inputs, output):
        seen.append((len(inputs), inputs[1], keyword_only_inputs, output.requires_grad))
        ctx.save_for_backward(inputs[0])

    def backward(ctx, grad):
        seen.append(ctx.needs_input_grad)
        return 2 * ctx.saved_tensors[0] * grad, None

    square.register_autograd(backward, setup_context=setup_context)
    square(x, n=1).sum().backward()
    torch.testing.assert_close(x.grad, torch.tensor([2.0, 4.0]))
    assert seen == [(2, 1.0, {"n": 1}, False), (True, False)]
    with torch.no_grad():
        assert not square(x).requires_grad
    assert not square(x.detach()).requires_grad and len(seen) == 2


def test_second_derivatives(ns):
    @torch.library.custom_op(f"{ns}::cube", mutates_args=())
    def cube(x: Tensor) -> Tensor:
        return torch.from_numpy(x.numpy() ** 3)

    cube.register_autograd(
        lambda ctx, grad: 3 * ctx.saved_tensors[0] ** 2 * grad,
        setup_context=lambda ctx, inputs, output: ctx.save_for_backward(*inputs),
    )
    assert torch.autograd.gradgradcheck(cube, torch.rand(3, dtype=torch.float64, requires_grad=True))


def test_lists_of_tensors(ns):
    @torch.library.custom_op(f"{ns}::scaled", mutates_args=())
    def scaled(xs: Sequence[Tensor], by: Sequence[float]) -> Tuple[Tensor, List[Tensor]]:  # noqa: UP006
        return xs[0] + 1, [x * by[0] for x in xs]

    needs = []

    def backward(ctx, one, many):
        needs.append(ctx.needs_input_grad)
        return [grad * 2 for grad in many], None

    scaled.register_autograd(backward)
    x, y = torch.ones(2, requires_grad=True), torch.ones(2)
    one, many = scaled((x, y), (2,))
    assert type(many) is list and one.requires_grad
    many[0].sum().backward()
    assert x.grad.tolist() == [2, 2] and needs == [([True, False], False)]
    with pytest.raises(RuntimeError, match=r"Expected a value of type 'List\[Tensor\]' for argument 'xs'"):
        scaled(x, [2])


@pytest.mark.parametrize(
    "found, text",
    [
        (lambda ctx, grad: grad, r"incorrect number of gradients \(expected 2, got 1\)"),
        (lambda ctx, grad: (grad, 3), "a gradient different than None"),
    ],
)
def test_wrong_backwards(ns, found, text):
    @torch.library.custom_op(f"{ns}::times", mutates_args=())
    def times(x: Tensor, n: int) -> Tensor:
        return x * n

    times.register_autograd(found)
    with pytest.raises(RuntimeError, match=text):
        times(torch.ones(2, requires_grad=True), 2).sum().backward()


def test_fakes(square):
    x = torch.ones(2, 3, device="meta")
    with pytest.raises(RuntimeError, match="There was no fake impl registered for <CustomOpDef"):
        square(x)

    @square.register_fake
    def _(x, by=1.0, *, n=None):
        return torch.empty_like(x)

    assert square(x).shape == (2, 3) and square(x).is_meta

    @square.register_fake
    def _(x, by=1.0, *, n=None):
        return x.new_empty(torch.library.get_ctx().new_dynamic_size())

    with pytest.raises(RuntimeError, match="data-dependent shape"):
        square(x)
    with pytest.raises(RuntimeError, match="get_ctx"):
        torch.library.get_ctx()


def test_what_is_written_counts_versions(ns):
    @torch.library.custom_op(f"{ns}::fill", mutates_args={"x"})
    def fill(x: Tensor, value: float) -> None:
        x.numpy()[:] = value

    x = torch.ones(2)
    assert fill(x, 5) is None and x.tolist() == [5, 5] and x._version == 1
    assert str(fill._opoverload._schema) == f"{ns}::fill(Tensor(a0!) x, float value) -> ()"
    with pytest.raises(RuntimeError, match="Cannot register autograd formula for non-functional operator"):
        fill.register_autograd(lambda ctx: None)
    w = torch.ones(2, requires_grad=True)
    y = (w * x).sum()
    fill(x, 6)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.backward()


@pytest.mark.parametrize("made", [lambda x: x, lambda x: x[:1], lambda x: x.view(-1)])
def test_results_that_are_aliases_are_refused(ns, made):
    operator = torch.library.custom_op(f"{ns}::alias", made, mutates_args=(), schema="(Tensor x) -> Tensor")
    with pytest.raises(RuntimeError, match="may not alias any inputs"):
        operator(torch.ones(2))


def test_results_are_checked(ns):
    operator = torch.library.custom_op(f"{ns}::three", lambda x: 3, mutates_args=(), schema="(Tensor x) -> Tensor")
    with pytest.raises(RuntimeError, match="Unable to cast 3 to Tensor"):
        operator(torch.ones(2))


def test_schemas_that_contradict(ns):
    with pytest.raises(ValueError, match="mutates_args"):
        torch.library.custom_op(f"{ns}::a", lambda x: None, mutates_args={"x"}, schema="(Tensor x) -> ()")
    with pytest.raises(NotImplementedError, match="kwarg-only Tensor args"):
        torch.library.custom_op(f"{ns}::a", lambda x: None, mutates_args=(), schema="(*, Tensor x) -> ()")
    with pytest.raises(AttributeError):  # nothing is left of either
        getattr(torch.ops, ns).a  # noqa: B018


def test_kernels_of_devices(ns):
    @torch.library.custom_op(f"{ns}::where", mutates_args=(), device_types="cuda")
    def where(x: Tensor) -> Tensor:
        return x + 1

    with pytest.raises(NotImplementedError, match="Could not run '.*where' with arguments from the 'CPU' backend"):
        where(torch.ones(1))

    @where.register_kernel("cpu")
    def _(x):
        return x + 2

    assert where(torch.ones(1)).item() == 3
    with where.set_kernel_enabled("cpu", False):
        assert where(torch.ones(1)).item() == 2
    assert where(torch.ones(1)).item() == 3


def test_tensors_are_made_on_the_device_that_is_named(ns):
    @torch.library.custom_op(f"{ns}::make", mutates_args=())
    def make(n: int, device: torch.device) -> Tensor:
        return torch.ones(n, device=device)

    make.register_fake(lambda n, device: torch.empty(n, device=device))
    assert make(2, "cpu").tolist() == [1, 1] and make(2, "meta").is_meta


def test_autocast(square):
    square.register_autocast("cpu", torch.bfloat16)
    square.register_kernel("cpu")(lambda x, by=1.0, *, n=None: x * x)
    x = torch.ones(2)
    assert square(x).dtype == torch.float32
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert square(x).dtype == torch.bfloat16
    with pytest.raises(ValueError, match="Unknown device type"):
        square.register_autocast("meta", torch.bfloat16)


def test_a_definition_replaces_the_one_before(ns):
    for value in (1, 2):
        operator = torch.library.custom_op(
            f"{ns}::again", lambda x, value=value: x + value, mutates_args=(), schema="(Tensor x) -> Tensor"
        )
    assert operator(torch.zeros(1)).item() == getattr(torch.ops, ns).again(torch.zeros(1)).item() == 2


class Wrapped(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        cls.seen = func
        return super().__torch_function__(func, types, args, kwargs or {})


def test_torch_function_hears_of_it(ns):
    operator = torch.library.custom_op(f"{ns}::f", lambda x: x + 1, mutates_args=(), schema="(Tensor x) -> Tensor")
    result = operator(torch.ones(2).as_subclass(Wrapped))
    assert Wrapped.seen is operator._opoverload and type(result) is Wrapped


def test_refused_by_name(square):
    for call in (
        lambda: square.register_vmap(lambda: None),
        lambda: torch.library.register_vmap(square, lambda: None),
        lambda: square.register_torch_dispatch(Wrapped),
        lambda: torch.library.triton_op("a::b", mutates_args=()),
        lambda: torch.library.wrap_triton(len),
        lambda: torch._library.register_fake_class("a::b"),
    ):
        with pytest.raises(NotImplementedError):
            call()


def everything(
    a: Tensor,
    b: Optional[Tensor],  # noqa: UP045
    c: Sequence[int],
    d: "list[float]",
    e: torch.dtype,
    f: torch.device,
    g: Union[int, float, bool],  # noqa: UP007
    h: "int | None" = None,
    i: float = 1e-5,
    j: str = "q",
    *,
    k: bool = True,
    l: torch.dtype = torch.float32,  # noqa: E741
) -> Tuple[Tensor, List[Tensor], int]:  # noqa: UP006
    ...


@pytest.mark.parametrize(
    "mutates, text",
    [
        ((), "Tensor a, Tensor? b"),
        ({"a", "b"}, "Tensor(a0!) a, Tensor(a1!)? b"),
        ("unknown", "Tensor(a0!) a, Tensor(a1!)? b"),
    ],
)
def test_infer_schema(mutates, text):
    found = torch.library.infer_schema(everything, mutates_args=mutates, op_name="a::b")
    assert found == (
        f"a::b({text}, SymInt[] c, float[] d, ScalarType e, Device f, Scalar g, SymInt? h=None, float i=1e-05, "
        'str j="q", *, bool k=True, ScalarType l=float32) -> (Tensor, Tensor[], SymInt)'
    )


def bad_default(x: Tensor, y: Sequence[int] = (1, 2)) -> Tensor: ...
def no_annotation(x) -> Tensor: ...
def no_result(x: Tensor): ...
def a_dict(x: dict) -> Tensor: ...
def a_tuple(x: Tuple[int, int]) -> Tensor: ...  # noqa: UP006
def returns_dict(x: Tensor) -> dict: ...
def star(*x: Tensor) -> Tensor: ...
def writes_int(x: int) -> Tensor: ...


@pytest.mark.parametrize(
    "function, mutates, text",
    [
        (bad_default, (), "unsupported default value type <class 'tuple'>"),
        (no_annotation, (), "Parameter x must have a type annotation"),
        (no_result, (), "No return type annotation was provided"),
        (a_dict, (), "Parameter x has unsupported type <class 'dict'>"),
        (a_tuple, (), r"list\[int\]"),
        (returns_dict, (), "Return has unsupported type <class 'dict'>"),
        (star, (), "varargs"),
        (writes_int, {"x"}, "only Tensors or collections of Tensors can be mutated"),
        (writes_int, {"y"}, "in mutates_args were not found"),
    ],
)
def test_infer_schema_refuses(function, mutates, text):
    with pytest.raises(ValueError, match=text):
        torch.library.infer_schema(function, mutates_args=mutates)


def test_opcheck(ns):
    @torch.library.custom_op(f"{ns}::transposed", mutates_args=())
    def transposed(x: Tensor) -> Tensor:
        return x.t().clone(memory_format=torch.contiguous_format)

    transposed.register_fake(lambda x: x.new_empty(x.shape[1], x.shape[0]))
    x = torch.rand(2, 3, requires_grad=True)
    found = torch.library.opcheck(transposed, (x,))
    assert found == dict.fromkeys(("test_schema", "test_autograd_registration", "test_faketensor"), "SUCCESS")

    wrong = {
        "Shapes": lambda x: x.new_empty(2, 2),
        "Dtypes": lambda x: x.new_empty(3, 2, dtype=torch.float64),
        "Strides": lambda x: x.new_empty(2, 3).t(),
    }
    for what, fake in wrong.items():
        transposed.register_fake(fake)
        with pytest.raises(
            Exception, match=f"test_faketensor failed with .*transposed.default.*{what} .* are not equal"
        ):
            torch.library.opcheck(transposed, (x,))
        found = torch.library.opcheck(transposed, (x,), raise_exception=False)
        assert found["test_schema"] == "SUCCESS" and what in str(found["test_faketensor"])
    with pytest.raises(NotImplementedError, match="test_aot_dispatch_dynamic"):
        torch.library.opcheck(transposed, (x,), test_utils="test_aot_dispatch_dynamic")


def test_opcheck_finds_what_is_written_undeclared(ns):
    @torch.library.custom_op(f"{ns}::sneaky", mutates_args=())
    def sneaky(x: Tensor, y: Tensor) -> Tensor:
        return x.add_(1) + y

    x = torch.ones(2)
    with pytest.raises(Exception, match="Argument x is not defined as mutable but was mutated"):
        torch.library.opcheck(sneaky, (x, x), test_utils="test_schema")
    assert x.tolist() == [1, 1]  # the arguments were copies


def test_opcheck_finds_gradients_by_chance(ns):
    torch.library.define(f"{ns}::f", "(Tensor x) -> Tensor")
    torch.library.impl(f"{ns}::f", "cpu", lambda x: x * 2)
    with warnings.catch_warnings(), pytest.raises(Exception, match="test_autograd_registration"):
        torch.library.opcheck(getattr(torch.ops, ns).f.default, (torch.ones(2, requires_grad=True),))


@pytest.mark.parametrize("name", ["_sparse_addmm", "_sparse_mm_reduce_impl"])
def test_operators_on_sparse_tensors_are_names(name):
    """torch_geometric makes a table of what it does for them."""
    operator = getattr(torch.ops.aten, name).default
    assert {operator: 1}[getattr(torch.ops.aten, name).default] == 1
    x, y = torch.eye(2).to_sparse(), torch.ones(2, 2)
    if name == "_sparse_addmm":
        assert (operator(y, x, y, beta=2, alpha=3) == 5).all()
    else:
        with pytest.raises(NotImplementedError, match=f"aten::{name}: torch.sparse.mm has the product"):
            operator(x, y, "sum")
