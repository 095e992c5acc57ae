"""Checkpoints: a part of a model whose intermediate results are not kept for the backward pass but computed again there.

Two ways. Reentrant: the part is one node of the graph; its backward() runs the part again, recorded this time, and a
backward pass of its own through that. Else: the part is recorded as ever, but what its nodes save is an empty holder; the
first one that is opened runs the part again, and what that saves, in the same order, fills all of them.
"""

from __future__ import annotations

import contextlib
import threading
import uuid
import warnings
import weakref
from collections.abc import Iterable
from typing import Any

import torch
from torch import _C
from torch.utils._checkpoint_log import Log
from torch.utils._pytree import tree_map
from torch.utils._selective_checkpoint import (
    SAC_IGNORED_OPS,
    CheckpointPolicy,
    SelectiveCheckpointContext,
    create_selective_checkpoint_contexts,
)

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from typing import Self

    from torch import Tensor

__all__ = [
    "CheckpointError",
    "CheckpointFunction",
    "CheckpointPolicy",
    "DefaultDeviceType",
    "GraphExecGroup",
    "SAC_IGNORED_OPS",
    "SelectiveCheckpointContext",
    "check_backward_validity",
    "checkpoint",
    "checkpoint_sequential",
    "create_selective_checkpoint_contexts",
    "detach_variable",
    "get_device_states",
    "noop_context_fn",
    "set_checkpoint_debug_enabled",
    "set_checkpoint_early_stop",
    "set_device_states",
]

_DEFAULT_DETERMINISM_MODE = "default"
_DETERMINISM_CHECKS = ("default", "none")


class CheckpointError(RuntimeError):
    """The second run of a part was not like the first."""


# ---- random numbers and autocast ---------------------------------------------------------------------------
class DefaultDeviceType:
    """The kind of device whose random numbers are the same in both runs if no argument tells: "cuda" at first."""

    _default_device_type = "cuda"

    @staticmethod
    def set_device_type(device: str = "cuda") -> None:
        """Sets it."""
        DefaultDeviceType._default_device_type = device

    @staticmethod
    def get_device_type() -> str:
        """Tells it."""
        return DefaultDeviceType._default_device_type


def _device_types(args):
    """The kinds of devices besides the CPU that the tensors among the arguments are on, and which devices."""
    found = {}

    def look(value):
        if isinstance(value, torch.Tensor) and value.device.type not in ("cpu", "meta"):
            found.setdefault(value.device.type, set()).add(value.get_device())
        return value

    tree_map(look, args)
    return found


def get_device_states(*args) -> tuple[list[int], list[Tensor]]:
    """(devices that tensors among the arguments are on, the state of each one's random numbers)."""
    found = _device_types(args)
    if not found:
        return [], []
    kind = next(iter(found))
    module = getattr(torch, kind)
    devices = sorted(found[kind])
    states = []
    for device in devices:
        with module.device(device):
            states.append(module.get_rng_state())
    return devices, states


def set_device_states(devices, states, *, device_type=None) -> None:
    """Sets the random numbers of devices to what `get_device_states` has told."""
    kind = DefaultDeviceType.get_device_type() if device_type is None else device_type
    if kind == "meta":
        return
    module = getattr(torch, kind)
    for device, state in zip(devices, states):
        with module.device(device):
            module.set_rng_state(state)


class _Surroundings:
    """Where the random numbers stood when the first run began, and what autocast did."""

    def __init__(self, args, preserve):
        kinds = ("cpu", "cuda") if torch.cuda.is_available() else ("cpu",)
        cache = torch.is_autocast_cache_enabled()
        self.autocast = [
            (kind, torch.get_autocast_dtype(kind), torch.is_autocast_enabled(kind), cache) for kind in kinds
        ]
        self.preserve = preserve
        if preserve:
            self.host = torch.get_rng_state()
            self.device_type = next(iter(_device_types(args)), "cuda")
            self.devices, self.states = get_device_states(*args)

    @contextlib.contextmanager
    def again(self):
        """A context in which all of it is so again."""
        with contextlib.ExitStack() as stack:
            for settings in self.autocast:
                stack.enter_context(torch.autocast(*settings))
            if self.preserve:
                stack.enter_context(torch.random.fork_rng(devices=self.devices, device_type=self.device_type))
                torch.set_rng_state(self.host)
                if self.devices:
                    set_device_states(self.devices, self.states, device_type=self.device_type)
            yield


