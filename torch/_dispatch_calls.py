"""What TorchDispatchModes are asked: a call of an operator, as PyTorch's schema has it.

torch._C asks about the functions that run below recording (csrc/python/module/dispatch_mode.cpp), torch._library.dispatch
about users' operators. Where our function is another cut than PyTorch's operator, the call is translated here, on its
way to a mode and back.
"""

import functools
import itertools

import torch
from torch._dispatch_modes import only, thread
from torch._ops import answered, ops, overload_of
from torch.fx.experimental import _calls

aten = ops.aten


# ---- a call ------------------------------------------------------------------------------------------------------
class _Call:
    """What a mode is asked. `compute`: gives the operator's results in a list, for just these arguments; None: the
    operator itself is called. `further`: tensors that the function fills, and the operator gives after its results."""

    def __init__(self, op, args, kwargs, compute, further=()):
        self.op, self.args, self.kwargs = op, args, kwargs
        self.compute, self.further = compute, further

    def is_this(self, op, args, kwargs):
        return (
            self.compute is not None
            and op is self.op
            and kwargs.keys() == self.kwargs.keys()
            and _same(args, self.args)
            and all(_same(value, self.kwargs[name]) for name, value in kwargs.items())
        )

    def results(self):
        """What the operator gives."""
        made = self.compute()
        if _is_in_place(self.op):
            return self.args[0]
        made += self.further
        if _calls.gives_list(self.op):
            return made
        return made[0] if len(made) == 1 else tuple(made)

    def answer_of(self, mode):
        """What the mode says."""
        return mode.__torch_dispatch__(self.op, (), self.args, self.kwargs)

    def ask(self):
        """The answer of the thread's innermost mode."""
        modes, entered, before = thread.modes, thread.entered, answered.call
        mode = modes[-1]
        thread.modes, answered.call = modes[:-1], self
        try:
            found = self.answer_of(mode)
        finally:
            thread.modes, thread.entered, answered.call = modes, entered, before
        if found is NotImplemented:
            raise TypeError(
                f"Multiple dispatch failed for '{self.op.__module__}.{self.op.__name__}'; all __torch_dispatch__ handlers "
                f"returned NotImplemented: the mode {mode!r}"
            )
        return found


def _same(given, known):
    """Whether a mode has handed on what it was given."""
    if given is known:
        return True
    if isinstance(known, (list, tuple)):
        return isinstance(given, (list, tuple)) and len(given) == len(known) and all(map(_same, given, known))
    return type(given) is type(known) and not isinstance(known, torch.Tensor) and given == known


def _is_in_place(op):
    name = op.overloadpacket.__name__
    return name.endswith("_") and not name.endswith("__")


# ---- torch's own operators -------------------------------------------------------------------------------------
def answer(number, args, compute):
    """The results of a call of the function at this place of thpp::operators(), as a tuple: the mode's answer."""
    op = overload_of(number, args)
    name = op.overloadpacket.__name__
    if name in _OTHERWISE:
        found = _OTHERWISE[name](op, args, compute)
        if found is not None:
            return found
    return _asked(_translated(op, name, args, compute), args)


def _translated(op, name, args, compute):
    op, given, kwargs = _bound(op, args)
    kwargs = _with_device(op, kwargs)
    if name in _SHORTER:
        op, given = _SHORTER[name](op, given)
    further = [args[place] for place in _calls.FILLED.get(name, ())]
    return _Call(op, tuple(given), kwargs, compute, further)


def _bound(op, args):
    """(op, args, kwargs) of PyTorch's operator: of another overload, where the schema of this one has no place for an
    argument. What is a part of PyTorch's operator has its own arguments."""
    packet = op.overloadpacket
    others = (getattr(packet, name) for name in packet.overloads() if "out" not in name)
    for overload in itertools.chain([op], (other for other in others if other is not op)):
        try:
            return overload, *_calls.call_of(overload, args)
        except NotImplementedError:
            continue
    return op, args, {}


