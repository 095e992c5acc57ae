"""The graph of gradients: its nodes, hooks on several tensors, and what is kept for the backward pass."""

from __future__ import annotations

import abc
import collections
import collections.abc
import contextlib
import threading
import weakref
from collections.abc import Callable, Generator, Iterable, Sequence
from typing import Any, Literal

import torch
from torch import _C
from torch.overrides import TorchFunctionMode

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from torch import Tensor
    from torch.utils.hooks import RemovableHandle

__all__ = [
    "GradientEdge",
    "Node",
    "allow_mutation_on_saved_tensors",
    "disable_saved_tensors_hooks",
    "get_gradient_edge",
    "increment_version",
    "region_activation_memory_budget",
    "register_multi_grad_hook",
    "save_on_cpu",
    "saved_tensors_hooks",
]


class Node(metaclass=abc.ABCMeta):  # isinstance() asks __subclasshook__
    """What `grad_fn` of a tensor is: the derivative of one recorded call.

    `name()`; `next_functions`: (node, output number) for each input of the call; `metadata`: a dict;
    `register_hook(function)`: function(grad_inputs, grad_outputs) is called when the node has run;
    `register_prehook(function)`: function(grad_outputs) before it does.
    """

    __slots__ = ()

    @abc.abstractmethod
    def name(self) -> str:
        """The node's name, as error messages give it."""

    @property
    @abc.abstractmethod
    def next_functions(self) -> tuple[tuple[Node | None, int], ...]:
        """(node, output number) for each input of the forward call."""

    @property
    @abc.abstractmethod
    def metadata(self) -> dict:
        """A dict of what has been noted of the node."""

    @abc.abstractmethod
    def register_hook(self, fn: Callable[..., Any]) -> RemovableHandle:
        """Calls fn(grad_inputs, grad_outputs) each time the node has run."""

    @abc.abstractmethod
    def register_prehook(self, fn: Callable[..., Any]) -> RemovableHandle:
        """Calls fn(grad_outputs) each time before the node runs."""

    @classmethod
    def __subclasshook__(cls, other) -> bool:
        return issubclass(other, (_C._Node, _C._FunctionBase)) if cls is Node else NotImplemented


class GradientEdge(collections.namedtuple("GradientEdge", ("node", "output_nr", "ownership_token"), defaults=(None,))):
    """Where the gradient of a tensor goes: output `output_nr` of `node`. May stand for the tensor in torch.autograd.grad
    and backward, and keeps no memory of it."""

    __slots__ = ()


def get_gradient_edge(tensor: Tensor) -> GradientEdge:
    """The GradientEdge of a tensor. RuntimeError if it requires no gradient."""
    if not tensor.requires_grad:
        raise RuntimeError("It is not possible to get the gradient edge for a Tensor that does not require gradients")
    return GradientEdge(*_C._gradient_edge(tensor))


def increment_version(tensor: Tensor | Iterable[Tensor]) -> None:
    """Counts a write into the tensor, or into each of several: what was saved of it for a backward pass is refused there."""
    if isinstance(tensor, torch.Tensor):
        tensor = (tensor,)
    if not isinstance(tensor, collections.abc.Iterable):
        raise RuntimeError(f"increment_version expect a Iterable[Tensor] as input, got {type(tensor).__name__}")
    for each in tensor:
        _C._increment_version(each)


# ---- what is saved for the backward pass -------------------------------------------------------------------
class saved_tensors_hooks:  # noqa: N801 - torch's name
    """A context in which pack_hook(tensor) is called with each tensor that is saved for the backward pass; what it
    returns is kept instead, and given to unpack_hook when the tensor is wanted, which must return one of equal values.
    pack_hook must not change its argument. The innermost pair of the thread counts."""

    def __init__(self, pack_hook: Callable[[Tensor], Any], unpack_hook: Callable[[Any], Tensor]) -> None:
        self.pack_hook = pack_hook
        self.unpack_hook = unpack_hook

    def __enter__(self) -> None:
        _C._push_saved_tensors_hooks(self.pack_hook, self.unpack_hook)

    def __exit__(self, *error: object) -> None:
        _C._pop_saved_tensors_hooks()


