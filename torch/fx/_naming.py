"""How functions, types and arguments are called: in the printed graph, and in the generated code."""

import builtins
import sys
import types
from math import inf

import torch
import torch._ops

# Abbreviations of dtypes in notes about tensors.
dtype_abbrs = {
    torch.bfloat16: "bf16",
    torch.float64: "f64",
    torch.float32: "f32",
    torch.float16: "f16",
    torch.float8_e4m3fn: "f8e4m3fn",
    torch.float8_e5m2: "f8e5m2",
    torch.float8_e4m3fnuz: "f8e4m3fnuz",
    torch.float8_e5m2fnuz: "f8e5m2fnuz",
    torch.complex32: "c32",
    torch.complex64: "c64",
    torch.complex128: "c128",
    torch.int8: "i8",
    torch.int16: "i16",
    torch.int32: "i32",
    torch.int64: "i64",
    torch.bool: "b8",
    torch.uint8: "u8",
    torch.uint16: "u16",
    torch.uint32: "u32",
    torch.uint64: "u64",
}


def _torch_spaces():
    """Where functions of torch that say no more than their name are looked for: (how the space is called, the space)."""
    yield "torch", torch
    yield "torch._C._nn", torch._C._nn
    yield "torch.nn.functional", torch.nn.functional
    for name in ("linalg", "fft", "special"):
        yield f"torch.{name}", getattr(torch, name)


def _find_module_of_method(orig_method):
    """The module, as text, that a function made in C comes from. RuntimeError if it is none of torch's."""
    name = orig_method.__name__
    module = getattr(orig_method, "__module__", None)
    if module is not None and getattr(sys.modules.get(module), name, None) is orig_method:
        return module
    for path, space in _torch_spaces():
        if getattr(space, name, None) is orig_method:
            return path
    raise RuntimeError(f"cannot find module for {orig_method}")


_PREFIXES = ("linalg_", "fft_", "special_", "nn_")  # of operators that torch.linalg, torch.fft … have
_qualified = {}


def _qualified_builtin(func):
    name = func.__name__
    for path, space in _torch_spaces():
        if getattr(space, name, None) is func:
            return f"{path}.{name}"
    for prefix in _PREFIXES:
        space = sys.modules.get(f"torch.{prefix[:-1]}")
        short = name.removeprefix(prefix)
        if short != name and getattr(space, short, None) is func:
            return f"{space.__name__}.{short}"
    return None


def _get_qualified_name(func):
    """Where a function is found, as text: "torch.add", "math.sqrt"; of built-in functions and functions defined by
    `lambda` the name alone."""
    try:
        found = _qualified.get(func)
    except TypeError:  # it has no hash
        return _qualify(func)
    if found is None:
        found = _qualify(func)
        if getattr(func, "__module__", "").partition(".")[0] in ("torch", "_operator", "math", "builtins"):
            _qualified[func] = found
    return found


def _qualify(func):
    name = getattr(func, "__name__", None)
    if getattr(builtins, name or "", None) is func:
        return name
    if isinstance(func, torch._ops.OpOverload) or isinstance(func, torch._ops.OpOverloadPacket):
        return f"torch.ops.{str(func)}"
    if isinstance(func, (types.MethodDescriptorType, types.WrapperDescriptorType)):
        owner = func.__objclass__
        if issubclass(torch.Tensor, owner) and owner is not object:
            return f"torch.Tensor.{name}"
        return f"{owner.__module__}.{owner.__qualname__}.{name}"
    if isinstance(func, (types.MethodType, types.FunctionType)) and name == "<lambda>":
        return _named_lambda(func)
    if isinstance(func, types.BuiltinFunctionType) and (func.__module__ or "torch").startswith("torch"):
        found = _qualified_builtin(func)
        if found is not None:
            return found
    if name is None:
        raise RuntimeError(f"{func!r} has no __name__, by which generated code could call it")
    module = getattr(func, "__module__", None) or _find_module_of_method(func)
    module = module.replace("torch._ops", "torch.ops")
    if module == "torch" and isinstance(func, type) and not hasattr(torch, name):
        module = "torch._C"
    return f"{module}.{name}"


def _named_lambda(func):
    """A lambda is called by the name that its module has for it, if any."""
    module = sys.modules.get(func.__module__)
    for name, value in list(vars(module).items()) if module else ():
        if value is func:
            return f"{func.__module__}.{name}"
    return f"{func.__module__}.{func.__name__}"


def _type_repr(obj):
    """A type as it is written in a program."""
    if isinstance(obj, type) and not isinstance(obj, types.GenericAlias):
        if obj.__module__ == "builtins":
            return obj.__qualname__
        return f"{obj.__module__}.{obj.__qualname__}"
    if obj is Ellipsis:
        return "..."
    if isinstance(obj, types.FunctionType):
        return obj.__name__
    return repr(obj)


def _format_arg(arg, max_list_len=inf):
    """An argument in the printed graph: nodes with a percent sign."""
    form = getattr(arg, "_custom_fx_repr_fn", None)
    if form is not None:
        return form()
    from torch.fx.node import Node

    if isinstance(arg, Node):
        return f"%{arg}"
    if isinstance(arg, dict):
        inside = ", ".join(f"{key}: {_format_arg(value)}" for key, value in arg.items())
        return f"{{{inside}}}"
    if isinstance(arg, (list, tuple)) and type(arg) is not torch.Size:
        parts = [_format_arg(item) for i, item in enumerate(arg) if i < max_list_len]
        if len(arg) > max_list_len:
            parts.append(f"...[total_len={len(arg)}]")
        inside = ", ".join(parts)
        if isinstance(arg, list):
            return f"[{inside}]"
        return f"({inside}{',' if len(arg) == 1 else ''})"
    return str(arg)


def _pretty_print_target(target):
    """A target in the printed graph."""
    if isinstance(target, str):
        return target
    module = getattr(target, "__module__", None)
    name = getattr(target, "__name__", None)
    if module == "builtins" and name:
        return f"builtins.{name}"
    if module == "_operator":
        return f"operator.{name}"
    return _get_qualified_name(target)
