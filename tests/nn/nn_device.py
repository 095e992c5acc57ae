"""The golden cases of torch.nn once more on a device: operands, modules and the tensors that a call makes are there, and what
comes back is compared on the CPU with what PyTorch answered there."""

import gzip
import io
import pathlib

import pooling_asking
import sequences_asking
import torch
import vision_asking
from nn_asking import ask_function, ask_module, made
from test_golden_nn import agree

DATA = pathlib.Path(__file__).resolve().parent / "data"
EXACT = (1e-7, 1e-9)
# How far off results of a dtype may be: kernels of a device add in another order.
NEAR = {torch.float16: (4e-3, 4e-3), torch.bfloat16: (3e-2, 3e-2), torch.float32: (1e-5, 1e-5), torch.complex64: (1e-5, 1e-5)}


def moved(value, device):
    """A value with all its tensors on the device; leaves stay leaves."""
    if isinstance(value, dict):
        return {name: moved(item, device) for name, item in value.items()}
    if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
        return type(value)(moved(item, device) for item in value)
    if not isinstance(value, torch.Tensor):
        return value
    return value.detach().to(device).requires_grad_(value.requires_grad)


def stored(name):
    return torch.load(io.BytesIO(gzip.decompress((DATA / f"{name}.pt.gz").read_bytes())))


def near_of(value):
    """The tolerance of the narrowest dtype among the tensors of a value."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return max(map(near_of, value), default=EXACT)
    return NEAR.get(value.dtype, EXACT) if isinstance(value, torch.Tensor) else EXACT


def made_here(constructor):
    """A module of the CPU, whatever device is the default."""
    with torch.device("cpu"):
        return made(constructor)


def _modules(row, constructor):
    def ask(device):
        module = made_here(constructor)
        module.load_state_dict(row["before"])
        return [ask_module(module.to(device), moved(row["inputs"], device), training) for training in (True, False)]

    return ask, [row["train"], row["eval"]]


def _module(row, constructor):
    return lambda device: ask_module(made_here(constructor).to(device), moved(row["inputs"], device), True), row["answer"]


def _calls(asking):
    def case(row, call):
        answer = row["answer"] if "answer" in row else {k: v for k, v in row.items() if k != "operands"}
        return lambda device: asking(call, moved(row["operands"], device)), answer

    return case


def _result(row, call):
    return lambda device: ask_function(call, moved(row["operands"], device))["result"], row["answer"]["result"]


TABLES = [  # (the name of a file of data, a table in it, how its rows are asked)
    ("functions", None, _calls(ask_function)),
    ("modules", None, _modules),
    ("attention", None, _calls(ask_function)),
    ("normalization", "functions", _calls(ask_function)),
    ("normalization", "twice", _calls(pooling_asking.ask_twice)),
    ("pointwise", "once", _calls(ask_function)),
    ("pointwise", "twice", _calls(pooling_asking.ask_twice)),
    ("pointwise", "floats", _result),
    ("pooling", "functions", _calls(ask_function)),
    ("pooling", "modules", _module),
    ("pooling", "twice", _calls(pooling_asking.ask_twice)),
    ("sequences", "functions", _calls(sequences_asking.ask)),
    ("sequences", "twice", _calls(sequences_asking.ask_twice)),
    ("vision", "functions", _calls(ask_function)),
    ("vision", "twice", _calls(pooling_asking.ask_twice)),
    ("vision", "dtypes", _calls(vision_asking.ask_dtype)),
]


def cases():
    """{"file table: call": (the function of a device that gives our answer, PyTorch's)}"""
    found = {}
    data = {name: stored(name) for name, _, _ in TABLES}
    for name, table, case in TABLES:
        rows = data[name] if table is None else data[name][table]
        for call, row in rows.items():
            found[f"{name} {table}: {call}" if table else f"{name}: {call}"] = case(row, call)
    return found


def differing(case, device):
    """What is wrong with our answer on the device, in words; "" if nothing is."""
    ask, answer = case
    torch.manual_seed(0)
    try:
        with torch.device(device):
            mine = ask(device)
        torch.cuda.synchronize()
        agree(moved(mine, "cpu"), answer, "", near_of(answer))
    except AssertionError as error:
        return f"differs: {error}"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""
