"""torch.library.Library and its functions: definitions, kernels by dispatch key, what a library takes back."""

import subprocess
import sys

import pytest
import torch
from torch._operators import SCHEMAS
from torch.library import Library


@pytest.fixture
def lib(ns):
    library = Library(ns, "DEF")
    yield library
    library._destroy()


def test_overloads(lib, ns):
    assert lib.define("f(Tensor x, Tensor? y=None) -> Tensor") == "f"
    assert lib.define("f.number(Tensor x, int y) -> Tensor") == "f"
    lib.impl("f", lambda x, y=None: x if y is None else x + y, "CPU")
    lib.impl("f.number", lambda x, y: x * y, "CPU")
    f = getattr(torch.ops, ns).f
    assert f.overloads() == ["default", "number"]
    one = torch.ones(1)
    assert f(one, one).item() == 2 and f(one, 7).item() == 7 and f.number(one, 5).item() == 5
    with pytest.raises(RuntimeError, match="failed to match any schema"):
        f("a")
    with pytest.raises(AttributeError, match="has no overload name 'other'"):
        f.other  # noqa: B018


def test_one_definition_for_a_name_and_one_owner_for_a_namespace(lib, ns):
    lib.define("f(Tensor x) -> Tensor")
    with pytest.raises(RuntimeError, match="with the same name and overload name multiple times"):
        lib.define("f(Tensor x, int y) -> Tensor")
    with pytest.raises(RuntimeError, match="Only a single TORCH_LIBRARY can be used to register the namespace"):
        Library(ns, "DEF")
    with pytest.raises(RuntimeError, match="does not match namespace of enclosing TORCH_LIBRARY block"):
        lib.define("other::g(Tensor x) -> Tensor")
    with pytest.raises(ValueError, match="Unsupported kind"):
        Library(ns, "OTHER")
    with pytest.raises(ValueError, match="reserved namespace"):
        Library("prim", "DEF")
    with pytest.raises(RuntimeError, match="could not parse dispatch key: Nope"):
        lib.impl("f", len, "Nope")
    with pytest.raises(TypeError, match="callable"):
        lib.impl("f", 3, "CPU")
    lib.impl("f", lambda x: x, "CPU")
    with pytest.raises(RuntimeError, match="already a kernel registered"):
        lib.impl("f", lambda x: x, "CPU", allow_override=False)


def test_what_a_library_takes_back(ns):
    library = Library(ns, "DEF")
    library.define("f(Tensor x) -> Tensor")
    library.impl("f", lambda x: x + 1, "CPU")
    more = Library(ns, "IMPL", "CPU")
    more.impl("f", lambda x: x + 2)
    f = getattr(torch.ops, ns).f
    assert f(torch.zeros(1)).item() == 2
    more._destroy()
    assert f(torch.zeros(1)).item() == 1
    del library
    with pytest.raises(AttributeError):
        getattr(torch.ops, ns).f  # noqa: B018
    Library(ns, "DEF")._destroy()  # the namespace is free
    with pytest.raises(AssertionError, match="destroyed"):
        more.impl("f", lambda x: x)


def test_composite_kernels_are_recorded_and_others_warn(lib, ns):
    lib.define("implicit(Tensor x) -> Tensor")
    lib.impl("implicit", lambda x: x * 3)
    lib.define("backend(Tensor x) -> Tensor")
    lib.impl("backend", lambda x: x * 3, "CPU")
    lib.define("opaque(Tensor x) -> Tensor")
    lib.impl("opaque", lambda x: torch.from_numpy(x.detach().numpy() * 3), "CPU")
    operators = getattr(torch.ops, ns)
    x = torch.ones(2, requires_grad=True)
    operators.implicit(x).sum().backward()
    assert x.grad.tolist() == [3, 3]
    with pytest.warns(UserWarning, match="an autograd kernel was not registered to the Autograd key"):
        operators.backend(x).sum().backward()
    assert x.grad.tolist() == [6, 6]
    y = operators.opaque(x)
    assert y.grad_fn.name().startswith("WarnNotImplemented")
    with pytest.warns(UserWarning, match="opaque: an autograd kernel was not registered"):
        y.sum().backward()
    assert x.grad.tolist() == [6, 6]
    lib.impl("opaque", torch.library.fallthrough_kernel, "Autograd")
    assert not operators.opaque(x).requires_grad