# ---- reentrant ---------------------------------------------------------------------------------------------
def detach_variable(inputs: tuple[Any, ...]) -> tuple[Tensor, ...]:
    """The tuple with tensors that begin a graph of their own, and require gradients as they did. RuntimeError for other
    types."""
    if not isinstance(inputs, tuple):
        raise RuntimeError(f"Only tuple of tensors is supported. Got Unsupported input type: {type(inputs).__name__}")
    return tuple(
        value.detach().requires_grad_(value.requires_grad) if isinstance(value, torch.Tensor) else value
        for value in inputs
    )


def check_backward_validity(inputs: Iterable[Any]) -> None:
    """Warns if no tensor of `inputs` requires a gradient."""
    if not any(isinstance(value, torch.Tensor) and value.requires_grad for value in inputs):
        warnings.warn("None of the inputs have requires_grad=True. Gradients will be None", stacklevel=2)


class CheckpointFunction(torch.autograd.Function):
    """The node of a reentrant checkpoint."""

    @staticmethod
    def forward(ctx, run_function, preserve_rng_state, *args):
        check_backward_validity(args)
        ctx.run_function = run_function
        ctx.surroundings = _Surroundings(args, preserve_rng_state)
        # Tensors are kept as what is saved, other arguments as they are.
        ctx.inputs = [None if isinstance(arg, torch.Tensor) else arg for arg in args]
        ctx.places = [i for i, arg in enumerate(args) if isinstance(arg, torch.Tensor)]
        ctx.save_for_backward(*(args[i] for i in ctx.places))
        with torch.no_grad():
            return run_function(*args)

    @staticmethod
    def backward(ctx, *grads):
        if not _C._is_checkpoint_valid():
            raise RuntimeError(
                "When use_reentrant=True, torch.utils.checkpoint is incompatible with .grad() or passing an `inputs` "
                "parameter to .backward(). To resolve this error, you can either set use_reentrant=False, or call "
                ".backward() without passing the `inputs` argument."
            )
        inputs = list(ctx.inputs)
        for i, tensor in zip(ctx.places, ctx.saved_tensors):
            inputs[i] = tensor
        with ctx.surroundings.again():
            detached = detach_variable(tuple(inputs))
            with torch.enable_grad():
                outputs = ctx.run_function(*detached)
        if isinstance(outputs, torch.Tensor):
            outputs = (outputs,)
        recorded = [
            (output, grad)
            for output, grad in zip(outputs, grads)
            if isinstance(output, torch.Tensor) and output.requires_grad
        ]
        if not recorded:
            raise RuntimeError("none of output has requires_grad=True, this checkpoint() is not necessary")
        torch.autograd.backward([output for output, _ in recorded], [grad for _, grad in recorded])
        return None, None, *(value.grad if isinstance(value, torch.Tensor) else None for value in detached)


# ---- not reentrant -----------------------------------------------------------------------------------------
def noop_context_fn():
    """Two contexts that do nothing, for the first and the second run."""
    return contextlib.nullcontext(), contextlib.nullcontext()


class _Settings(threading.local):
    early_stop = None  # None: what the call says
    debug = None
    group = None


_settings = _Settings()


@contextlib.contextmanager
def set_checkpoint_early_stop(enable: bool):
    """A context in which checkpoints end their second run when all that is wanted of it is there, or do not, whatever
    their argument says."""
    before = _settings.early_stop
    _settings.early_stop = enable
    try:
        yield
    finally:
        _settings.early_stop = before


@contextlib.contextmanager
def set_checkpoint_debug_enabled(enabled: bool | None):
    """A context in which checkpoints write down what their runs call, or do not, whatever their argument `debug` says; None: as
    that says."""
    before = _settings.debug
    _settings.debug = enabled
    try:
        yield
    finally:
        _settings.debug = before


class GraphExecGroup:
    """A context for several backward passes that are parts of one: a checkpoint that they share is run again once for all of
    them. What one of them has unpacked no other can. RuntimeError inside of another one."""

    def __enter__(self) -> Self:
        if _settings.group is not None:
            raise RuntimeError(f"GraphExecGroup contexts cannot be nested. Already inside group {_settings.group}")
        _settings.group = self
        return self

    def __exit__(self, exc_type, exc_value, traceback) -> None:
        _settings.group = None

    @classmethod
    def _get_current_group(cls) -> GraphExecGroup | None:
        return _settings.group


class _Holder:
    """Stands for a tensor that was not kept."""

    def __init__(self) -> None:
        self.opened = set()  # the passes that have had it


