"""What scripts and libraries ask first: which devices and libraries there are. In a build for the CPU alone, questions
are answered, settings are remembered, and what needs a device raises what PyTorch's CPU build raises."""

import inspect
import os
import pathlib
import subprocess
import sys
import warnings

import pytest
import torch

HOME = str(pathlib.Path(torch.__file__).parents[1])
if torch.backends.cuda.is_built():
    pytest.skip("statements about a build without CUDA", allow_module_level=True)
ours = pytest.mark.skipif(not hasattr(torch._C, "_storage_filename"), reason="of ours alone")


def answer(text):
    """What an expression gives, or the class of what it raises."""
    try:
        return eval(text, {"torch": torch})
    except Exception as error:
        return type(error)


# ---- questions ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "question, expected",
    [
        ("torch.cuda.is_available()", False),
        ("torch.cuda.device_count()", 0),
        ("torch.cuda.is_initialized()", False),
        ("torch.cuda._initialized", False),
        ("torch.cuda.is_bf16_supported()", False),
        ("torch.cuda.get_arch_list()", []),
        ("torch.cuda.get_gencode_flags()", ""),
        ("torch.cuda.default_generators", ()),
        ("torch.cuda.get_rng_state_all()", []),
        ("torch.cuda.memory_allocated()", 0),
        ("torch.cuda.max_memory_reserved()", 0),
        ("torch.cuda.memory_stats()", {}),
        ("torch.backends.cuda.is_built()", False),
        ("torch.backends.cudnn.is_available()", False),
        ("torch.backends.cudnn.version()", None),
        ("torch.backends.cudnn.is_acceptable(torch.ones(1))", False),
        ("torch.backends.mps.is_available()", False),
        ("torch.backends.mps.is_built()", False),
        ("torch.backends.openmp.is_available()", True),
        ("torch.backends.kleidiai.is_available()", False),
        ("torch.backends.cusparselt.is_available()", False),
        ("torch.backends.mha.get_fastpath_enabled()", True),
        ("torch.backends.flags_frozen()", False),
        ("torch.mps.is_available()", False),
        ("torch.mps.device_count()", 0),
        ("torch.xpu.is_available()", False),
        ("torch.xpu.device_count()", 0),
        ("torch.accelerator.is_available()", False),
        ("torch.accelerator.device_count()", 0),
        ("torch.accelerator.current_accelerator()", None),
        ("torch.cpu.is_available()", True),
        ("torch.cpu.device_count()", 1),
        ("torch.cpu.current_device()", "cpu"),
        ("torch.jit.is_scripting()", False),
        ("torch.jit.is_tracing()", False),
        ("torch.compiler.is_compiling()", False),
        ("torch.compiler.is_dynamo_compiling()", False),
        ("torch.compiler.is_exporting()", False),
        ("torch.version.cuda", None),
        ("torch.get_device_module().__name__", "torch.cpu"),
        ("torch.get_device_module('cuda:1').__name__", "torch.cuda"),
        ("torch.get_device_module('meta')", RuntimeError),
        ("torch.__future__.get_swap_module_params_on_conversion()", False),
    ],
)
def test_questions_are_answered(question, expected):
    found = answer(question)
    assert found == expected and type(found) in (type(expected), type({})) or list(found) == list(expected)


@ours
def test_what_this_build_does_not_have():
    assert not torch.distributed.is_mpi_available() and not torch.distributed.is_initialized()
    assert not torch.backends.mkl.is_available() and not torch.backends.mkldnn.is_acl_available()
    assert not torch.backends.nnpack.is_available() and torch.compiler.list_backends() == []
    if not torch.distributed.is_available():
        with pytest.raises(NotImplementedError, match="init_process_group.*without distributed"):
            torch.distributed.init_process_group("gloo")