def test_a_kernel_for_autograd_calls_below_it(lib, ns):
    lib.define("f(Tensor x) -> Tensor")
    lib.impl("f", lambda x: x * 2, "CPU")
    calls = []

    def recorded(x):
        calls.append(torch._C._dispatch_tls_is_dispatch_key_excluded("AutogradCPU"))
        with torch._C._AutoDispatchBelowAutograd():
            assert torch._C._dispatch_tls_is_dispatch_key_excluded("AutogradCPU")
            return getattr(torch.ops, ns).f(x)

    lib.impl("f", recorded, "Autograd")
    y = getattr(torch.ops, ns).f(torch.ones(2, requires_grad=True))
    assert y.tolist() == [2, 2] and not y.requires_grad and calls == [False] and torch.is_grad_enabled()


def test_dispatch_by_device_and_what_programs_ask(lib, ns):
    lib.define("f(Tensor x) -> Tensor")
    lib.impl("f", lambda x: x * 2, "CPU")
    name = f"{ns}::f"
    f = getattr(torch.ops, ns).f
    with pytest.raises(NotImplementedError, match="with arguments from the 'Meta' backend"):
        f(torch.ones(2, device="meta"))
    torch.library.register_fake(name, torch.empty_like, lib=lib)
    assert f(torch.ones(2, device="meta")).is_meta
    has = torch._C._dispatch_has_kernel_for_dispatch_key
    assert [has(name, key) for key in ("CPU", "Meta", "Autograd", "CUDA")] == [True, True, False, False]
    assert f.default.has_kernel_for_dispatch_key(torch._C.DispatchKey.CPU)
    assert torch._C._dispatch_has_kernel(name) and not torch._C._dispatch_has_kernel(f"{ns}::g")
    with pytest.raises(RuntimeError, match="does not exist"):
        has(f"{ns}::g", "CPU")
    keys = torch._C._dispatch_keys(torch.ones(1))
    assert repr(keys) == "DispatchKeySet(CPU, ADInplaceOrView, AutogradCPU, AutocastCPU)"
    assert keys.has(torch._C.DispatchKey.CPU) and torch._C._dispatch_key_for_device("cuda") == "CUDA"
    kernel = torch.library.get_kernel(name, "CPU")
    assert kernel.call_boxed(keys, torch.ones(1)).item() == 2


def test_functions_over_names(ns):
    torch.library.define(f"{ns}::f", "(Tensor x) -> Tensor")

    @torch.library.impl(f"{ns}::f", "cpu")
    def computed(x):
        return x + 1

    torch.library.register_autograd(f"{ns}::f", lambda ctx, grad: grad * 7)
    torch.library.impl_abstract(f"{ns}::f", torch.empty_like)
    f = getattr(torch.ops, ns).f
    x = torch.ones(2, requires_grad=True)
    f(x).sum().backward()
    assert x.grad.tolist() == [7, 7] and f(torch.ones(3, device="meta")).shape == (3,)
    torch.library.register_kernel(f"{ns}::f", "cpu", lambda x: x + 2)
    assert f(torch.zeros(1)).item() == 2
    assert all(value == "SUCCESS" for value in torch.library.opcheck(f.default, (x,)).values())
    for wrong in ("nope", f"{ns}::a::b"):
        with pytest.raises(ValueError, match="Expected `qualname`"):
            torch.library.define(wrong, "() -> ()")
    with pytest.raises(ValueError, match="expected schema to look like"):
        torch.library.define(f"{ns}::g", "g() -> ()")
    with pytest.raises(RuntimeError, match="does not exist"):
        torch.library.register_fake(f"{ns}::g", len)


