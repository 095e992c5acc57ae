"""Modules of a few names: locks, logs, backtraces, what a pickle holds, packages looked at, C++ modules, Jacobians."""

import collections
import io
import logging
import os
import pickle
import sys
import threading
import time
import types

import pytest
import torch
from torch import nn
from torch._absent import is_absent
from torch.nn import functional as F


# ---- torch.utils -------------------------------------------------------------------------------------------
def test_file_baton(tmp_path):
    from torch.utils.file_baton import FileBaton

    path = str(tmp_path / "lock")
    first, second = FileBaton(path), FileBaton(path, wait_seconds=0.01, warn_after_seconds=0.02)
    assert first.try_acquire() and not second.try_acquire() and os.path.exists(path)
    threading.Timer(0.2, first.release).start()
    start = time.monotonic()
    with pytest.warns(UserWarning, match="Waited on lock file .*lock"):
        second.wait()
    assert time.monotonic() - start > 0.1 and second.try_acquire()
    second.release()
    assert not os.path.exists(path)
    with pytest.raises(FileNotFoundError):
        second.release()


def test_gradients_are_logged(caplog):
    from torch.utils.debug_log import debug_grad_log

    x, y, z = torch.ones(3, requires_grad=True), torch.full((2,), 2.0, requires_grad=True), torch.ones(2)
    assert debug_grad_log(x, z, y) is None
    with caplog.at_level(logging.INFO, "torch.utils.debug_log"):
        (x.sum() + (y * y).sum()).backward()
    assert [record.getMessage() for record in caplog.records] == [
        "[rank 0][bwd] t0_grad_norm=1.7321 t2_grad_norm=5.6569"
    ]
    assert debug_grad_log(z) is None
    with pytest.raises(TypeError, match="not int"):
        debug_grad_log(3)


def test_backtrace_of_cpp():
    from torch.utils.cpp_backtrace import get_cpp_backtrace

    seen = []
    x = torch.ones(1, requires_grad=True)
    x.register_hook(lambda grad: seen.append(get_cpp_backtrace()))
    (x * 2).backward()
    lines = seen[0].splitlines()
    assert [line.split(":")[0] for line in lines] == [f"frame #{i}" for i in range(len(lines))]
    assert any("thpp::" in line or "torch::" in line or "libtorch" in line for line in lines)
    assert "(" in lines[0] and "frame #3" not in get_cpp_backtrace(0, 3) and "frame #2" in get_cpp_backtrace(0, 3)
    with pytest.raises(ValueError, match="-1"):
        get_cpp_backtrace(-1)


def test_worker_function_of_old():
    from torch.utils.data.backward_compatibility import worker_init_fn

    with pytest.warns(FutureWarning, match="divides pipes among workers"):
        assert worker_init_fn(0) is None


def test_extensions_of_old():
    with pytest.raises(ImportError, match="torch.utils.ffi is deprecated.*cpp_extension.load_inline"):
        from torch.utils import ffi  # noqa: F401


class Held:
    def __init__(self):
        self.x = [1] * 40


def test_show_pickle(tmp_path, capsys):
    from torch.utils.show_pickle import DumpUnpickler, FakeObject, main

    path, out = str(tmp_path / "a.pkl"), io.StringIO()
    with open(path, "wb") as file:
        pickle.dump({"a": Held(), "c": 1 + 2j, "r": range(3)}, file, 2)
    assert main(["x", path], out) is None
    module = Held.__module__
    assert (
        "'c': __builtin__.complex(1.0, 2.0)," in out.getvalue() and "'r': __builtin__.xrange(0, 3, 1)" in out.getvalue()
    )
    assert f"{module}.Held" in out.getvalue()

    state, archive = io.StringIO(), str(tmp_path / "a.pt")
    torch.save(collections.OrderedDict(w=torch.ones(2)), archive)
    main(["x", archive + "@*/data.pkl"], state)
    assert "collections.OrderedDict" in state.getvalue() and "torch._utils._rebuild_tensor_v2" in state.getvalue()
    with pytest.raises(FileNotFoundError, match="nothing.*a.pt, which has"):
        main(["x", archive + "@nothing"], state)
    with pytest.raises(ValueError, match="'x'"):
        main(["x"], state)
    assert main(["x"]) == 2 and "usage: show_pickle" in capsys.readouterr().err

    bad = b"\x80\x02X\x02\x00\x00\x00\xff\xfe."
    assert isinstance(DumpUnpickler(io.BytesIO(bad), catch_invalid_utf8=True).load(), FakeObject)
    with pytest.raises(UnicodeDecodeError):
        DumpUnpickler(io.BytesIO(bad)).load()
    # nothing of the file's choosing runs
    assert repr(DumpUnpickler(io.BytesIO(b"cos\nsystem\n(S'exit 1'\ntR.")).load()) == "os.system('exit 1',)"