@ours
def test_collectives_are_refused_by_name():
    from torch.cuda import comm, nccl

    with pytest.warns(UserWarning, match="not compiled with NCCL support"):
        assert not nccl.is_available([torch.ones(1)])
    for call in (nccl.version, nccl.unique_id, lambda: nccl.all_reduce([torch.ones(1)])):
        with pytest.raises(RuntimeError, match=r"torch\.cuda\.nccl\.\w+: PyTorch built without NCCL support"):
            call()
    for call in (lambda: nccl.init_rank(1, bytes(128), 0), lambda: comm.broadcast(torch.ones(1), [0])):
        with pytest.raises(AssertionError, match="not compiled with CUDA"):
            call()
    with pytest.raises(TypeError, match="collection of tensors"):
        nccl.broadcast(torch.ones(1))


@pytest.mark.parametrize(
    "call",
    [
        "torch.cuda.manual_seed(3)",
        "torch.cuda.manual_seed_all(3)",
        "torch.cuda.seed()",
        "torch.cuda.seed_all()",
        "torch.cuda.empty_cache()",
        "torch.cuda.set_rng_state_all([])",
        "torch.cuda.set_device(-1)",
        "torch.cuda.set_stream(None)",
        "torch.cuda.stream(None).__enter__()",
        "torch.cuda.device(-1).__enter__()",
        "torch.cuda.device_of(torch.ones(1)).__enter__()",
        "torch.mps.manual_seed(3)",
        "torch.xpu.manual_seed_all(3)",
        "torch.xpu.empty_cache()",
        "torch.xpu.stream(None).__enter__()",
        "torch.xpu.set_rng_state_all([])",
        "torch.cpu.synchronize()",
        "torch.cpu.set_device(0)",
        "torch.cpu.stream(None).__enter__()",
        "torch.cpu.Event().wait()",
        "torch.cpu.Stream().wait_stream(torch.cpu.current_stream())",
        "torch.accelerator.device_index(None).__enter__()",
        "torch.compiler.reset()",
        "torch.compiler.cudagraph_mark_step_begin()",
    ],
)
def test_calls_without_effect(call):
    state = torch.get_rng_state()
    assert answer(call) is None
    assert torch.get_rng_state().equal(state)


REFUSALS = {
    AssertionError: "current_device() init() synchronize() current_stream() default_stream() get_device_name() "
    "get_device_capability() get_device_properties(0) get_rng_state() initial_seed() ipc_collect() cudart() "
    "mem_get_info() set_per_process_memory_fraction(0.5) get_sync_debug_mode() can_device_access_peer(0,1) "
    "FloatStorage(2)",
    RuntimeError: "Stream() Event() Event(enable_timing=True) CUDAGraph() MemPool() graph_pool_handle() "
    "device(0).__enter__()",
    TypeError: "FloatTensor(2) LongTensor()",
    ValueError: "manual_seed('x') set_device('cpu') set_device('cuda') device('cpu')",
    AttributeError: "no_such_name",
}


@pytest.mark.parametrize(
    ("call", "expected"),
    [(f"torch.cuda.{call}", error) for error, calls in REFUSALS.items() for call in calls.split()]
    + [
        (f"torch.xpu.{name}()", AssertionError)
        for name in "current_device synchronize init get_device_name current_stream mem_get_info".split()
    ]
    + [("torch.xpu.Stream()", RuntimeError), ("torch.xpu.Event()", RuntimeError)]
    + [("torch.xpu.device(0).__enter__()", NotImplementedError)]
    + [
        (f"torch.mps.{name}()", RuntimeError)
        for name in "synchronize empty_cache seed get_rng_state current_allocated_memory driver_allocated_memory".split()
    ]
    + [
        (f"torch.accelerator.{name}", RuntimeError)
        for name in "current_device_index() set_device_index(0) current_stream() synchronize() memory_stats() Graph() "
        "empty_cache() device_index(0).__enter__()".split()
    ]
    + [
        ("torch.backends.cuda.cufft_plan_cache.max_size", AssertionError),
        ("torch.backends.cuda.cufft_plan_cache.clear()", AssertionError),
        ("torch.backends.cuda.cufft_plan_cache[0]", RuntimeError),
        ("torch.backends.cuda.cufft_plan_cache['cpu']", ValueError),
        ("torch.backends.cuda.preferred_linalg_library('cusolver')", RuntimeError),
        ("torch.backends.cuda.preferred_linalg_library('nope')", RuntimeError),
        ("torch.backends.cuda.preferred_blas_library('cublaslt')", RuntimeError),
        ("torch.backends.mps.is_macos_or_newer(13, 0)", RuntimeError),
        ("torch.backends.no_such_name", AttributeError),
        ("torch.backends.cudnn.no_such_name", AttributeError),
        ("torch.backends.cuda.matmul.no_such_name", AttributeError),
    ],
)
def test_what_needs_a_device_refuses(call, expected):
    assert answer(call) is expected