class _StopRecomputation(Exception):  # noqa: N818 - no error
    pass


class _SaveInputs(torch.autograd.Function):
    """A node that does nothing but save tensors, so that hooks around the checkpoint see them, and writes are found."""

    @staticmethod
    def forward(anchor, *tensors):
        return torch.empty((0,))

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs[1:])

    @staticmethod
    def backward(ctx, *grads):
        raise AssertionError("Did not expect to backward on this graph")


def _description(tensor):
    return {"shape": tensor.shape, "dtype": tensor.dtype, "device": tensor.device}


class _Part:
    """One checkpoint: how to run it again, and what its first and second runs have saved."""

    def __init__(self, run_again, early_stop, check, log):
        self.run_again = run_again
        self.log = log
        self.early_stop = early_stop
        self.check = check
        self.holders = []  # weak references, in the order of saving
        self.descriptions = []
        self.values = {}  # pass -> {holder: tensor}
        self.counts = {}  # pass -> how many tensors its second run has saved
        self.saved_inputs = None
        self.complete = False  # the first run has ended

    def save_inputs(self, args):
        """Keeps the arguments of the second run."""
        self.places = [i for i, arg in enumerate(args) if isinstance(arg, torch.Tensor)]
        self.others = [None if isinstance(arg, torch.Tensor) else arg for arg in args]
        anchor = torch.empty((0,), requires_grad=True)
        with torch.enable_grad():
            self.saved_inputs = _SaveInputs.apply(anchor, *(args[i] for i in self.places))

    def inputs(self):
        """What `save_inputs` was given."""
        args = list(self.others)
        for i, tensor in zip(self.places, self.saved_inputs.grad_fn.saved_tensors):
            args[i] = tensor
        return args

    # ---- hooks of the first run ----------------------------------------------------------------------------
    def pack(self, tensor):
        """A holder for what a node saves."""
        holder = _Holder()
        self.holders.append(weakref.ref(holder))
        self.descriptions.append(_description(tensor))
        return holder

    def unpack(self, holder):
        """The tensor, from the second run."""
        number = _settings.group or _C._current_graph_task_id()
        if number == -1:
            number = uuid.uuid4().int  # a saved tensor that somebody looks at
        if number not in self.values:
            self._recompute(number)
        if number in holder.opened:
            raise CheckpointError(
                "torch.utils.checkpoint: Unpack is being triggered for a tensor that was already unpacked once. If you are "
                "calling ctx.saved_tensors in backward, make sure to do so only once. Otherwise please open an issue with "
                "details on your use case."
            )
        if holder not in self.values[number]:
            raise CheckpointError("torch.utils.checkpoint: the second run has not saved what the first one had")
        holder.opened.add(number)
        return self.values[number].pop(holder)

    def hooks(self):
        """The context of the first run."""
        return torch.autograd.graph.saved_tensors_hooks(self.pack, self.unpack)

    # ---- the second run ------------------------------------------------------------------------------------
    def _recompute(self, number):
        values = self.values[number] = weakref.WeakKeyDictionary()
        self.counts[number] = 0
        differing = []

        def pack(tensor):
            at = self.counts[number]
            self.counts[number] += 1
            if at >= len(self.holders):
                if self.early_stop and self.complete:
                    self.counts[number] -= 1
                    raise _StopRecomputation
                return tensor.detach()
            holder = self.holders[at]()
            if holder is not None:
                values[holder] = tensor.detach()
            if _description(tensor) != self.descriptions[at]:
                differing.append((at, self.descriptions[at], _description(tensor)))
            if self.early_stop and self.complete and at + 1 == len(self.holders):
                raise _StopRecomputation
            return tensor.detach()

        def unpack(tensor):
            return tensor

        with torch.enable_grad():  # what hooks around this checkpoint have packed comes back with its history
            arguments = self.inputs()
        try:
            with torch.autograd.graph.saved_tensors_hooks(pack, unpack), torch.enable_grad():
                self.run_again(*arguments)
        except _StopRecomputation:
            pass
        self._compare(number, differing)

    def _compare(self, number, differing):
        if self.counts[number] != len(self.holders):
            raise CheckpointError(
                "torch.utils.checkpoint: A different number of tensors was saved during the original forward and "
                f"recomputation.\nNumber of tensors saved during forward: {len(self.holders)}\nNumber of tensors saved "
                f"during recomputation: {self.counts[number]}.{self._hint()}"
            )
        if differing and self.check != "none":
            lines = "\n".join(
                f"tensor at position {at}:\nsaved metadata: {first}\nrecomputed metadata: {second}"
                for at, first, second in differing
            )
            raise CheckpointError(
                "torch.utils.checkpoint: Recomputed values for the following tensors have different metadata than during "
                f"the forward pass.\n{lines}.{self._hint()}"
            )

    def _hint(self):
        if self.log is None:
            return (
                "\n\nTip: checkpoint(..., debug=True), or `with torch.utils.checkpoint.set_checkpoint_debug_enabled(True):`, "
                "shows which operators both runs have called."
            )
        return "\n\n" + self.log.text()


