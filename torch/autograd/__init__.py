"""Gradients: the backward pass, whether operations are recorded, and operations with gradients of one's own."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import overload

import torch
from torch import _C
from torch.autograd import anomaly_mode, forward_ad, function, grad_mode, graph
from torch.autograd.anomaly_mode import detect_anomaly, set_detect_anomaly
from torch.autograd.function import Function, NestedIOFunction
from torch.autograd.grad_mode import (
    enable_grad,
    enforce_grad_layout_policy,
    inference_mode,
    is_multithreading_enabled,
    no_grad,
    set_grad_enabled,
    set_multithreading_enabled,
)
from torch.autograd.gradcheck import gradcheck, gradgradcheck
from torch.autograd.variable import Variable
from torch.overrides import handle_torch_function, has_torch_function

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor

    _Places = Tensor | Sequence[Tensor] | graph.GradientEdge | Sequence[graph.GradientEdge]

__all__ = [
    "Function",
    "NestedIOFunction",
    "Variable",
    "backward",
    "detect_anomaly",
    "enable_grad",
    "enforce_grad_layout_policy",
    "grad",
    "grad_mode",
    "gradcheck",
    "gradgradcheck",
    "inference_mode",
    "no_grad",
    "set_detect_anomaly",
    "set_grad_enabled",
    "set_multithreading_enabled",
    "variable",
]


def _is_one(places):
    return isinstance(places, (torch.Tensor, graph.GradientEdge))


def _tuple_of(places):
    return (places,) if _is_one(places) else tuple(places)


def _first_gradients(grad_tensors, length):
    if grad_tensors is None:
        return (None,) * length
    return (grad_tensors,) if isinstance(grad_tensors, torch.Tensor) else tuple(grad_tensors)


def _check_count(tensors, grads):
    if len(tensors) != len(grads):
        raise RuntimeError(f"got {len(tensors)} tensors and {len(grads)} gradients")


def _overloads(*places):
    return tuple(place for each in places for place in each if isinstance(place, torch.Tensor))


def backward(
    tensors: _Places,
    grad_tensors: Tensor | Sequence[Tensor | None] | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    grad_variables: Tensor | Sequence[Tensor | None] | None = None,
    inputs=None,
) -> None:
    """Adds the gradients of `tensors` to the `.grad` of the leaves that they were computed from.

    `tensors`: a tensor or GradientEdge, or several. `grad_tensors`: a gradient for each, of its shape; None for scalars,
    whose gradient is 1. `retain_graph`: what the graph has saved is kept for another pass (default: `create_graph`).
    `create_graph`: the pass is recorded, so that its results have gradients, too. `inputs`: the tensors that get a
    gradient, instead of all leaves; a list, or a dict's values.

    RuntimeError if a tensor has no gradient, if shapes differ, if the graph's saved tensors were freed or written.
    """
    if grad_variables is not None:
        warnings.warn("`grad_variables` is deprecated. Use `grad_tensors` instead.", FutureWarning, stacklevel=2)
        if grad_tensors is not None:
            raise RuntimeError(
                "`grad_tensors` and `grad_variables` (deprecated) arguments both passed to `backward()`. Please only use "
                "`grad_tensors`."
            )
        grad_tensors = grad_variables
    if inputs is not None and not _is_one(inputs) and len(inputs) == 0:
        raise RuntimeError("`inputs` argument to `backward()` cannot be empty.")
    tensors = _tuple_of(tensors)
    if inputs is None:
        inputs = ()
    else:
        inputs = tuple(inputs.values()) if isinstance(inputs, dict) else _tuple_of(inputs)
    grads = _first_gradients(grad_tensors, len(tensors))
    _check_count(tensors, grads)
    keep = create_graph if retain_graph is None else retain_graph
    _C._engine_run(tensors, grads, keep, create_graph, inputs, True, True)


@overload
def grad(
    outputs: _Places,
    inputs: _Places,
    grad_outputs: Tensor | Sequence[Tensor | None] | None = ...,
    retain_graph: bool | None = ...,
    create_graph: bool = ...,
    only_inputs: bool = ...,
    allow_unused: bool | None = ...,
    is_grads_batched: bool = ...,
    materialize_grads: bool = ...,
) -> tuple[Tensor, ...]: ...


@overload
def grad(
    outputs: _Places,
    inputs: dict[str, Tensor],
    grad_outputs: Tensor | Sequence[Tensor | None] | None = ...,
    retain_graph: bool | None = ...,
    create_graph: bool = ...,
    only_inputs: bool = ...,
    allow_unused: bool | None = ...,
    is_grads_batched: bool = ...,
    materialize_grads: bool = ...,
) -> dict[str, Tensor]: ...


def grad(
    outputs: _Places,
    inputs: _Places | dict[str, Tensor],
    grad_outputs: Tensor | Sequence[Tensor | None] | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> tuple[Tensor, ...] | dict[str, Tensor]:
    """The gradients of the sum of `outputs`, weighted by `grad_outputs`, with respect to `inputs`: a tuple, or a dict if
    `inputs` is one. No `.grad` changes.

    `outputs`, `inputs`: a tensor or GradientEdge, or several. `grad_outputs`, `retain_graph`, `create_graph`: as in
    `backward`. `allow_unused`: None stands for the gradient of an input that the outputs do not depend on; otherwise
    that raises RuntimeError. `materialize_grads`: zeros stand for it. `is_grads_batched`: each of `grad_outputs` has one
    more dimension, the first, and so have the results: one pass for each of its elements.
    """
    if materialize_grads and allow_unused is False:
        raise ValueError(
            "Expected allow_unused to be True or not passed when materialize_grads=True, but got: allow_unused=False."
        )
    if allow_unused is None:
        allow_unused = materialize_grads
    if not only_inputs:
        warnings.warn(
            "only_inputs argument is deprecated and is ignored now (defaults to True). To accumulate gradient for other "
            "parts of the graph, please use torch.autograd.backward.",
            FutureWarning,
            stacklevel=2,
        )
    names = tuple(inputs) if isinstance(inputs, dict) else None
    outputs = _tuple_of(outputs)
    inputs = tuple(inputs.values()) if names is not None else _tuple_of(inputs)
    overloads = _overloads(outputs, inputs)
    if has_torch_function(overloads):
        return handle_torch_function(
            grad,
            overloads,
            outputs,
            inputs if names is None else dict(zip(names, inputs)),
            grad_outputs=grad_outputs,
            retain_graph=retain_graph,
            create_graph=create_graph,
            only_inputs=only_inputs,
            allow_unused=allow_unused,
            is_grads_batched=is_grads_batched,
            materialize_grads=materialize_grads,
        )
    if not inputs:
        raise RuntimeError("`inputs` argument to `grad()` cannot be empty.")
    grads = _first_gradients(grad_outputs, len(outputs))
    _check_count(outputs, grads)
    keep = create_graph if retain_graph is None else retain_graph
    run = _batched if is_grads_batched else _C._engine_run
    result = run(outputs, grads, keep, create_graph, inputs, False, allow_unused)
    if materialize_grads:
        result = _materialized(result, inputs, create_graph)
    return result if names is None else dict(zip(names, result))


def _materialized(grads, inputs, create_graph):
    if any(grad is None and not isinstance(place, torch.Tensor) for grad, place in zip(grads, inputs)):
        raise RuntimeError("materialize_grads cannot be used when the given input is a GradientEdge")
    return tuple(
        torch.zeros_like(place, requires_grad=create_graph) if grad is None else grad
        for grad, place in zip(grads, inputs)
    )


def _batched(outputs, grads, keep, create, inputs, accumulate, allow_unused):
    """A pass for each element of the gradients' first dimension, and what they give stacked."""
    for output, given in zip(outputs, grads):
        if given is not None and not isinstance(given, torch.Tensor):
            raise TypeError(f"gradients can be either Tensors or None, but got {type(given).__name__}")
        if given is not None and given.dim() == 0:
            raise IndexError("invalid index of a 0-dim tensor: the first dimension of each grad_output is the batch's")
        if given is None or not isinstance(output, torch.Tensor):
            continue
        if not len(given):
            raise IndexError("index 0 is out of bounds for dimension 0 with size 0: an empty batch of grad_outputs")
        if given.shape[1:] != output.shape:
            raise RuntimeError(
                "If `is_grads_batched=True`, we interpret the first dimension of each grad_output as the batch dimension. "
                "The sizes of the remaining dimensions are expected to match the shape of corresponding output, but a "
                f"mismatch was detected: a grad_output has a shape of {given.shape} and its output {output.shape}."
            )
    if any(grad is None for grad in grads):
        raise ValueError(
            "vmap(vjp, in_dims=0, ...)(<inputs>): Got in_dim=0 for some input without grad_outputs, which has no batch "
            "dimension"
        )
    sizes = [len(grad) for grad in grads]
    if len(set(sizes)) > 1:
        raise ValueError(
            f"vmap: Expected all tensors to have the same size in the mapped dimension, got sizes {sizes} for the mapped "
            "dimension"
        )
    count = sizes[0]
    rows = [
        _C._engine_run(
            outputs,
            tuple(None if grad is None else grad[i] for grad in grads),
            keep or i + 1 < count,
            create,
            inputs,
            accumulate,
            allow_unused,
        )
        for i in range(count)
    ]
    return tuple(None if column[0] is None else torch.stack(column) for column in zip(*rows))


def variable(*args, **kwargs):
    """Raises RuntimeError: torch.tensor is its name now."""
    raise RuntimeError("torch.autograd.variable(...) is deprecated, use torch.tensor(...) instead")


def _profiler_enabled():
    """Whether this thread is being profiled."""
    return _C._profiler_on()


_KINDS = ("DeviceType", "ProfilerActivity", "ProfilerConfig", "ProfilerState")


def __getattr__(name):
    if name in _KINDS:
        from torch.autograd import _profiler_kinds

        return getattr(_profiler_kinds, name)
    if name in ("_functions", "functional", "profiler", "profiler_util"):
        import importlib

        return importlib.import_module(f"torch.autograd.{name}")
    raise AttributeError(f"module 'torch.autograd' has no attribute '{name}'")
