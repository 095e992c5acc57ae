"""What programs that ask about devices hear: device_calls.json, PyTorch's answers on a machine without devices.

What a call gives is {"value": repr}, {"kind": the type's name} or {"raises": the exception's name, "says": the phrase that
programs match on, if it has one}; with "by accident" where PyTorch stumbles over a function that its compiled part lacks in
this build: then any refusal is right.
"""

import contextlib
import importlib
import io
import json
import pathlib
import tomllib
import warnings

HERE = pathlib.Path(__file__).resolve().parent

# What programs look for in messages.
PHRASES = """not compiled with CUDA
not compiled with XPU
not compiled with MTIA
without MPS backend
without MTIA backend
MPS is not available
Cannot access accelerator device when none is available
requires CUDA
requires XPU
requires MTIA
not supported on this platform
pyzes is required""".splitlines()
PLAIN = (type(None), bool, int, float, complex, str, bytes)


# ---- what a call gives ---------------------------------------------------------------------------------------
def _plain(value):
    """Whether repr says all of a value."""
    if isinstance(value, dict):
        return all(map(_plain, value.values()))
    if isinstance(value, (tuple, list, set)):
        return all(map(_plain, value))
    return isinstance(value, PLAIN)


def _raised(error):
    message = str(error)
    found = {"raises": type(error).__name__}
    says = next((one for one in PHRASES if one.lower() in message.lower()), None)
    accident = "module 'torch._C' has no attribute" in message or "dummy base class" in message
    return found | ({"says": says} if says else {}) | ({"by accident": True} if accident else {})


def outcome(call, space):
    """What a call gives, and the exception that it raised or None."""
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            value = eval(call, space)
    except Exception as error:
        return _raised(error), error
    if _plain(value):
        return {"value": repr(dict(value) if isinstance(value, dict) else value)}, None
    return {"kind": type(value).__name__}, None


def outcomes(calls):
    """[(call, what it gives)], one after the other in this process, whose state they change."""
    import torch

    space = {"torch": torch}
    for path in {call.partition("(")[0].rpartition(".")[0] for call in calls if call.startswith("torch.")}:
        with contextlib.suppress(ImportError):
            importlib.import_module(path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [(call, outcome(call, space)[0]) for call in calls]


# ---- ours ----------------------------------------------------------------------------------------------------
def recorded():
    """[(call, what it gives with PyTorch)]"""
    return [tuple(pair) for pair in json.loads((HERE / "device_calls.json").read_text())]


def differs():
    """{call: why ours gives something else}"""
    return tomllib.loads((HERE / "devices_differ.toml").read_text())


def disagreement(call, wanted, space):
    """What ours gives, as text, if it is not what is wanted; else None."""
    found, error = outcome(call, space)
    if "raises" not in wanted or error is None:
        return None if found == wanted else f"{found}, not {wanted}"
    kinds = {kind.__name__ for kind in type(error).__mro__}
    right = wanted.get("by accident") or (wanted["raises"] in kinds and wanted.get("says") in (None, found.get("says")))
    return None if right and len(str(error)) > 10 else f"{error!r}, not {wanted}"


def names():
    """The dotted names that are called, but for those of which ours gives something else."""
    called = {call.partition("(")[0] for call, _ in recorded() if call.startswith("torch.")}
    return called - {call.partition("(")[0] for call in differs()}
