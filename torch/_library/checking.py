"""torch.library.opcheck: whether what an operator says of itself is true."""

from __future__ import annotations

import torch
from torch._library import dispatch

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

TESTS = ("test_schema", "test_autograd_registration", "test_faketensor")
# PyTorch's other tests compile the operator, which nothing here does.
_COMPILED = ("test_aot_dispatch_dynamic", "test_aot_dispatch_static")


class OpCheckError(Exception):
    """An operator that is not what it says."""


class MetadataMismatchError(Exception):
    """A fake whose result is not like the real one."""

    def __init__(self, reason):
        super().__init__(reason)
        self.reason = reason


def opcheck(
    op,
    args: tuple[Any, ...],
    kwargs: dict[str, Any] | None = None,
    *,
    test_utils: str | Sequence[str] = TESTS,
    raise_exception: bool = True,
    atol: float | None = None,
    rtol: float | None = None,
) -> dict[str, str]:
    """Calls an operator with these arguments, and compares what it does with what was registered for it.

    `test_schema`: it writes the arguments that its schema says, and no others, and returns an alias only where the schema
    says so. `test_autograd_registration`: where arguments require gradients, something is registered for them, or nothing
    is recorded. `test_faketensor`: its fake, on the meta device, gives results of the same shape, strides and dtype.
    Returns {test: "SUCCESS"}, and with `raise_exception=False` the exception instead of it; else OpCheckError is raised.
    `atol` and `rtol` are for PyTorch's tests that compile the operator, which nothing here does.
    """
    overload = getattr(op, "_opoverload", op)
    operator = getattr(overload, "_entry", None)
    if operator is None:
        raise ValueError(f"opcheck(op, ...): op must be an operator of torch.ops, made by torch.library; got {op!r}")
    wanted = [test_utils] if isinstance(test_utils, str) else list(test_utils)
    for name in wanted:
        if name in _COMPILED:
            raise NotImplementedError(f"opcheck(): {name} compiles the operator, which this torch cannot")
        if name not in TESTS:
            raise ValueError(f"opcheck(): test_utils must be among {TESTS}, got {name!r}")
    found = {}
    for name in wanted:
        values = operator.binder.bind(_copied(args), _copied(kwargs or {}))
        try:
            globals()[f"_{name}"](operator, values)
        except Exception as error:  # noqa: BLE001 - whatever the operator raises is what was found
            if raise_exception:
                raise OpCheckError(f"opcheck(op, ...): {name} failed with {error}") from error
            found[name] = error
        else:
            found[name] = "SUCCESS"
    return found


def _copied(values):
    """The arguments with tensors of their own, which the operator may write."""
    if isinstance(values, dict):
        return {name: _copied(value) for name, value in values.items()}
    if isinstance(values, (list, tuple)):
        return type(values)([_copied(value) for value in values])
    if isinstance(values, torch.Tensor):
        return values.detach().clone().requires_grad_(values.requires_grad)
    return values


def _flat(value):
    return [each for each in (value if isinstance(value, (list, tuple)) else [value]) if isinstance(each, torch.Tensor)]


def _memory(tensor):
    return tensor.untyped_storage()._cdata


def _test_schema(operator, values):
    arguments = operator.schema.arguments
    before = [[tensor.detach().clone() for tensor in _flat(value)] for value in values]
    with torch.no_grad():
        result = dispatch.run(operator, values)
    for argument, value, copies in zip(arguments, values, before, strict=True):
        changed = any(not _same(tensor, copy) for tensor, copy in zip(_flat(value), copies, strict=True))
        if changed and not argument.is_write:
            raise RuntimeError(f"Argument {argument.name} is not defined as mutable but was mutated")
    returned = [result] if len(operator.schema.returns) == 1 else list(result or ())
    for place, (declared, value) in enumerate(zip(operator.schema.returns, returned, strict=True)):
        for argument, given in zip(arguments, values, strict=True):
            shared = {_memory(tensor) for tensor in _flat(given)} & {_memory(tensor) for tensor in _flat(value)}
            allowed = (
                declared.alias_info is not None
                and argument.alias_info is not None
                and bool(declared.alias_info.before_set & argument.alias_info.after_set)
            )
            if shared and not allowed:
                raise RuntimeError(f"Argument {argument.name} is not defined to alias output {place} but was aliasing")


def _same(tensor, copy):
    if tensor.is_meta:
        return True
    return tensor.shape == copy.shape and torch.equal(torch.nan_to_num(tensor.detach()), torch.nan_to_num(copy))


def _test_autograd_registration(operator, values):
    tensors = operator.tensors(values)
    needing = [tensor for tensor in tensors if tensor.requires_grad]
    if not needing:
        return
    devices = {tensor.device.type for tensor in tensors}
    if not devices <= {"cpu", "cuda"}:
        raise NotImplementedError(
            f"autograd_registration_check: only for tensors on cpu and cuda, not {sorted(devices)}"
        )
    names = [f"Autograd{device.upper()}" for device in devices] + ["Autograd", "CompositeImplicitAutograd"]
    if operator.kernel(*names) is not None:
        return
    with torch.enable_grad():
        result = dispatch.run(operator, values)
    if any(tensor.requires_grad for tensor in _flat(result)):
        raise AssertionError(
            f"Operator {operator.qualified} returned outputs that require grad where an input does, and no autograd "
            "kernel: their gradients are those of what its kernel happened to call. Register one by "
            "torch.library.register_autograd"
        )


def _test_faketensor(operator, values):
    with torch.no_grad():
        meta = [_on_meta(value) for value in values]
        fake = dispatch.run(operator, meta)
        real = dispatch.run(operator, values)
    name = f"{operator.namespace}.{operator.name}.{operator.overload or 'default'}"
    fakes, reals = _flat_all(fake), _flat_all(real)
    where = (
        f"When comparing the output of {name} on meta tensors and concrete Tensors, found mismatched tensor metadata"
    )
    if len(fakes) != len(reals):
        raise MetadataMismatchError(f"{where}: {len(reals)} tensors and {len(fakes)}")
    for place, (one, other) in enumerate(zip(reals, fakes, strict=True)):
        for what, of in _METADATA:
            if of(one) != of(other):
                raise MetadataMismatchError(
                    f"{where}: {what} {of(one)} and {of(other)} are not equal! (output {place})"
                )


# Strides count where steps of them are taken: not along dimensions of one element, nor where there is none.
_METADATA = (
    ("Shapes", lambda tensor: tensor.shape),
    ("Dtypes", lambda tensor: tensor.dtype),
    (
        "Strides",
        lambda tensor: tensor.numel() and tuple(s for s, n in zip(tensor.stride(), tensor.shape, strict=True) if n > 1),
    ),
    ("Layouts", lambda tensor: tensor.layout),
)


def _flat_all(value):
    if isinstance(value, (list, tuple)):
        return [tensor for each in value for tensor in _flat_all(each)]
    return [value] if isinstance(value, torch.Tensor) else []


def _on_meta(value):
    if isinstance(value, list):
        return [_on_meta(each) for each in value]
    if isinstance(value, torch.device):
        return torch.device("meta")
    if not isinstance(value, torch.Tensor):
        return value
    return torch.empty_strided(value.shape, value.stride(), dtype=value.dtype, device="meta")