def test_a_fake_may_come_before_the_library_that_it_is_for(ns):
    torch.library.register_fake(f"{ns}::f", lambda x: x.new_empty(7))
    assert not hasattr(getattr(torch.ops, ns), "f")
    with torch.library._scoped_library(ns, "DEF") as lib:
        lib.define("f(Tensor x) -> Tensor")
        assert getattr(torch.ops, ns).f(torch.ones(2, device="meta")).shape == (7,)


def test_older_forms(ns):
    lib = Library(ns, "FRAGMENT")

    @torch.library.define(lib, "f(Tensor x) -> Tensor")
    def f(x):
        return x * 2

    @torch.library.impl(lib, "f", "Meta")
    def shape(x):
        return torch.empty_like(x)

    assert getattr(torch.ops, ns).f(torch.ones(1)).item() == 2
    assert getattr(torch.ops, ns).f(torch.ones(1, device="meta")).is_meta

    from torch import _custom_ops

    @_custom_ops.custom_op(f"{ns}::g")
    def g(x: torch.Tensor) -> torch.Tensor: ...

    @_custom_ops.impl(f"{ns}::g")
    def computed(x):
        return torch.from_numpy(x.detach().numpy() ** 2)

    _custom_ops.impl_save_for_backward(f"{ns}::g", func=lambda inputs, output: inputs.x)
    _custom_ops.impl_backward(f"{ns}::g", func=lambda ctx, saved, grad: {"x": 2 * saved * grad})
    x = torch.full((1,), 3.0, requires_grad=True)
    getattr(torch.ops, ns).g(x).backward()
    assert x.grad.item() == 6


def test_every_type_of_argument(ns):
    seen = []
    torch.library.define(
        f"{ns}::f",
        "(ScalarType d, Device e, Scalar s, bool b, str q, int[2] k, int[] l, Tensor?[] t, Layout? y=None, *, "
        "float f=1.5, Generator? g=None) -> (int, float, bool, str)",
    )

    @torch.library.impl(f"{ns}::f", "default")
    def f(*args, **kwargs):
        seen.append((args, kwargs))
        return 1, 2.0, True, "s"

    call = getattr(torch.ops, ns).f
    assert call(torch.float32, "cpu", 2.5, True, "q", 3, (1, 2), [None]) == (1, 2.0, True, "s")
    assert seen.pop() == ((torch.float32, torch.device("cpu"), 2.5, True, "q", [3, 3], [1, 2], [None]), {})
    call(torch.float32, "cpu", 2, True, "q", [3, 4], torch.Size([1]), [], f=torch.tensor(2.0), y=torch.strided)
    assert seen[0][0][5:] == ([3, 4], [1], [], torch.strided) and seen[0][1] == {"f": 2.0}
    for place, value in ((0, "float32"), (1, 0), (2, "1"), (3, None), (4, 1), (6, [1.5]), (6, 1)):
        args = [torch.float32, "cpu", 2.5, True, "q", 3, (1, 2), []]
        args[place] = value
        with pytest.raises(RuntimeError, match=f"Position: {place}"):
            call(*args)


@pytest.mark.parametrize(
    "schema, written",
    [
        ("f(Tensor(a!) x, int[2] k=1) -> Tensor(a!)", "f(Tensor(a!) x, int[2] k=1) -> Tensor(a!)"),
        ("a::f.o( Tensor?[] x,float y=2 )->( )", "a::f.o(Tensor?[] x, float y=2.) -> ()"),
        (
            'f(*, str s="a\\"b", float e=1e-5) -> (Tensor out, int)',
            'f(*, str s="a\\"b", float e=1.0000000000000001e-05) -> (Tensor out, int)',
        ),
        ("f(Tensor(a) x, bool b=False) -> Tensor(a)[]", "f(Tensor(a) x, bool b=False) -> Tensor(a)[]"),
    ],
)
def test_schemas_are_read_and_written(schema, written):
    assert str(torch._C.parse_schema(schema)) == written