# ---- packages ----------------------------------------------------------------------------------------------
def test_what_a_package_needs():
    from torch.package import PackageExporter, PackageImporter, PackagingError
    from torch.package.analyze import find_first_use_of_broken_modules, trace_dependencies
    from torch.package.analyze.is_from_package import is_from_package

    file = io.BytesIO()
    with PackageExporter(file) as exporter:
        exporter.save_source_string("mine", "class A:\n    pass\n")
    file.seek(0)
    module = PackageImporter(file).import_module("mine")
    assert (
        is_from_package(module) and is_from_package(module.A()) and not is_from_package(sys) and not is_from_package(3)
    )

    with pytest.raises(PackagingError) as caught, PackageExporter(io.BytesIO()) as exporter:
        exporter.intern("first")
        exporter.deny("numpy")
        exporter.save_source_string("second", "import numpy\n")
        exporter.save_source_string("third", "import second\nimport numpy\n")
    assert find_first_use_of_broken_modules(caught.value) == {"numpy": ["second", "numpy"]}
    with pytest.raises(AssertionError, match="got ValueError"):
        find_first_use_of_broken_modules(ValueError())

    assert "textwrap" in trace_dependencies(lambda text: __import__("textwrap").dedent(text), [("  a",)])
    assert sys.getprofile() is None
    with pytest.raises(ZeroDivisionError):
        trace_dependencies(lambda x: 1 / x, [(0,)])
    assert sys.getprofile() is None


# ---- torch.nn ----------------------------------------------------------------------------------------------
def test_cpp_modules():
    from torch.nn.cpp import ModuleWrapper, OrderedDictWrapper

    inner = nn.Linear(2, 3)
    bound = types.SimpleNamespace(
        _parameters={"weight": inner.weight}, _buffers={"mean": torch.zeros(3)}, _modules={"inner": inner},
        training=True, forward=inner.forward, features=3,
    )  # fmt: skip
    bound.train = lambda mode: setattr(bound, "training", mode)
    module = ModuleWrapper(bound)
    assert isinstance(module, nn.Module) and module.features == 3
    assert [name for name, _ in module.named_parameters()] == ["weight", "inner.bias"]
    assert torch.equal(module(torch.ones(1, 2)), inner(torch.ones(1, 2)))
    module.eval()
    assert not bound.training and not module.training
    module.double()
    assert inner.weight.dtype == torch.float64
    bound._parameters["late"] = nn.Parameter(torch.ones(1))
    assert (
        "late" in module._parameters
        and len(module._parameters) == 2
        and isinstance(module._buffers, OrderedDictWrapper)
    )
    assert repr(module) == repr(bound)


@pytest.mark.parametrize("reduction", ("mean", "sum", "none"))
@pytest.mark.parametrize("labels", ("classes", "ignored", "weighted", "smooth", "probabilities"))
def test_linear_cross_entropy_by_rows(reduction, labels):
    from torch.nn.modules.linear_cross_entropy_options import LinearCrossEntropyOptions

    torch.manual_seed(0)
    x, w, b = (torch.randn(*size, dtype=torch.float64, requires_grad=True) for size in ((11, 4), (30, 4), (30,)))
    target, options = torch.randint(30, (11,)), {"linear_bias": b, "reduction": reduction}
    if labels == "ignored":
        options["ignore_index"] = int(target[0])
    elif labels == "weighted":
        options["weight"] = torch.rand(30, dtype=torch.float64)
    elif labels == "smooth":
        options |= {"label_smoothing": 0.1, "weight": torch.rand(30, dtype=torch.float64)}
    elif labels == "probabilities":
        target = torch.rand(11, 30, dtype=torch.float64).softmax(1)
    expected = F.linear_cross_entropy(x, w, target, **options)
    gradients = torch.autograd.grad(expected.sum(), (x, w, b))
    for division in (LinearCrossEntropyOptions(), LinearCrossEntropyOptions(batch_chunk_size=3, chunking_method=None)):
        found = F.linear_cross_entropy(x, w, target, options=division, **options)
        torch.testing.assert_close(found, expected)
        for mine, theirs in zip(torch.autograd.grad(found.sum(), (x, w, b)), gradients):
            torch.testing.assert_close(mine, theirs)


