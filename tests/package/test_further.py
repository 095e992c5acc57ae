"""Names that libraries import: what is there works, what is not says so by name when it is used."""

import io
import pickle
import subprocess
import sys
import types

import pytest
import torch
from torch import nn
from torch._absent import is_absent, names_of, table

HOME = torch.__path__[0].removesuffix("/torch")


# ---- what is not there -------------------------------------------------------------------------------------
WITHOUT_GROUPS = (
    ("torch.distributed.init_process_group", "without distributed support"),
    ("torch.distributed.ProcessGroup", "without distributed support"),
    ("torch.distributed.tensor.distribute_tensor", "without distributed support"),
    ("torch.distributed.checkpoint.save", "without distributed support"),
    ("torch.distributed.pipelining.pipeline", "without distributed support"),
)
WITH_GROUPS = (
    ("torch.distributed.pipelining.pipeline", "not cut into stages here"),
    ("torch.distributed._shard.sharded_tensor.api.ShardedTensor", "DTensors"),
    ("torch.distributed.elastic.rendezvous.etcd_store.EtcdStore", "not by etcd"),
)


@pytest.mark.parametrize(
    "path, why",
    [
        ("torch.distributed.rpc.rpc_sync", "no remote procedure calls"),
        *(WITH_GROUPS if torch.distributed.is_available() else WITHOUT_GROUPS),
        ("torch.ao.quantization.quantize_dynamic", "does not quantize"),
        ("torch.quantization.QuantStub", "does not quantize"),
        ("torch.nn.quantized.FloatFunctional", "does not quantize"),
        ("torch.onnx.export", "writes no ONNX files"),
        ("torch.export.export", "does not export"),
        ("torch.quantize_per_tensor", "does not quantize"),
        ("torch.sparse.to_sparse_semi_structured", "tensor cores of GPUs"),
        ("torch.cudnn_convolution", "cuDNN"),
        ("torch.cond", "no compiler"),
        ("torch.utils.hipify.hipify_python.hipify", "AMD's GPUs"),
        ("torch.utils.mkldnn.to_mkldnn", "oneDNN's own layout"),
        ("torch.utils.mkldnn.MkldnnLinear", "oneDNN's own layout"),
        ("torch.func.vmap", "no vmap"),
        ("torch.vmap", "no vmap"),
        ("torch._C.Graph", "no TorchScript"),
        ("torch.ScriptObject", "no TorchScript"),
        ("torch.jit.frontend.get_jit_def", "no TorchScript"),
        ("torch._subclasses.fake_tensor.FakeTensorMode", "no fake tensors"),
        ("torch.QInt8Storage", "does not quantize"),
        ("torch.SymInt", "no compiler"),
    ],
)
def test_refused_by_name(path, why):
    module, _, name = path.rpartition(".")
    value = getattr(__import__(module, fromlist=[name]), name)
    with pytest.raises(NotImplementedError, match=f"{name}.*{why}"):
        value()
    assert value.__doc__ and value.__name__ == name


def test_classes_serve_for_isinstance_and_as_bases():
    from torch.distributed.fsdp import FlatParameter, FullyShardedDataParallel, ShardingStrategy
    from torch.distributed.tensor import DTensor
    from torch.nn.parallel.distributed import DistributedDataParallel

    model = nn.Linear(1, 1)
    assert not isinstance(model, (FullyShardedDataParallel, DistributedDataParallel, DTensor))
    assert issubclass(FullyShardedDataParallel, nn.Module) and issubclass(DTensor, torch.Tensor)
    assert ShardingStrategy.FULL_SHARD.value == 1 and ShardingStrategy["NO_SHARD"] in ShardingStrategy
    assert nn.parallel.DistributedDataParallel is DistributedDataParallel
    from torch.distributed.elastic.rendezvous import RendezvousError

    with pytest.raises(RendezvousError):
        raise RendezvousError("x")

    class Own(FlatParameter):
        def __init__(self):
            pass

    with pytest.raises(NotImplementedError):
        Own()