def test_types_of_what_is_not_there():
    assert torch.cuda.FloatTensor.dtype == torch.float32 and torch.cuda.LongStorage.dtype == torch.int64
    assert not isinstance(torch.ones(1), torch.cuda.FloatTensor) and not isinstance(1, torch.cuda.Stream)
    for wanted in (torch.cuda.FloatTensor, "torch.cuda.FloatTensor", "torch.cuda.NoTensor"):
        with pytest.raises(RuntimeError, match="Cannot initialize CUDA"):
            torch.ones(1).type(wanted)
    assert inspect.isclass(torch.cuda.Event) and issubclass(torch.cuda.CudaError, RuntimeError)


def test_streams_of_the_cpu():
    before, other = torch.cpu.current_stream(), torch.cpu.Stream()
    with torch.cpu.stream(other):
        assert torch.cpu.current_stream() is other
    assert torch.cpu.current_stream() is before and torch.cpu.Event().query() is True


def test_processor():
    assert torch.backends.cpu.get_cpu_capability() in ("DEFAULT", "AVX2", "AVX512")
    found = torch.cpu.get_capabilities()
    assert found["architecture"] == "x86_64" and found["sse2"] is True
    if torch.backends.cpu.get_cpu_capability() == "AVX512":
        assert found["avx512_f"] and found["avx2"]
    with pytest.raises(TypeError):
        found["sse2"] = False


@ours
@pytest.mark.parametrize("wish", ["default", "avx2"])
def test_processor_held_back(wish):
    program = f"import sys; sys.path.insert(0, {HOME!r})\nimport torch; print(torch.backends.cpu.get_cpu_capability())"
    done = subprocess.run(
        [sys.executable, "-c", program], env=os.environ | {"TH_CPU_CAPABILITY": wish}, capture_output=True, text=True
    )
    assert done.stdout.strip() in ("DEFAULT", wish.upper()), done.stderr


# ---- settings ----------------------------------------------------------------------------------------------
@pytest.fixture
def restored():
    """The settings that tests here change are put back."""
    modules = torch.backends.cudnn, torch.backends.mkldnn, torch.backends.cuda.matmul
    names = "enabled", "benchmark", "deterministic", "allow_tf32", "allow_fp16_reduced_precision_reduction"
    before = [(m, n, getattr(m, n)) for m in modules for n in names if getattr(m, n, None) is not None]
    yield
    for module, name, value in before:
        setattr(module, name, value)


@pytest.mark.parametrize(
    ("place", "name", "default"),
    [
        ("cudnn", "enabled", True),
        ("cudnn", "benchmark", False),
        ("cudnn", "deterministic", False),
        ("cudnn", "allow_tf32", True),
        ("mkldnn", "enabled", True),
        ("mkldnn", "deterministic", False),
        ("cuda.matmul", "allow_tf32", False),
        ("cuda.matmul", "allow_fp16_reduced_precision_reduction", True),
    ],
)
def test_settings_are_remembered(restored, place, name, default):
    owner = torch.backends
    for part in place.split("."):
        owner = getattr(owner, part)
    assert getattr(owner, name) is default
    setattr(owner, name, not default)
    assert getattr(owner, name) is not default
    with pytest.raises((RuntimeError, TypeError), match="expects a bool"):
        setattr(owner, name, "yes")
    assert getattr(owner, name) is not default


def test_settings_that_are_none_of_the_modules():
    with pytest.raises(AttributeError, match="Unknown attribute allow_tf23"):
        torch.backends.cuda.matmul.allow_tf23 = True


