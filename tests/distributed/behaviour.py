"""Calls of torch.distributed as text, which ours and PyTorch 2.13 evaluate alike, on every rank: data/generate_behaviour.py
writes down what PyTorch answers, test_behaviour.py asks ours the same.

In a call `r` is the rank, `n` the number of ranks, x(dtype, *sizes) a tensor of small numbers that differ by rank.
"""

import datetime
import functools
import itertools
import pathlib
import re
import warnings

import torch
import torch.distributed as dist

DTYPES = {
    "bool": torch.bool, "u8": torch.uint8, "i8": torch.int8, "i16": torch.int16, "i32": torch.int32,
    "i64": torch.int64, "f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32, "f64": torch.float64,
    "c64": torch.complex64, "c128": torch.complex128, "f8": torch.float8_e4m3fn, "u16": torch.uint16,
}  # fmt: skip
NAMES = {dtype: name for name, dtype in DTYPES.items()}
OPS = ["SUM", "PRODUCT", "MIN", "MAX", "BAND", "BOR", "BXOR", "AVG"]


def listed(family):
    """Those that data/behaviour_calls.txt has under a heading, a line each."""
    text = (pathlib.Path(__file__).parent / "data/behaviour_calls.txt").read_text()
    part = re.search(rf"^== {family}\n(.*?)(?:^== |\Z)", text, re.DOTALL | re.MULTILINE)[1]
    return [line for line in part.split("\n") if line and not line.startswith("#")]


# ---- what a tensor is made of ------------------------------------------------------------------------------------
CALLS = {
    "all_reduce": "[t := {x}, dist.all_reduce(t{more}), t]",
    "all_reduce_coalesced": "[t := [{x}, {x}], dist.all_reduce_coalesced(t{more}), t]",
    "reduce": "[dist.reduce(t := {x}, n - 1{more}), t if r == n - 1 else None]",
    "broadcast": "[t := {x}, dist.broadcast(t, n - 1{more}), t]",
    "all_gather": "[o := [like({x}) for _ in range(n)], dist.all_gather(o, {x}{more}), o]",
    "all_gather_into_tensor": "[o := stacked({x}), dist.all_gather_into_tensor(o, {x}{more}), o]",
    "all_gather_coalesced":
        "[o := [[like({x})] for _ in range(n)], dist.all_gather_coalesced(o, [{x}]{more}), o]",
    "gather": "[o := [like({x}) for _ in range(n)] if r == 0 else None, dist.gather({x}, o, 0{more}), o]",
    "scatter": "[o := like({x}), dist.scatter(o, [{x}] * n if r == 0 else None, 0{more}), o]",
    "reduce_scatter": "[o := like({x}), dist.reduce_scatter(o, [{x}] * n{more}), o]",
    "reduce_scatter_tensor": "[o := like({x}), dist.reduce_scatter_tensor(o, stacked({x}){more}), o]",
    "all_to_all": "[o := [like({x}) for _ in range(n)], dist.all_to_all(o, [{x}] * n{more}), o]",
    "all_to_all_single": "[o := stacked({x}), dist.all_to_all_single(o, stacked({x}){more}), o]",
    "send": "[t := {x}, dist.send(t, 1) if r == 0 else dist.recv(t, 0) if r == 1 else None, t]",
}  # fmt: skip
REDUCTIONS = ("all_reduce", "all_reduce_coalesced", "reduce", "reduce_scatter", "reduce_scatter_tensor")
SHAPES = [
    "x(f32)", "x(f32, 0)", "x(f32, 2, 0)", "x(f32, 2, 3)", "x(f32, 2, 3).t()", "x(f32, 6)[::2]", "x(f32, 4)[1:]",
    "x(f32, 1).expand(3)", "x(f32, 2).requires_grad_()", "x(f32, 2).to_sparse()", "x(f32, 2, device='meta')",
]  # fmt: skip


def of_tensors():
    """Each operation by dtype, reduction and shape."""
    for name, call in CALLS.items():
        for dtype in DTYPES:
            if name not in REDUCTIONS:
                yield call.format(x=f"x({dtype}, 3)", more="")
        for shape in SHAPES:
            yield call.format(x=shape, more="")
        if name != "send":
            yield (
                call.format(x="x(f32, 3)", more=", async_op=True")
                .replace(f"dist.{name}", f"done(dist.{name}", 1)
                .replace("async_op=True)", "async_op=True))")
            )