@pytest.mark.parametrize(
    "call",
    [
        "get_rank()",
        "get_world_size()",
        "get_backend()",
        "barrier()",
        "all_reduce(torch.ones(1))",
        "broadcast_object_list([1])",
        "new_group()",
        "P2POp(torch.distributed.isend, torch.ones(1), 0)",
        "distributed_c10d._get_default_group()",
    ],
)
def test_without_a_process_group(call):
    with pytest.raises(ValueError, match="Default process group has not been initialized"):
        eval(f"torch.distributed.{call}")


def test_data_parallel_without_a_process_group():
    with pytest.raises(ValueError, match="Default process group has not been initialized"):
        nn.parallel.DistributedDataParallel(nn.Linear(1, 1))


@pytest.mark.parametrize(
    "question, answer",
    [
        ("torch.distributed.is_available()", hasattr(torch, "_distributed")),
        ("torch.distributed.rpc.is_available()", False),
        ("torch.distributed.is_backend_available('gloo')", torch.distributed.is_gloo_available()),
        ("torch.distributed.get_node_local_rank(3)", 3),
        ("torch.distributed.Backend('GLOO')", "gloo"),
        ("torch.distributed.Backend.default_device_backend_map['cuda']", "nccl"),
        ("torch.distributed.get_default_backend_for_device('cpu')", "gloo"),
        ("torch.distributed.group.WORLD", None),
        ("torch.distributed.GroupMember.NON_GROUP_MEMBER", -100),
        ("int(torch.distributed.ReduceOp.MAX)", 4),
        ("torch.distributed.supports_complex(torch.distributed.ReduceOp.MAX)", False),
        ("torch.distributed.supports_complex(torch.distributed.ReduceOp.SUM)", True),
        ("torch.distributed.get_global_rank(None, 2)", 2),
        ("torch.onnx.is_in_onnx_export()", False),
        ("int(torch.onnx.TensorProtoDataType.INT64)", 7),
        ("torch._C._are_functorch_transforms_active()", False),
        ("torch._C._functorch.is_batchedtensor(torch.ones(1))", False),
        ("torch._C._get_privateuse1_backend_name()", "privateuseone"),
        ("torch._C._get_accelerator()", torch.device("cpu")),
        ("torch._dynamo.is_compiling()", False),
        ("torch._dynamo.config.cache_size_limit", 8),
        ("torch._inductor.list_mode_options('default')", {}),
        (
            "torch.sym_max(2, 3.0), torch.sym_min(2, 3.0), torch.sym_sum([1, 2]), torch.sym_ite(True, 1, 2)",
            (3, 2, 3, 1),
        ),
        ("torch.sym_not(True), torch.sym_int(2.7), torch.sym_float(2), torch.sym_sqrt(4)", (False, 2, 2, 2)),
        ("torch.has_lapack and torch.has_spectral and torch.has_openmp", True),
        ("torch.is_distributed(torch.ones(1)), torch.is_vulkan_available()", (False, False)),
        ("torch.cudnn_is_acceptable(torch.ones(1))", False),
        ("torch.frobenius_norm(torch.ones(2, 2), dim=[0, 1]).item()", 2),
        ("torch.nuclear_norm(torch.ones(2, 2)).item()", 2),
        ("torch.sym_constrain_range_for_size(2)", None),
        ("torch.functional.meshgrid is torch.meshgrid", True),
        ("torch.compiler.skip_all_guards_unsafe([1, 2])", [False, False]),
        ("torch.compiler.set_enable_guard_collectives(False)", False),
        ("torch.legacy_contiguous_format", torch.contiguous_format),
        ("torch.serialization.check_module_version_greater_or_equal(torch.version, (1, 0))", True),
        ("torch._shape_as_tensor(torch.ones(2, 3)).tolist()", [2, 3]),
        ("torch._tensor_str.PRINT_OPTS.threshold", 1000),
        ("torch._tensor_str._str_intern(torch.ones(2))", "tensor([1., 1.])"),
        ("torch._tensor_str._tensor_str(torch.ones(2), 0)", "[1., 1.]"),
        ("torch.Tensor.to_dense(torch.ones(1)).tolist()", [1]),
        ("torch.ones(2, 3).sparse_dim(), torch.ones(2, 3).dense_dim()", (0, 2)),
        ("torch.ones(2, dtype=torch.float64).dequantize().dtype", torch.float32),
    ],
)
def test_answers(question, answer):
    assert eval(question) == answer