def test_torchs_own_schemas_print_as_they_are_written():
    texts = [text for by in SCHEMAS.values() for text in by.values() if text]
    assert len(texts) > 1300
    assert [text for text in texts if str(torch._C.parse_schema(text)) != text] == []
    assert torch.ops.aten.nan_to_num.default._schema.arguments[1].name == "nan"


def test_what_a_schema_says():
    schema = torch._C.parse_schema(
        "n::f.o(Tensor(a!) x, Tensor?[] y, SymInt[2] w=0, *, ScalarType? d=None) -> Tensor(a!)"
    )
    assert (schema.name, schema.overload_name, schema.is_mutable) == ("n::f", "o", True)
    x, y, w, d = schema.arguments
    assert [str(each.type) for each in schema.arguments] == [
        "Tensor",
        "List[Optional[Tensor]]",
        "List[int]",
        "Optional[int]",
    ]
    assert (x.alias_info.is_write, y.alias_info, w.N, w.default_value, d.kwarg_only) == (True, None, 2, [0, 0], True)
    assert not x.has_default_value() and d.has_default_value() and d.type.kind() == "OptionalType"


@pytest.mark.parametrize(
    "schema, text",
    [
        ("f(Tensor x", r"expected \) or , but found 'eof'"),
        ("f", "only the operator name was given"),
        ("f(Tensr x) -> Tensor", "unknown type specifier 'Tensr'"),
        ("f(Tensor x) -> Tensor y z", "unexpected 'z'"),
        ("f(Tensor x, int x) -> Tensor", "'x' stands twice"),
        ("f(Tensor) -> Tensor", r"expected name but found '\)'"),
        ("f(int x=$) -> Tensor", r"unexpected character '\$'"),
    ],
)
def test_schemas_that_cannot_be_read(schema, text, lib, ns):
    with pytest.raises(RuntimeError, match=text):
        lib.define(schema)
    assert dir(getattr(torch.ops, ns)) == ["name"]


def test_operators_of_torch_keep_their_kernels():
    with pytest.raises(NotImplementedError, match="torch's own"):
        Library("aten", "IMPL").impl("add.Tensor", lambda x, y: x, "CPU")
    with pytest.raises(NotImplementedError, match="torch's own"):
        Library("aten", "FRAGMENT").define("mm(Tensor x) -> Tensor")
    library = Library("aten", "FRAGMENT")
    library.define("tests_library(Tensor x) -> Tensor")
    library.impl("tests_library", lambda x: x + 1, "CPU")
    assert torch.ops.aten.tests_library(torch.zeros(1)).item() == 1
    values, order = torch.ops.aten.sort.stable(torch.tensor([2, 1, 1]), stable=True)
    assert order.tolist() == [1, 2, 0]
    assert torch.ops.aten.mm.default._schema.arguments[1].name == "mat2"
    assert torch._C._dispatch_has_kernel_for_dispatch_key("aten::mm", "CPU")
    assert torch.ops.aten.mm.default.has_kernel_for_dispatch_key(torch._C.DispatchKey.Meta)
    with pytest.raises(NotImplementedError, match="torch's own"):
        torch.library.register_fake("aten::mm", lambda x, y: x)


def test_import_torch_loads_nothing_of_it():
    code = "import sys, torch; print([n for n in sys.modules if 'library' in n or n in ('torch._ops', 'torch._custom_ops')])"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "[]\n"
    code = "import torch; print(torch._C.DispatchKey.CPU, torch._C._dispatch_keys, torch.Tag.core)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).startswith("DispatchKey.CPU <function")
    with pytest.raises(AttributeError):
        torch._C.no_such_name  # noqa: B018