@contextlib.contextmanager
def _first_run(function, args, kwargs, preserve, context_fn, check, early_stop, debug):
    log = Log() if debug else None
    first, second = log.contexts() if debug else context_fn()
    surroundings = _Surroundings((args, kwargs), preserve)

    def run_again(*inputs):
        with surroundings.again(), second:
            function(*inputs, **kwargs)

    part = _Part(run_again, _settings.early_stop if _settings.early_stop is not None else early_stop, check, log)
    part.save_inputs(args)
    if not torch.is_grad_enabled():
        yield
        return
    with part.hooks(), first:
        yield
    part.complete = True


# ---- what users call ---------------------------------------------------------------------------------------
def checkpoint(
    function,
    *args,
    use_reentrant: bool | None = None,
    context_fn=noop_context_fn,
    determinism_check: str = _DEFAULT_DETERMINISM_MODE,
    debug: bool = False,
    early_stop: bool = True,
    **kwargs,
):
    """function(*args, **kwargs), whose intermediate results are computed again in the backward pass instead of kept.

    `use_reentrant`: which way (True, with a warning, if it is missing; False is recommended). With True, at least one
    argument has to require a gradient, and torch.autograd.grad cannot pass. `preserve_rng_state=True`: both runs see the
    same random numbers. With False only: `context_fn`: gives two contexts, for the first and the second run;
    `determinism_check` "default": CheckpointError if the second run's tensors differ in shape, dtype or device, "none": no
    such check; `early_stop`: the second run ends when all that is wanted is there; `debug`: that error shows what both runs have
    called, from Python.
    """
    if determinism_check not in _DETERMINISM_CHECKS:
        raise ValueError(f"determinism_check should be one of {list(_DETERMINISM_CHECKS)}, but got {determinism_check}")
    if use_reentrant is None:
        warnings.warn(
            "torch.utils.checkpoint: the use_reentrant parameter should be passed explicitly. use_reentrant=False is "
            "recommended; use_reentrant=True is what is taken now.",
            stacklevel=2,
        )
        use_reentrant = True
    preserve = kwargs.pop("preserve_rng_state", True)
    if use_reentrant:
        if kwargs:
            raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
        if context_fn is not noop_context_fn or debug is not False:
            raise ValueError("Passing `context_fn` or `debug` is only supported when use_reentrant=False.")
        return CheckpointFunction.apply(function, preserve, *args)
    debug = debug if _settings.debug is None else _settings.debug
    if debug and context_fn is not noop_context_fn:
        raise ValueError("debug=True is incompatible with non-default context_fn")
    with _first_run(function, args, kwargs, preserve, context_fn, determinism_check, early_stop, debug):
        return function(*args, **kwargs)


def checkpoint_sequential(functions, segments, input, use_reentrant=None, **kwargs):  # noqa: A002 - torch's name
    """Runs functions one after the other, a Sequential or a list, in `segments` parts of nearly equal length. All but the
    last are checkpoints."""
    if use_reentrant is None:
        warnings.warn(
            "torch.utils.checkpoint.checkpoint_sequential: the use_reentrant parameter should be passed explicitly. "
            "use_reentrant=False is recommended; use_reentrant=True is what is taken now.",
            stacklevel=2,
        )
        use_reentrant = True
    preserve = kwargs.pop("preserve_rng_state", True)
    if kwargs:
        raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))

    def run(start, end):
        def forward(value):
            for function in functions[start : end + 1]:
                value = function(value)
            return value

        return forward

    functions = list(functions.children()) if hasattr(functions, "children") else list(functions)
    size = len(functions) // segments
    end = -1
    for start in range(0, size * (segments - 1), size):
        end = start + size - 1
        input = checkpoint(  # noqa: A001
            run(start, end), input, use_reentrant=use_reentrant, preserve_rng_state=preserve
        )
    return run(end + 1, len(functions) - 1)(input)