def of_reductions():
    """Each reduction by dtype."""
    for name, dtype, op in itertools.product(("all_reduce", "reduce_scatter_tensor"), DTYPES, OPS):
        yield CALLS[name].format(x=f"x({dtype}, 3)", more=f", op=Op.{op}")
    for name in ("all_reduce_coalesced", "reduce_scatter", "reduce"):
        for op in OPS:
            yield CALLS[name].format(x="x(i32, 3)", more=f", op=Op.{op}")


# ---- arguments -----------------------------------------------------------------------------------------------------
BAD = ["None", "5", "'x'", "[]", "[x(f32, 2)]", "(x(f32, 2),)", "[None] * n", "object"]


def of_bad_arguments():
    """What is no tensor, no list, no group."""
    for bad in BAD:
        yield f"dist.all_reduce({bad})"
        yield f"dist.all_reduce_coalesced({bad})"
        yield f"dist.broadcast({bad}, 0)"
        yield f"dist.reduce({bad}, 0)"
        yield f"dist.all_gather({bad}, x(f32, 2))"
        yield f"dist.all_gather([x(f32, 2)] * n, {bad})"
        yield f"dist.all_gather_into_tensor({bad}, x(f32, 2))"
        yield f"dist.all_gather_into_tensor(x(f32, 2 * n), {bad})"
        yield f"dist.gather({bad}, None, (r + 1) % n)"
        yield f"dist.gather(x(f32, 2), {bad}, r)"
        yield f"dist.scatter({bad}, None, (r + 1) % n)"
        yield f"dist.scatter(x(f32, 2), {bad}, r)"
        yield f"dist.reduce_scatter({bad}, [x(f32, 2)] * n)"
        yield f"dist.reduce_scatter(x(f32, 2), {bad})"
        yield f"dist.reduce_scatter_tensor({bad}, x(f32, 2))"
        yield f"dist.reduce_scatter_tensor(x(f32, 2), {bad})"
        yield f"dist.all_to_all({bad}, [x(f32, 2)] * n)"
        yield f"dist.all_to_all([x(f32, 2)] * n, {bad})"
        yield f"dist.all_to_all_single({bad}, x(f32, n))"
        yield f"dist.all_to_all_single(x(f32, n), {bad})"
        yield f"dist.all_to_all_single(x(f32, n), x(f32, n), {bad})"
        yield f"dist.send({bad}, 1 - r)"
        yield f"dist.recv({bad}, 1 - r)"
        yield f"dist.broadcast_object_list({bad}, r)"
        yield f"dist.scatter_object_list({bad}, [1] * n, r)"
        yield f"dist.scatter_object_list([None], {bad}, r)"
        yield f"dist.gather_object(1, {bad}, r)"
        yield f"dist.new_group({bad}) is not None"
        yield f"dist.new_subgroups({bad})"
        yield f"dist.new_subgroups_by_enumeration({bad})"
        yield f"dist.P2POp({bad}, x(f32, 2), 0)"
        yield f"dist.init_process_group({bad})"
    for bad in ("'x'", "object()", "[]", "5"):
        for call in ("all_reduce(x(f32, 2), group={})", "broadcast(x(f32, 2), 0, group={})", "barrier(group={})",
                     "get_rank({})", "get_world_size({})", "get_backend({})", "get_process_group_ranks({})",
                     "get_group_rank({}, 0)", "get_global_rank({}, 0)", "destroy_process_group({})",
                     "get_backend_config({})", "monitored_barrier({})", "send(x(f32, 2), 1 - r, group={})",
                     "all_gather_object([None] * n, 1, group={})", "get_pg_count({})"):  # fmt: skip
            yield f"dist.{call.format(bad)}"


# ---- stores: one process -----------------------------------------------------------------------------------------------
STORES = {
    "hash": "dist.HashStore()",
    "file": "dist.FileStore(path, 1)",
    "tcp": "dist.TCPStore('127.0.0.1', 0, 1, True)",
    "prefix": "dist.PrefixStore('p', dist.HashStore())",
}