def _asked(call, args):
    found = call.ask()
    if _is_in_place(call.op):
        return (args[0],)
    if isinstance(found, torch.Tensor):
        return (found,)
    if not isinstance(found, (tuple, list)):
        raise RuntimeError(f"Unable to cast {found!r} to Tensor: what __torch_dispatch__ returned for {call.op}")
    if call.further:
        _fill(call.further, found[-len(call.further) :])
        found = found[: -len(call.further)]
    return tuple(found)


def _fill(places, tensors):
    """Results that our function is given empty are what the mode says."""
    for place, tensor in zip(places, tensors):
        if place is not tensor and tensor is not None:
            with only(()):
                place.resize_(tensor.shape).copy_(tensor)


@functools.cache
def _chooses_device(op):
    """Whether the operator makes tensors of no other ones."""
    parameters = _calls._parameters(op) or ()
    return any(p[0] == "device" for p in parameters) and not any(p[1].startswith("Tensor") for p in parameters)


def _with_device(op, kwargs):
    if _chooses_device(op) and kwargs.get("device") is None:
        kwargs["device"] = torch.get_default_device()
    return kwargs


# ---- what PyTorch calls otherwise --------------------------------------------------------------------------------
def _conj(op, args, compute):
    """Of real numbers it is nothing."""
    if not (isinstance(args[0], torch.Tensor) and args[0].is_complex()):
        return tuple(compute())
    return None


def _sub(op, args, compute):
    """A number less a tensor."""
    first, second, *alpha = args
    if isinstance(first, torch.Tensor) or not isinstance(second, torch.Tensor):
        return None
    alpha = alpha if alpha and alpha[0] != 1 else []
    return _asked(_Call(aten.rsub.Scalar, (second, first, *alpha), {}, compute), args)


def _reshape(op, args, compute):
    """A view, or one of a copy."""
    tensor, shape = args
    if _can_be_viewed(tensor, shape):
        return _asked(_Call(aten.view.default, (tensor, shape), {}, compute), args)
    copied = _Call(aten.clone.default, (tensor,), {"memory_format": torch.contiguous_format}, None).ask()
    return _asked(_Call(aten._unsafe_view.default, (copied, shape), {}, None), args)


def _can_be_viewed(tensor, shape):
    with only(()):
        try:
            tensor.detach().view(shape)
        except RuntimeError:
            return False
    return True


def _narrow(op, args, compute):
    tensor, dim, start, length = args
    return _asked(_Call(aten.slice.Tensor, (tensor, dim, start, start + length), {}, compute), args)


# {name: function(op, args, compute) -> the results, or None: it is a call like others}
_OTHERWISE = {"conj": _conj, "sub": _sub, "reshape": _reshape, "narrow": _narrow}


def _arange(op, args):
    start, end, *step = args
    if step:
        return op, args
    return (aten.arange.start, args) if start != 0 else (aten.arange.default, (end,))


def _randint(op, args):
    low, high, size = args[:3]
    return (aten.randint.default, (high, size)) if low == 0 else (op, args)


# {name: function(op, args) -> the overload without arguments that have their defaults, and its arguments}
_SHORTER = {"arange": _arange, "randint": _randint}


# ---- users' operators -------------------------------------------------------------------------------------------
class _UsersCall(_Call):
    """A call of an operator in torch._library.table. `compute`: gives its result."""

    def __init__(self, operator, op, args, kwargs, compute):
        super().__init__(op, args, kwargs, compute)
        self.rules = operator.torch_dispatch

    def answer_of(self, mode):
        """What the mode says, or what is registered for its class."""
        rule = self.rules.get(type(mode))
        if rule is None:
            return super().answer_of(mode)
        return rule(mode, self.op, (), self.args, self.kwargs)

    def results(self):
        """What the operator gives."""
        return self.compute()


def ask_about(operator, values, compute):
    """The innermost mode's answer to a call of an operator in torch._library.table. `compute` gives its result."""
    entry = getattr(getattr(ops, operator.namespace), operator.name)
    op = getattr(entry, operator.overload or "default")
    args, kwargs = operator.binder.shortened(values)
    call = _UsersCall(operator, op, tuple(args), kwargs, compute)
    modes = thread.modes
    with only(modes[:-1]):
        thread.modes = modes  # `ask` takes the last one away
        return call.ask()
