"""Writes data/autocast.json and data/autocast_cuda.json: what PyTorch makes of autocast_cases.py.

cd tests/amp && PYTHON_WITH_TORCH generate_autocast.py

Of CUDA it needs no device: tensors without elements that pretend to be on one tell dtypes, which is all that is kept.
"""

import contextlib
import json
import pathlib
import warnings

import torch
from autocast_cases import CASES, DTYPES, Maker, run
from torch._subclasses.fake_tensor import FakeTensorMode

DATA = pathlib.Path(__file__).parent / "data"


def on_cpu(function, dtype, grad):
    return run(function, dtype, grad == "recorded", torch.autocast("cpu", dtype=torch.bfloat16))


@contextlib.contextmanager
def cuda():
    torch.set_autocast_enabled("cuda", True)
    try:
        yield
    finally:
        torch.set_autocast_enabled("cuda", False)
        torch.clear_autocast_cache()


def on_cuda(function, dtype):
    """The dtypes of the results; None where only elements tell."""
    try:
        with FakeTensorMode(), torch.no_grad(), cuda():
            found = function(Maker("cuda", dtype, False))
        results = list(found) if isinstance(found, tuple) else [found]
        return [str(x.dtype).removeprefix("torch.") for x in results]
    except Exception as error:  # which has many kinds for what cannot be pretended
        told = "unsafe to autocast" in str(error) or "ScalarType in at::autocast" in str(error)
        print(*[] if told else [dtype, str(error)[:150]])
        return "RuntimeError" if told else None


def write(name, found):
    text = json.dumps(
        {"torch": torch.__version__.partition("+")[0], "cases": found}, indent=None, separators=(",", ":")
    )
    (DATA / name).write_text(text.replace('},"', '},\n"') + "\n")


warnings.simplefilter("ignore")
found = {
    name: {dtype: {grad: on_cpu(function, dtype, grad) for grad in ("recorded", "plain")} for dtype in DTYPES}
    for name, function in CASES.items()
}
write("autocast.json", found)
write(
    "autocast_cuda.json",
    {
        name: {dtype: on_cuda(function, dtype) for dtype in DTYPES}
        for name, function in CASES.items()
        if not name.startswith("modules/")  # their weights cannot pretend
    },
)
