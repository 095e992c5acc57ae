"""TORCH_LIBRARY: operators that C++ registers, called from Python and from C++, with kernels of both."""

import shutil
import warnings
from pathlib import Path

import pytest
import torch
from torch.utils import cpp_extension

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def ext(tmp_path_factory):
    folder = tmp_path_factory.mktemp("operators")
    path = cpp_extension.load(
        "ext_operators",
        [str(HERE / "operators.cpp")],
        extra_cflags=["-O0"],
        build_directory=str(folder),
        is_python_module=False,
    )
    with pytest.raises(RuntimeError) as caught:
        torch.ops.load_library(path)
    caught.match("Inferred operator schema for a C\\+\\+ kernel function doesn't match the expected function schema")
    caught.match("ext_liar::f\\(Tensor x\\) -> Tensor.*\n.*\\(Tensor _0, int _1\\) -> Tensor")
    caught.match("operators.cpp:[0-9]+: expected .* but found '->'")
    torch.ops.load_library(path)  # said once
    assert str(Path(path).resolve()) in torch.ops.loaded_libraries
    return torch.ops.ext


def test_schemas(ext):
    assert str(ext.scale.default._schema) == "ext::scale(Tensor x, float by=2.) -> Tensor"
    assert str(ext.twice.default._schema) == "ext::twice(Tensor _0) -> Tensor"
    assert ext.plus.overloads() == ["number", "both"]
    assert torch._C._dispatch_has_kernel_for_dispatch_key("ext::scale", "CPU")
    assert not torch._C._dispatch_has_kernel_for_dispatch_key("ext::scale", "CUDA")
    with pytest.raises(RuntimeError, match="Only a single TORCH_LIBRARY"):
        torch.library.Library("ext", "DEF")
    assert not hasattr(torch.ops.ext_broken, "f")


def test_kernels_and_gradients(ext):
    x = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64, requires_grad=True)
    y = ext.scale(x, 3)
    assert y.tolist() == [3, 6, 9] and y.grad_fn is not None
    y.sum().backward()
    assert x.grad.tolist() == [3, 3, 3]
    assert torch.autograd.gradgradcheck(ext.scale, (x,))
    for call in (ext.twice, lambda x: ext.calls(x, "ext::twice")):
        x.grad = None
        call(x).sum().backward()
        assert x.grad.tolist() == [2, 2, 2]
    with torch.no_grad():
        assert not ext.scale(x).requires_grad
    assert ext.plus(x.detach(), 1.5).tolist() == [2.5, 3.5, 4.5] and ext.plus(x, x).tolist() == [2, 4, 6]
    assert ext.nothing(x) is None


def test_every_type(ext):
    t = torch.ones(3)
    text, n, tensors = ext.everything(t, 4, [1.5], "word", torch.int64, "cpu", 2, True, [t, t])
    assert text == "3 [4, 4] 1 word Long 1 2 1 2 -1 0" and n == 7 and len(tensors) == 2 and tensors[0] is t
    text, n, tensors = ext.everything(None, [1, 2], [], "", torch.bool, None, 2.5, False, [], [3], [None, t], n=9)
    assert text == "-1 [1, 2] 0  Bool -1 2.5 0 0 1 2" and n == 9 and tensors == []


def test_the_older_way(ext):
    older = torch.ops.ext_older
    assert str(older.older.default._schema) == "ext_older::older(Tensor _0, int[] _1) -> (Tensor, bool, float)"
    picked, wanted, total = older.older(torch.arange(4.0, requires_grad=True), [3, 1, 1])
    assert picked.tolist() == [3, 1, 1] and wanted is True and total == 5
    x = torch.zeros(2, requires_grad=True)
    older.plus_one(x).sum().backward()
    assert x.grad.tolist() == [1, 1]


def test_writing(ext):
    x = torch.zeros(2)
    assert ext.add_one_(x) is x and x.tolist() == [1, 1] and x._version == 1