def test_flags_context(restored):
    cudnn = torch.backends.cudnn
    cudnn.deterministic = True
    with cudnn.flags(enabled=False, benchmark=True):
        assert (cudnn.enabled, cudnn.benchmark, cudnn.deterministic) == (False, True, False)
        cudnn.benchmark = False
    assert (cudnn.enabled, cudnn.benchmark, cudnn.deterministic) == (True, False, True)
    with pytest.raises(KeyError), cudnn.flags(enabled=False):
        raise KeyError
    assert cudnn.enabled
    assert cudnn.set_flags(_benchmark=True)[:2] == (True, False) and cudnn.benchmark
    with torch.backends.mkldnn.flags(enabled=False):
        assert not torch.backends.mkldnn.enabled
    assert torch.backends.mkldnn.enabled


@ours
def test_flags_that_are_wrong_change_nothing():
    """PyTorch leaves those before the wrong one changed."""
    cudnn = torch.backends.cudnn
    with pytest.raises(RuntimeError), cudnn.flags(enabled=False, benchmark=3):
        raise AssertionError("entered")
    with pytest.raises(RuntimeError):
        cudnn.set_flags(_enabled=False, _deterministic="no")
    assert cudnn.enabled and not cudnn.benchmark and not cudnn.deterministic


def test_frozen_settings():
    program = f"""
import sys; sys.path.insert(0, {HOME!r})
import torch
torch.backends.disable_global_flags()
def refused(place, **change):
    for name, value in change.items():
        try:
            setattr(place, name, value)
        except RuntimeError as error:
            assert "after disable_global_flags" in str(error), error
        else:
            raise AssertionError(name)
cudnn = torch.backends.cudnn
refused(cudnn, benchmark=True, enabled=False)
refused(torch.backends.mkldnn, enabled=False)
assert torch.backends.flags_frozen() and cudnn.enabled
with cudnn.flags(enabled=False):
    assert not cudnn.enabled
    refused(cudnn, benchmark=True)
assert cudnn.enabled and not cudnn.benchmark and torch.backends.flags_frozen()
refused(cudnn, benchmark=True)
print("done")
"""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True)
    assert done.stdout == "done\n", done.stderr


def precisions():
    b = torch.backends
    places = (
        b,
        b.cuda.matmul,
        b.cudnn,
        b.cudnn.conv,
        b.cudnn.rnn,
        b.mkldnn,
        b.mkldnn.matmul,
        b.mkldnn.conv,
        b.mkldnn.rnn,
    )
    return " ".join(place.fp32_precision for place in places)


def test_precision_of_float32():
    """In a process of its own: PyTorch has no way back to where nothing was chosen."""
    program = f"""
import sys; sys.path.insert(0, {HOME!r})
import torch
b = torch.backends
{inspect.getsource(precisions)}
def say(*more):
    print(precisions(), *more)
say(b.cuda.matmul.allow_tf32, b.cudnn.allow_tf32, torch.get_float32_matmul_precision())
torch.set_float32_matmul_precision("high"); say(b.cuda.matmul.allow_tf32)
torch.set_float32_matmul_precision("medium"); say(b.cuda.matmul.allow_tf32)
torch.set_float32_matmul_precision("highest"); say(b.cuda.matmul.allow_tf32)
b.cuda.matmul.allow_tf32 = True; say(torch.get_float32_matmul_precision())
b.cuda.matmul.allow_tf32 = False; say(torch.get_float32_matmul_precision())
b.fp32_precision = "tf32"; say()
b.fp32_precision = "ieee"; say()
b.fp32_precision = "none"; say()
for place, word in (b, "nope"), (b.cudnn, "bf16"), (b.cuda.matmul, "bf16"):
    try:
        place.fp32_precision = word
    except RuntimeError as error:
        print(error)
say()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.splitlines() == [
        "none none none tf32 tf32 none none none none False True highest",
        "none tf32 none tf32 tf32 none tf32 none none True",
        "none tf32 none tf32 tf32 none bf16 none none True",
        "none ieee none tf32 tf32 none ieee none none False",
        "none tf32 none tf32 tf32 none ieee none none high",
        "none ieee none tf32 tf32 none ieee none none highest",
        "tf32 ieee tf32 tf32 tf32 tf32 ieee tf32 tf32",
        "ieee ieee ieee ieee ieee ieee ieee ieee ieee",
        "none ieee none tf32 tf32 none ieee none none",
        "Unknown precision: nope",
        "backend 'cuda' does not support precision 'bf16'",
        "backend 'cuda' does not support precision 'bf16'",
        "none ieee none tf32 tf32 none ieee none none",
    ], done.stderr


def test_kernels_of_attention():
    cuda = torch.backends.cuda
    assert cuda.flash_sdp_enabled() and cuda.math_sdp_enabled() and cuda.mem_efficient_sdp_enabled()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with cuda.sdp_kernel(enable_flash=False):
            assert not cuda.flash_sdp_enabled() and cuda.math_sdp_enabled()
    cuda.enable_math_sdp(False)
    assert cuda.flash_sdp_enabled() and not cuda.math_sdp_enabled()
    cuda.enable_math_sdp(True)


@ours
def test_setuptools_may_be_missing():
    program = f"""