@pytest.mark.parametrize("name", ["coalesce", "indices", "values", "is_coalesced", "_indices", "_values", "_nnz"])
def test_dense_tensors_have_no_parts(name):
    with pytest.raises(RuntimeError, match="expected sparse|Could not run"):
        getattr(torch.ones(2), name)()


def test_what_the_compiler_would_give():
    for call in (torch._dynamo.explain, torch._dynamo.export):
        with pytest.raises(NotImplementedError, match="no compiler"):
            call(len)


def test_names_that_no_torch_has():
    for place in (torch, torch._C, torch.distributed, torch.onnx, torch.jit, torch._dynamo, torch.func, torch.hub):
        assert not hasattr(place, "no_such_name"), place
    with pytest.raises(ModuleNotFoundError):
        __import__("torch.distributed.no_such_module")
    with pytest.raises(AttributeError, match="does not exist"):
        torch._dynamo.config.no_such_setting = 1


@pytest.mark.parametrize(
    "path", [path for path in table.NAMES if not path.startswith("torch._C") and path != "torch.fx.experimental"]
)
def test_every_module_of_the_table_imports(path):
    module = __import__(path, fromlist=["x"])
    assert type(module) in (types.ModuleType, type(torch._dynamo.config)) and module.__doc__
    for name in names_of(path):
        value = getattr(module, name)
        assert not is_absent(value) or value.__name__ == name, (path, name)