def test_errors(ext):
    with pytest.raises(ValueError, match="by must not be 13"):
        ext.scale(torch.ones(1), 13)
    with pytest.raises(NotImplementedError, match="\"scale\" not implemented for 'Long'"):
        ext.scale(torch.ones(1, dtype=torch.int64))
    with pytest.raises(RuntimeError, match="Expected a value of type 'float' for argument 'by'"):
        ext.scale(torch.ones(1), "x")
    with pytest.raises(RuntimeError, match="Could not find schema for no::such"):
        ext.calls(torch.ones(1), "no::such")
    with pytest.raises(NotImplementedError, match="'Meta' backend.*Importing a.module.of.python may register more"):
        ext.nothing(torch.ones(1, device="meta"))


def test_python_adds_kernels_and_is_called_from_cpp(ext):
    meta = torch.ones(2, 3, device="meta")
    with pytest.raises(NotImplementedError, match="'ext::scale' with arguments from the 'Meta' backend"):
        ext.twice(meta)
    with torch.library._scoped_library("ext", "IMPL") as lib:
        torch.library.register_fake("ext::scale", lambda x, by=2.0: torch.empty_like(x), lib=lib)
        assert ext.scale(meta).shape == ext.twice(meta).shape == ext.calls(meta, "ext::twice").shape == (2, 3)
        x = torch.rand(3, requires_grad=True)
        found = torch.library.opcheck(ext.scale.default, (x, 3.0))
        assert set(found.values()) == {"SUCCESS"}
        ext.twice(x).sum().backward()  # by way of Python now, and recorded in C++ as before
        assert x.grad.tolist() == [2, 2, 2]

    @torch.library.custom_op("tests_ext::negated", mutates_args=())
    def negated(x: torch.Tensor) -> torch.Tensor:
        assert not torch.is_grad_enabled()
        if x.numel() == 1:
            raise KeyError("one")
        return -x

    negated.register_autograd(lambda ctx, grad: grad * -5)
    x = torch.ones(2, requires_grad=True)
    y = ext.calls(x, "tests_ext::negated")
    y.sum().backward()
    assert y.tolist() == [-1, -1] and x.grad.tolist() == [-5, -5]
    with pytest.raises(KeyError, match="one"):
        ext.calls(torch.ones(1), "tests_ext::negated")


def test_autocast(ext):
    x = torch.ones(2)
    assert ext.cast(x).dtype == torch.float32
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert ext.cast(x).dtype == ext.calls(x, "ext::cast").dtype == torch.bfloat16


def test_operators_without_a_gradient_warn(ext):
    x = torch.ones(2, requires_grad=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        y = ext.cast(x)
    with pytest.warns(UserWarning, match="ext::cast: an autograd kernel was not registered"):
        y.sum().backward()


def test_libraries_that_cannot_be_loaded(tmp_path, run):
    with pytest.raises(OSError, match="Could not load this library: .*missing.so"):
        torch.ops.load_library(tmp_path / "missing.so")
    (tmp_path / "text.so").write_text("no library")
    with pytest.raises(OSError, match="no shared object"):
        torch.ops.load_library(tmp_path / "text.so")
    # What is linked with PyTorch's own libraries says so by their names.
    compiler = shutil.which("cc") or shutil.which("gcc")
    (tmp_path / "empty.c").write_text("int empty;")
    for name in ("libc10.so", "libtorch_cpu.so"):
        run(compiler, "-shared", "-o", tmp_path / name, f"-Wl,-soname,{name}", tmp_path / "empty.c")
    made = tmp_path / "prebuilt.so"
    needed = [tmp_path / "libc10.so", tmp_path / "libtorch_cpu.so"]
    run(compiler, "-shared", "-o", made, tmp_path / "empty.c", "-Wl,--no-as-needed", *needed)
    with pytest.raises(OSError, match="compiled for PyTorch's own binaries: it needs libc10.so, libtorch_cpu.so"):
        torch.ops.load_library(made)
    assert str(made) not in torch.ops.loaded_libraries