FAMILIES = {
    "tensors": ((2, 3), of_tensors),
    "reductions": ((2,), of_reductions),
    "arguments": ((2, 3), lambda: listed("arguments")),
    "bad arguments": ((2,), of_bad_arguments),
    "groups": ((2, 3), lambda: listed("groups")),
    "objects": ((2, 3), lambda: listed("objects")),
    "meshes": ((2,), lambda: listed("meshes")),
    "stores": ((0,), lambda: (f"[s := {store}, {call}]" for store in STORES.values() for call in listed("stores"))),
    "alone": ((0,), lambda: listed("alone")),
}


def calls(size):
    """[(family, call)] for so many ranks; 0: of a process that has joined no group."""
    return [(family, call) for family, (sizes, of) in FAMILIES.items() if size in sizes for call in of()]


# ---- evaluation --------------------------------------------------------------------------------------------------------
def x(rank, dtype, *sizes, device=None):
    """Numbers from 0 to 4; of a bool whether they are odd."""
    count = functools.reduce(int.__mul__, sizes, 1)
    values = [(3 * i + 2 * rank + 1) % 5 for i in range(count)]
    values = [v % 2 for v in values] if dtype == torch.bool else values
    return torch.tensor(values, dtype=torch.float32).to(dtype).reshape(sizes).to(device or "cpu")


def stacked(tensor):
    """As many of it as there are ranks."""
    return torch.cat([tensor.reshape(1) if tensor.dim() == 0 else tensor] * dist.get_world_size())


def done(work):
    """What a Work says of itself once it is done."""
    if work is None:
        return None
    return [work.wait(), work.is_completed(), work.is_success()]


def text(value):
    """A value as text: what can be compared of it."""
    if isinstance(value, torch.Tensor):
        if hasattr(value, "to_local"):
            return f"DTensor {list(value.shape)}"
        if value.layout != torch.strided or value.device.type != "cpu":
            return f"{value.layout} {value.device.type} {list(value.shape)}"
        kind = NAMES.get(value.dtype, str(value.dtype))
        plain = value.detach().float() if kind == "f8" else value.detach()
        strides = "" if value.is_contiguous() else f" by {list(value.stride())}"
        return f"{kind} {list(value.shape)}{strides} {plain.reshape(-1).tolist()}"
    if isinstance(value, (list, tuple)):
        inner = ", ".join(map(text, value))
        return f"[{inner}]" if isinstance(value, list) else f"({inner})"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k!r}: {text(v)}" for k, v in value.items()) + "}"
    if type(value).__module__.startswith(("torch.distributed.tensor", "torch.distributed._tensor")):
        return str(value)  # a placement
    if hasattr(value, "name") and hasattr(value, "value"):
        return value.name
    if value is None or isinstance(value, (bool, int, float, str, bytes, datetime.timedelta)):
        return repr(value)
    return f"<{type(value).__name__}>"


def evaluate(family, call, path):
    """The text of what a call comes to, on this rank; of an exception "!" and its class."""
    rank = dist.get_rank() if dist.is_initialized() else 0
    names = {**DTYPES, "torch": torch, "dist": dist, "datetime": datetime}
    names |= {"r": rank, "n": dist.get_world_size() if dist.is_initialized() else 0, "path": path, "Op": dist.ReduceOp}
    names |= {"x": functools.partial(x, rank), "x0": functools.partial(x, 0), "stacked": stacked, "done": done}
    names |= {"like": lambda t: torch.zeros_like(t) if t.layout == torch.strided else t.clone()}
    if family == "groups":
        names |= {"g": dist.new_group([names["n"] - 2, names["n"] - 1]), "o": dist.new_group([0])}
    if family == "meshes":
        import torch.distributed.tensor as distribute
        from torch.distributed.device_mesh import DeviceMesh, init_device_mesh

        names |= {name: getattr(distribute, name) for name in ("DTensor", "Shard", "Replicate", "Partial")}
        names |= {"mesh": lambda sizes, dims=None: init_device_mesh("cpu", sizes, mesh_dim_names=dims)}
        names |= {"distribute": distribute, "DeviceMesh": DeviceMesh, "init_device_mesh": init_device_mesh}
        names |= {"dt": lambda t, *rest: distribute.distribute_tensor(t, names["mesh"]((names["n"],)), *rest)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return text(eval(call, names))
        except Exception as error:
            return f"!{type(error).__name__}"