class save_on_cpu(saved_tensors_hooks):  # noqa: N801 - torch's name
    """A context in which what is saved for the backward pass waits for it in the host's memory; with `pin_memory` in
    pinned memory, which the device `device_type` reads by itself."""

    def __init__(self, pin_memory: bool = False, device_type: str = "cuda") -> None:
        def pack(tensor):
            if not pin_memory:
                return tensor.device, tensor.cpu()
            there = getattr(torch, device_type).is_available() and not tensor.is_sparse
            packed = torch.empty(tensor.size(), dtype=tensor.dtype, layout=tensor.layout, pin_memory=there)
            packed.copy_(tensor)
            return tensor.device, packed

        def unpack(packed):
            device, tensor = packed
            return tensor.to(device, non_blocking=pin_memory)

        super().__init__(pack, unpack)


@contextlib.contextmanager
def disable_saved_tensors_hooks(error_message: str) -> Generator[None, None, None]:
    """A context in which saved_tensors_hooks raises RuntimeError with this message, in the calling thread."""
    before = _C._disable_saved_tensors_hooks(error_message)
    try:
        yield
    finally:
        _C._disable_saved_tensors_hooks(before)


# ---- writes into what was saved ----------------------------------------------------------------------------
class _Saved:
    """Stands for a tensor that was saved at a version."""


class _Mutations:
    """Which saved tensors are as they were, and copies of those that were written since."""

    def __init__(self):
        self.clear()

    def clear(self):
        """Forgets all of them: the context has ended."""
        self.cloned = weakref.WeakKeyDictionary()
        self.original = weakref.WeakKeyDictionary()
        self.handles = weakref.WeakValueDictionary()

    @staticmethod
    def _key(tensor):
        place = tensor.data_ptr() if tensor.numel() else id(tensor)
        return tensor.untyped_storage()._cdata, place, tuple(tensor.shape), tensor.stride(), tensor._version

    def pack(self, tensor):
        """What is kept instead of a tensor."""
        key = self._key(tensor)
        handle = self.handles.get(key)
        if handle is None:
            handle = self.handles[key] = _Saved()
            self.original[handle] = tensor
        return handle

    def unpack(self, handle):
        """The tensor that `pack` was given, as it was."""
        if handle in self.cloned:
            return self.cloned[handle]
        if handle not in self.original:
            raise AssertionError(
                "Trying to backward outside of the 'allow_mutation_on_saved_tensors' context in which the "
                "graph was originally recorded."
            )
        return self.original[handle]

    def about_to_write(self, tensor):
        """Copies what was saved in the memory that is written now."""
        storage = tensor.untyped_storage()._cdata
        for handle, saved in list(self.original.items()):
            if saved.untyped_storage()._cdata == storage:
                with torch.no_grad():
                    self.cloned[handle] = saved.clone()
                del self.original[handle]


_allowing = threading.local()


class _CopyBeforeWrite(TorchFunctionMode):
    def __init__(self, mutations):
        super().__init__()
        self.mutations = mutations

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        name = getattr(func, "__name__", "")
        special = name.startswith("__") and name.endswith("__")
        if (name.endswith("_") and not special) or name == "__setitem__" or (special and name.startswith("__i")):
            written = args[:1]
        else:
            out = kwargs.get("out")
            written = out if isinstance(out, (tuple, list)) else (out,)
        for tensor in written:
            if isinstance(tensor, torch.Tensor) and not tensor.is_meta:
                self.mutations.about_to_write(tensor)
        return func(*args, **kwargs)


@contextlib.contextmanager
def allow_mutation_on_saved_tensors():
    """A context in which tensors that were saved for the backward pass may be written all the same: they are copied before.
    The backward pass has to run in it, too."""
    if getattr(_allowing, "mutation", False):
        raise RuntimeError("allow_mutation_on_saved_tensors contexts cannot be nested")
    mutations = _Mutations()
    _allowing.mutation = True
    with saved_tensors_hooks(mutations.pack, mutations.unpack), _CopyBeforeWrite(mutations):
        try:
            yield mutations
        finally:
            mutations.clear()
            _allowing.mutation = False