def test_linear_cross_entropy_divides():
    """No more than two times the input's elements of logits at once."""
    from torch.nn.modules.linear_cross_entropy_options import LinearCrossEntropyOptions

    assert LinearCrossEntropyOptions().rows(torch.ones(100, 8), 50) == 32
    assert LinearCrossEntropyOptions(chunking_method="aspect_ratio:1").rows(torch.ones(100, 8), 50) == 16
    assert LinearCrossEntropyOptions(batch_chunk_size=7).rows(torch.ones(100, 8), 50) == 7
    with pytest.raises(ValueError, match="7.*32 rows"):
        LinearCrossEntropyOptions(batch_chunk_size=7, chunking_method="aspect_ratio:2").rows(torch.ones(100, 8), 50)
    for wrong, words in (
        ({"batch_chunk_size": 0}, "batch_chunk_size must be positive int or None, got 0"),
        ({"chunking_method": "aspect_ratio:0"}, "invalid chunking_method: 'aspect_ratio:0'"),
        ({"acc_policy": "z"}, "invalid acc_policy: 'z'"),
        ({"acc_dtype": torch.int32}, "acc_dtype must be one of .* got torch.int32"),
    ):
        with pytest.raises(ValueError, match=words):
            LinearCrossEntropyOptions(**wrong)
    with pytest.raises(TypeError, match="not str"):
        F.linear_cross_entropy(torch.ones(1, 2), torch.ones(3, 2), torch.tensor([0]), options="x")


def test_common_types():
    from torch.nn.common_types import T

    assert T.__name__ == "T"


# ---- torch.autograd ----------------------------------------------------------------------------------------
@pytest.mark.filterwarnings("ignore:`get_:FutureWarning")
def test_jacobians():
    from torch.autograd.gradcheck import (
        get_analytical_jacobian,
        get_numerical_jacobian,
        get_numerical_jacobian_wrt_specific_input,
    )

    x = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
    y = torch.tensor([3.0], dtype=torch.float64, requires_grad=True)
    found = get_numerical_jacobian(lambda given: given[0] * given[1], (x, y))
    torch.testing.assert_close(found, (torch.eye(2).double() * 3, torch.tensor([[1.0, 2.0]]).double()))
    (of_y,) = get_numerical_jacobian(lambda given: given[0] * given[1], (x, y), target=y)
    torch.testing.assert_close(of_y, found[1])
    (jacobians, *checks) = get_analytical_jacobian((x, y), x * 2)
    assert [j.tolist() for j in jacobians] == [[[2, 0], [0, 2]], [[0, 0]]] and checks == [True, True, True]
    squares, sums = get_numerical_jacobian_wrt_specific_input(lambda a: (a**2, a.sum()), 0, (x,), None, 1e-6)
    torch.testing.assert_close(squares, torch.tensor([[2.0, 0], [0, 4]]).double())
    torch.testing.assert_close(sums, torch.ones(2, 1).double())
    for wrong in (
        lambda: get_numerical_jacobian(lambda given: given[0], (x,), grad_out=2.0),
        lambda: get_analytical_jacobian((x,), x, grad_out=2.0),
    ):
        with pytest.raises(ValueError, match="Expected grad_out to be 1.0"):
            wrong()
    with pytest.raises(ValueError, match="Expected output to be non-complex"):
        get_analytical_jacobian((x,), x * 1j)
    with pytest.raises(AssertionError, match="requires_grad=True"):
        get_numerical_jacobian_wrt_specific_input(lambda a: a, 0, (x.detach(),), None, 1e-6)
    with pytest.warns(FutureWarning, match="get_numerical_jacobian"):
        get_numerical_jacobian(lambda given: given[0], (x,))


@pytest.mark.parametrize("name", ("set_override_stale_capture_stream", "set_warn_on_accumulate_grad_stream_mismatch"))
def test_switches_of_streams(name):
    switch = getattr(torch.autograd.graph, name)
    assert switch(False) is None
    with pytest.raises(NotImplementedError, match=name):
        switch(True)
    with pytest.raises(RuntimeError, match="enabled must be a bool, but got str"):
        switch("x")


# ---- torch.multiprocessing.reductions ----------------------------------------------------------------------
@pytest.mark.filterwarnings("ignore:TypedStorage:UserWarning")
def test_typed_storages_are_reduced():
    from torch.multiprocessing import reductions

    storage = torch.arange(3.0).storage()
    for name in ("typed_storage", "typed_storage_child"):
        function, arguments = getattr(reductions, f"reduce_{name}")(storage)
        assert function is getattr(reductions, f"rebuild_{name}")
        if name == "typed_storage":
            again = function(*arguments)
            assert again.tolist() == [0, 1, 2] and again.dtype == torch.float32
    again = reductions.rebuild_typed_storage_child(storage.untyped(), torch.FloatStorage)
    assert again.tolist() == [0, 1, 2] and again.data_ptr() == storage.data_ptr()


@pytest.mark.parametrize("name, why", [
    ("rebuild_cuda_tensor", "memory of the CPU alone"),
    ("reduce_event", "memory of the CPU alone"),
    ("reduce_nested_tensor", "jagged"),
    ("StorageWeakRef", "weak references"),
    ("storage_from_cache", "weak references"),
])  # fmt: skip
def test_reductions_that_are_refused(name, why):
    from torch.multiprocessing import reductions

    value = getattr(reductions, name)
    assert is_absent(value) and value.__module__ == "torch.multiprocessing.reductions"
    with pytest.raises(NotImplementedError, match=f"{name}: .*{why}"):
        value(1)