def test_loaded_late():
    program = f"""
import sys; sys.path.insert(0, {HOME!r})
import torch, torch.nn
late = "_absent _c_names _checks _dynamo _foreach _further _quantized _streams _symbolic ao distributed export func futures hub"
late += " masked mtia onnx quantization sparse nn.parallel.distributed jit"
print([name for name in late.split() if f"torch.{{name}}" in sys.modules])
import torch._C._distributed_c10d, torch.distributed.fsdp
print(torch._C._distributed_c10d.__name__)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "[]\ntorch._C._distributed_c10d\n", done.stdout + done.stderr


# ---- what is there -----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "check, error",
    [
        ("_check", RuntimeError),
        ("_check_value", ValueError),
        ("_check_index", IndexError),
        ("_check_type", TypeError),
        ("_check_not_implemented", NotImplementedError),
    ],
)
def test_checks(check, error):
    function = getattr(torch, check)
    function(True)
    with pytest.raises(error, match="Expected cond to be True"):
        function(False)
    with pytest.raises(error, match="why"):
        function(False, lambda: "why")
    with pytest.raises(TypeError, match="cond must be a bool"):
        function(1)


def test_checks_of_tensors():
    torch._assert_async(torch.tensor(1))
    torch._check_is_size(1)
    torch._check_tensor_all(torch.tensor([True]))
    for call, match in (
        (lambda: torch._assert_async(torch.tensor(0)), "nonzero value, but got zero"),
        (lambda: torch._assert_async(torch.tensor(0), "text"), "text"),
        (lambda: torch._check_is_size(-1), "Expected cond"),
        (lambda: torch._check_tensor_all(torch.tensor([True, False])), "Expected cond"),
    ):
        with pytest.raises(RuntimeError, match=match):
            call()


@pytest.mark.parametrize(
    "name", ["qint8", "quint8", "qint32", "quint4x2", "uint4", "int1", "bits8", "float8_e8m0fnu", "float4_e2m1fn_x2"]
)
def test_dtypes_by_name(name):
    dtype = getattr(torch, name)
    assert repr(dtype) == f"torch.{name}" and dtype == getattr(torch, name) != torch.int8 and dtype.itemsize in (1, 4)
    assert {dtype: 1}[dtype] == 1
    with pytest.raises(TypeError):
        torch.empty(2, dtype=dtype)


def test_streams_and_events():
    stream, start, end = torch.Stream("cpu"), torch.Event(enable_timing=True), torch.Event("cpu", enable_timing=True)
    with stream:
        stream.record_event(start)
        end.record()
    assert start.query() and stream.query() and start.elapsed_time(end) >= 0 and stream == torch.Stream()
    with pytest.raises(RuntimeError, match="enable_timing=True"):
        torch.Event().elapsed_time(end)
    with pytest.raises(RuntimeError, match="no streams on meta"):
        torch.Stream("meta")


def test_parse_to():
    parse = torch._C._nn._parse_to
    assert parse("cpu", torch.half) == (torch.device("cpu"), torch.float16, False, None)
    assert parse(torch.float64, non_blocking=True) == (None, torch.float64, True, None)
    with pytest.raises(RuntimeError, match="copy"):
        parse("cpu", copy=True)


def test_settings_of_the_compiler():
    config = torch._dynamo.config
    with config.patch(verbose=True, cache_size_limit=3):
        assert config.verbose and config.recompile_limit == 3
    assert not config.verbose and config.recompile_limit == 8
    try:
        config.cache_size_limit = 64
        assert config.recompile_limit == 64
    finally:
        config.recompile_limit = 8
    assert config.shallow_copy_dict()["dynamic_shapes"] is True
    before = torch._C._jit_set_profiling_mode(False)
    assert torch._C._jit_set_profiling_mode(before) is False


def test_strategies_of_opt_einsum():
    settings = torch.backends.opt_einsum
    if not settings.is_available():
        pytest.skip("opt_einsum is not installed")
    with settings.flags(strategy="auto-hq"):
        a = torch.ones(2, 2)
        assert settings.strategy == "auto-hq" and torch.equal(torch.einsum("ij,jk,kl->il", a, a, a), 4 * a)
    with pytest.raises(ValueError, match="must be one of"):
        settings.strategy = "another"


def test_directions_for_the_compiler():
    def function(x):
        return x

    d = torch._dynamo
    for wrap in (d.disable, d.allow_in_graph, d.disallow_in_graph, d.forbid_in_graph, d.run, d.nonstrict_trace):
        assert wrap(function) is function
    assert d.disable()(function) is function and d.mark_dynamic(torch.ones(1), 0) is None and d.graph_break() is None
    with pytest.raises(AssertionError):
        d.forbid_in_graph(3)


def test_swap_tensors():
    first, second = nn.Parameter(torch.ones(2)), torch.zeros(3, dtype=torch.float64)
    first.grad, first.note = torch.ones(2), "note"
    torch.utils.swap_tensors(first, second)
    assert (
        type(first) is torch.Tensor
        and first.dtype == torch.float64
        and first.grad is None
        and not hasattr(first, "note")
    )
    assert type(second) is nn.Parameter and second.grad.tolist() == [1, 1] and second.note == "note"


def test_conversion_by_swapping():
    layer = nn.Linear(2, 1)
    weight = layer.weight
    layer(torch.ones(1, 2)).sum().backward()
    torch.__future__.set_swap_module_params_on_conversion(True)
    try:
        layer.double()
    finally:
        torch.__future__.set_swap_module_params_on_conversion(False)
    assert layer.weight is weight and weight.dtype == torch.float64 == weight.grad.dtype


def test_lists_of_tensors_as_one():
    from torch import _utils

    tensors = [torch.arange(6.0).view(2, 3), torch.ones(2)]
    flat = _utils._flatten_dense_tensors(tensors)
    assert flat.tolist() == [0, 1, 2, 3, 4, 5, 1, 1]
    parts = _utils._unflatten_dense_tensors(flat, tensors)
    assert all(torch.equal(a, b) for a, b in zip(parts, tensors)) and parts[0].data_ptr() == flat.data_ptr()
    mixed = [torch.ones(4), torch.ones(4).double(), torch.ones(4)]
    assert [len(group) for group in _utils._take_tensors(mixed, 16)] == [1, 1, 1]
    assert [len(group) for group in _utils._take_tensors(mixed, 64)] == [2, 1]
    assert _utils._get_device_index("cuda:1") == 1 and _utils._get_device_index("cpu", allow_cpu=True) == -1
    with pytest.raises(ValueError, match="non cpu device"):
        _utils._get_device_index("cpu")


def test_functional_call():
    layer, w = nn.Linear(1, 1), torch.tensor([[3.0]])
    found = torch.func.functional_call(layer, ({"weight": w}, {"bias": torch.ones(1)}), torch.ones(1, 1))
    assert found.item() == 4 and layer.weight.item() != 3
    for given, match in (
        (3, "to be a dict"),
        ([3], "to be dictionaries"),
        ([{"weight": w}, {"weight": w}], "multiple"),
    ):
        with pytest.raises(ValueError, match=match):
            torch.func.functional_call(layer, given, torch.ones(1, 1))


def test_stacked_modules():
    parameters, buffers = torch.func.stack_module_state([nn.BatchNorm1d(2), nn.BatchNorm1d(2)])
    assert parameters["weight"].shape == (2, 2) and parameters["weight"].is_leaf and parameters["weight"].requires_grad
    assert buffers["running_mean"].shape == (2, 2) and not buffers["running_mean"].requires_grad
    for models, match in (
        ([], "at least one"),
        ([nn.ReLU(), nn.ReLU().eval()], "mode"),
        ([nn.ReLU(), nn.SELU()], "class"),
    ):
        with pytest.raises(RuntimeError, match=match):
            torch.func.stack_module_state(models)
    norm = torch.func.replace_all_batch_norm_modules_(nn.Sequential(nn.BatchNorm1d(2)))[0]
    assert list(norm.state_dict()) == ["weight", "bias"] and not norm.track_running_stats


@pytest.mark.parametrize("path", [True, False])
def test_archives_record_by_record(tmp_path, path):
    place = tmp_path / "a.pt" if path else io.BytesIO()
    writer = torch._C.PyTorchFileWriter(str(place) if path else place)
    writer.write_record("text", "hello", 5)
    writer.write_record("numbers", torch.arange(3.0).untyped_storage(), 12)
    with pytest.raises(RuntimeError, match="twice"):
        writer.write_record("text", "x", 1)
    writer.write_end_of_file()
    reader = torch._C.PyTorchFileReader(str(place) if path else place)
    assert reader.get_record("text") == b"hello" and reader.has_record("version") and not reader.has_record("x")
    assert reader.get_storage_from_record("numbers", 3, torch.float32).tolist() == [0, 1, 2]
    assert reader.get_record_size("numbers") == 12 and reader.get_record_offset("numbers") % 64 == 0
    assert len(reader.serialization_id()) == 40 and {"text", "numbers", "version"} <= set(reader.get_all_records())
    with pytest.raises(RuntimeError, match="file not found"):
        reader.get_record("x")


def test_skip_data():
    file = io.BytesIO()
    with torch.serialization.skip_data():
        torch.save(torch.arange(3.0), file)
    file.seek(0)
    assert torch.load(file).tolist() == [0, 0, 0]


def test_named_results():
    types_of = torch.return_types.all_return_types
    assert len(types_of) == 67 and type(torch.max(torch.ones(2, 2), 0)) in types_of
    found = torch.topk(torch.arange(3.0), 2)
    assert pickle.loads(pickle.dumps(found)).values.tolist() == [2, 1] and "topk_out" in dir(torch.return_types)


def test_annotations_of_scripts():
    from torch.jit import annotations

    assert annotations.BroadcastingList2[int] is None and annotations.is_list(list[int])
    assert (
        annotations.is_optional(int | None) and not annotations.is_optional(int) and annotations.is_dict(dict[str, int])
    )
    assert torch.jit._script_if_tracing(len) is len and torch.jit.strict_fusion().__enter__()


def test_functions_of_2017_by_their_names():
    from torch.nn.backends.thnn import backend

    assert backend.Linear.apply is nn.functional.linear
    with pytest.raises(AttributeError):
        backend.Nothing  # noqa: B018


def test_writers_of_onnx_operators():
    @torch.onnx.symbolic_helper.parse_args("v", "i")
    def write(graph, x, n):
        return x

    torch.onnx.register_custom_op_symbolic("mine::op", write, 11)
    assert torch.onnx._symbolics["mine::op", 11] is write and write._arg_descriptors == ("v", "i")
    torch.onnx.unregister_custom_op_symbolic("mine::op", 11)
    assert not torch.onnx._symbolics
    with pytest.raises(RuntimeError, match="Failed to register operator op"):
        torch.onnx.register_custom_op_symbolic("op", write, 11)
    assert torch.onnx.operators.shape_as_tensor(torch.ones(2, 3)).tolist() == [2, 3]
    assert torch.onnx.symbolic_helper.cast_pytorch_to_onnx["Long"] == torch.onnx.TensorProtoDataType.INT64