# ---- hooks on several tensors ------------------------------------------------------------------------------
class _Handles:
    """The handles of one hook on several tensors, as one."""

    def __init__(self, handles):
        self.handles = handles

    def remove(self):
        """Takes the hook away from all of them."""
        for handle in self.handles:
            handle.remove()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.remove()


def _pass_number():
    number = _C._current_graph_task_id()
    if number == -1:
        raise AssertionError("expected this hook to be called inside a backward call")
    return number


def register_multi_grad_hook(
    tensors: Sequence[Tensor],
    fn: Callable[[Sequence[Tensor | None]], None] | Callable[[Tensor], None],
    *,
    mode: Literal["all", "any"] = "all",
) -> RemovableHandle:
    """Calls a function once in each backward pass. mode "all": fn(gradients), a list with one for each tensor and None for
    those that the pass does not reach, when the last of them is there. mode "any": fn(gradient) with the first one.
    Returns a handle with a `remove()`. AssertionError if a tensor requires no gradient; with mode "any" it does not count.
    """
    if mode not in ("all", "any"):
        raise ValueError(f"Expects mode to be one of ('all', 'any') but got {mode}")
    tensors = tuple(tensors)
    lock = threading.Lock()

    if mode == "any":
        seen = set()

        def first(grad):
            number = _pass_number()
            with lock:
                if number in seen:
                    return
                seen.add(number)
            _C._queue_callback(lambda: seen.discard(number))
            fn(grad)

        return _Handles(tuple(tensor.register_hook(first) for tensor in tensors if tensor.requires_grad))

    for tensor in tensors:
        if not tensor.requires_grad:
            raise AssertionError(
                "Expected gradient function to be set: a tensor that requires no gradient is among them"
            )
    nodes = [get_gradient_edge(tensor).node for tensor in tensors]
    passes = {}  # number of a pass -> [how many gradients are missing, gradients]

    def each(place):
        def hook(grad):
            number = _pass_number()
            with lock:
                if number not in passes:
                    passes[number] = [sum(map(_C._will_engine_execute_node, nodes)), [None] * len(tensors)]
                state = passes[number]
                state[0] -= 1
                state[1][place] = grad
                complete = state[0] == 0
                if complete:
                    del passes[number]
            if complete:
                fn(state[1])

        return hook

    return _Handles(tuple(tensor.register_hook(each(i)) for i, tensor in enumerate(tensors)))


def region_activation_memory_budget(budget: float) -> AbstractContextManager[None]:
    """How much of its activations a compiled region may keep for the backward pass, from 0 to 1. Nothing is compiled here,
    so that it raises what PyTorch raises outside of a compiled region: RuntimeError; TypeError for what is no number and
    ValueError for one outside [0, 1]."""
    name = "torch.autograd.graph.region_activation_memory_budget"
    if isinstance(budget, bool) or not isinstance(budget, (int, float)):
        raise TypeError(f"{name}: expects a float, got {type(budget).__name__}")
    if not 0 <= budget <= 1:
        raise ValueError(f"{name}: must be in [0, 1], got {budget}")
    raise RuntimeError(
        f"{name} can only be used inside a torch.compile region; it has no effect in eager mode. Use "
        "torch.utils.checkpoint to recompute activations"
    )


def _never(name, enabled, why):
    """A switch that stays off."""
    if not isinstance(enabled, bool):
        raise RuntimeError(f"{name}: enabled must be a bool, but got {type(enabled).__name__}")
    if enabled:
        raise NotImplementedError(f"torch.autograd.graph.{name}(True): {why}")


def set_override_stale_capture_stream(enabled: bool) -> None:
    """Whether a pass in a captured graph of CUDA may replace streams that are not captured. NotImplementedError for True."""
    _never("set_override_stale_capture_stream", enabled, "backward passes are not captured here, streams not replaced")


def set_warn_on_accumulate_grad_stream_mismatch(enabled: bool) -> None:
    """Whether there is a warning for gradients that are added on another stream than they were computed on. There is
    none; NotImplementedError for True."""
    _never("set_warn_on_accumulate_grad_stream_mismatch", enabled, "streams of gradients are not compared here")