import sys; sys.path.insert(0, {HOME!r})
sys.modules["setuptools"] = None
import torch.utils.cpp_extension as extension
assert not hasattr(extension, "BuildExtension") and not hasattr(extension, "CppExtension")
try:
    extension.BuildExtension
except AttributeError as error:
    assert "needs setuptools, which is not installed" in str(error), error
try:
    from torch.utils.cpp_extension import BuildExtension
except ImportError:
    print("done")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "done\n", done.stderr


# ---- names for others --------------------------------------------------------------------------------------
def test_names_for_annotations():
    types = torch.types
    assert isinstance(3, types.Number) and not isinstance("3", types.Number)
    assert isinstance(torch.device("cpu"), types.Device) and isinstance(None, types.Device)
    assert types._dtype is torch.dtype and types._bool is bool
    assert set(types.__all__) == {"Number", "Device", "FileLike", "Storage"}


def test_future_settings():
    future = torch.__future__
    for what in ("overwrite", "swap"):
        put, get = (getattr(future, f"{verb}_{what}_module_params_on_conversion") for verb in ("set", "get"))
        put(True)
        assert get() is True
        put(False)
        assert get() is False


def test_classes_of_2017():
    assert {torch.FloatTensor, torch.BoolTensor, torch.LongTensor} <= torch._tensor_classes
    assert {torch.FloatStorage, torch.UntypedStorage, torch.ByteStorage} <= torch._storage_classes
    assert torch.Tensor not in torch._tensor_classes


@pytest.mark.parametrize("shape", [(), (3,), (0,), (100,), (7, 6), (40, 2, 9)])
def test_summarised_data(shape):
    from torch._tensor_str import get_summarized_data

    count = 1
    for size in shape:
        count *= size
    x = torch.arange(count).reshape(shape)
    found = get_summarized_data(x)
    expected = x
    for dim, size in enumerate(shape):
        if size > 6:
            expected = expected.index_select(dim, torch.tensor([0, 1, 2, size - 3, size - 2, size - 1]))
    assert found.dtype == x.dtype and found.equal(expected)


# ---- the whole ---------------------------------------------------------------------------------------------
@ours
def test_everything_is_documented_and_loaded_late():
    program = f"""
import sys; sys.path.insert(0, {HOME!r})
import torch, types
late = "accelerator backends compiler cpu cuda distributed jit mps types xpu utils __future__".split()
loaded = [name for name in late if f"torch.{{name}}" in sys.modules]
assert not loaded, loaded
backends = [f"backends.{{name}}" for name in torch.backends._MODULES]
for path in late + backends:
    module = torch
    for part in path.split("."):
        module = getattr(module, part)
    assert part in dir(torch) + dir(torch.backends)
    for name, value in vars(module).items():
        if not name.startswith("_") and getattr(value, "__module__", "").startswith(f"torch.{{path}}"):
            assert value.__doc__, (path, name)
print("done")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "done\n", done.stderr
