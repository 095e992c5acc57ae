"""torch.autograd.Function: operations whose gradients are written by hand, in Python."""

from __future__ import annotations

import collections
import functools
import inspect
import warnings
from typing import Any

import torch
from torch import _C

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor

__all__ = [
    "BackwardCFunction",
    "Function",
    "FunctionCtx",
    "FunctionMeta",
    "InplaceFunction",
    "once_differentiable",
]


class FunctionCtx:
    """What forward() tells backward(). Attributes may be set on it, too; tensors belong in save_for_backward."""

    def save_for_backward(self, *tensors: Tensor):
        """Keeps arguments and results of forward() for `ctx.saved_tensors`, where a later write into one of them raises.
        None stands for itself. To be called once; what is saved last counts."""
        self.to_save = tensors

    def save_for_forward(self, *tensors: Tensor):
        """Keeps tensors for jvp(), which finds them in `ctx.saved_tensors`."""
        for tensor in tensors:
            if not (isinstance(tensor, torch.Tensor) or tensor is None):
                raise TypeError(
                    f"save_for_forward expects all arguments to be tensors; you should save non-tensors as attributes on "
                    f"ctx (got {type(tensor).__name__})"
                )
        self.saved_for_forward = tensors

    def mark_dirty(self, *args: Tensor):
        """Says that forward() has written into these arguments; each has to be one of its results, too."""
        self.dirty_tensors = args

    def mark_shared_storage(self, *pairs):
        """Does nothing: tensors that share memory are found without being marked."""
        warnings.warn(
            "mark_shared_storage is deprecated. Tensors with shared storages are automatically tracked. Note that calls "
            "to `set_()` are not tracked",
            FutureWarning,
            stacklevel=2,
        )

    def mark_non_differentiable(self, *args: Tensor):
        """Says that these results have no gradient; backward() is given one of zeros for them all the same."""
        self.non_differentiable = args

    def set_materialize_grads(self, value: bool):
        """Whether backward() is given zeros for results whose gradient nobody has computed (True at first), or None."""
        self.materialize_grads = value


class _HookMixin:
    @staticmethod
    def _register_hook(backward_hooks, hook):
        from torch.utils.hooks import RemovableHandle

        if backward_hooks is None:
            backward_hooks = collections.OrderedDict()
        handle = RemovableHandle(backward_hooks)
        backward_hooks[handle.id] = hook
        return backward_hooks, handle


class BackwardCFunction(_C._FunctionBase, FunctionCtx, _HookMixin):
    """The node of a Function, which is its `ctx`. Each Function has a class derived from this one."""

    def apply(self, *args):
        """What the backward pass calls, with a gradient for each result of forward()."""
        backward, vjp = self._forward_cls.backward, self._forward_cls.vjp
        if vjp is Function.vjp:
            return backward(self, *args)
        if backward is not Function.backward:
            raise RuntimeError(
                "Implementing both 'backward' and 'vjp' for a custom Function is not allowed. You should only implement "
                "one of them."
            )
        return vjp(self, *args)


class FunctionMeta(_C._FunctionMeta):
    """Makes, with a Function, the class of its nodes."""

    def __init__(cls, name, bases, attrs) -> None:
        cls._backward_cls = _C._FunctionMeta(name + "Backward", (BackwardCFunction,), {"_forward_cls": cls})
        super().__init__(name, bases, attrs)


class _SingleLevelFunction(_C._FunctionBase, FunctionCtx, _HookMixin, metaclass=FunctionMeta):
    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> Any:
        """forward(ctx, x, …) computes the results: one, or a tuple. In a class with a setup_context() it is
        forward(x, …)."""
        raise NotImplementedError("You must implement the forward function for custom autograd.Function.")

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> Any:
        """Fills `ctx` from the arguments, a tuple, and what forward() returned, where forward() has no ctx."""
        raise NotImplementedError("setup_context is not implemented.")

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        """backward(ctx, grad, …) is given the gradient of each result and returns one for each argument of forward():
        None for those that have none."""
        raise NotImplementedError(
            "You must implement either the backward or vjp method for your custom autograd.Function to use it with "
            "backward mode AD."
        )

    vjp = backward

    @staticmethod
    def jvp(ctx: Any, *grad_inputs: Any) -> Any:
        """jvp(ctx, tangent, …) is given a tangent for each argument of forward(), zeros for tensors that have none and None
        for what is no tensor, and returns one for each result: what torch.autograd.forward_ad asks."""
        raise NotImplementedError(
            "You must implement the jvp function for custom autograd.Function to use it with forward mode AD."
        )


_in_level = None  # apply() inside of a level of forward mode, which torch.autograd._duals puts here


class Function(_SingleLevelFunction):
    """The base of operations with gradients of their own.

        class Exp(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                result = x.exp()
                ctx.save_for_backward(result)
                return result

            @staticmethod
            def backward(ctx, grad):
                (result,) = ctx.saved_tensors
                return grad * result

        y = Exp.apply(x)

    forward() runs without being recorded. backward() is recorded where create_graph=True asks for it, so that it may be
    differentiated again; `once_differentiable` says that it must not.
    """

    def __init__(self, *args, **kwargs) -> None:
        warnings.warn(
            f"{self.__class__} should not be instantiated. Methods on autograd functions are all static, so you should "
            "invoke them on the class itself. Instantiating an autograd function will raise an error in a future version "
            "of PyTorch.",
            DeprecationWarning,
            stacklevel=2,
        )

    def __call__(self, *args, **kwargs):
        raise RuntimeError(
            "Legacy autograd function with non-static forward method is deprecated. Please use new-style autograd function "
            "with static forward method."
        )

    @classmethod
    def apply(cls, *args, **kwargs):
        """What forward() makes of the arguments, recorded for backward()."""
        if _in_level is not None:
            return _in_level(cls, args, kwargs)
        return super().apply(*args, **kwargs)

    generate_vmap_rule = False

    @staticmethod
    def vmap(info, in_dims, *args):
        """For torch.vmap, which is not there."""
        raise NotImplementedError(
            "To use autograd.Function with vmap, you must either override the vmap staticmethod or set "
            "generate_vmap_rule=True."
        )


def _bind_default_args(function, args, kwargs):
    """The arguments in the order of a function's parameters, with defaults for those that are missing."""
    bound = inspect.signature(function).bind(*args, **kwargs)
    bound.apply_defaults()
    return bound.args


def _positional_args(function, args, kwargs):
    """The arguments in the order of the parameters of forward(ctx, …), without defaults. TypeError where one is missing
    before another one, or has no parameter."""
    names = list(inspect.signature(function).parameters)[1:]
    for name in kwargs:
        if name not in names[len(args) :]:
            raise TypeError(f"forward() got an unexpected keyword argument '{name}'")
    result = list(args)
    while len(result) < len(args) + len(kwargs):
        name = names[len(result)]
        if name not in kwargs:
            raise TypeError(f"forward() missing required argument: '{name}' (position {len(result)})")
        result.append(kwargs[name])
    return tuple(result)


_TWICE = "trying to differentiate twice a function that was marked with @once_differentiable"


def once_differentiable(fn):
    """A decorator for backward(): it is not recorded, and gradients of its results raise RuntimeError."""

    @functools.wraps(fn)
    def wrapper(ctx, *args):
        with torch.no_grad():
            outputs = fn(ctx, *args)
        if not torch.is_grad_enabled():
            return outputs
        if not any(isinstance(arg, torch.Tensor) and arg.requires_grad for arg in args):
            return outputs
        if isinstance(outputs, tuple):
            return _C._throw_derivative(_TWICE, outputs)
        return _C._throw_derivative(_TWICE, (outputs,))[0]

    return wrapper


class InplaceFunction(Function):
    """A Function with an argument `inplace`. For old programs."""

    def __init__(self, inplace=False) -> None:
        super().__init__()
        self.inplace = inplace


class NestedIOFunction(Function):
    """A name of old programs, whose forward_extended() took lists and tuples of tensors within one another. Objects of
    functions are called no longer, so it is a Function: give it a static forward() and backward()."""

    def forward_extended(self, *input: Any) -> None:
        """For old programs to override."""
        raise NotImplementedError

    def backward_extended(self, *grad_output: Any) -> None:
        """For old programs to override."""
        raise NotImplementedError
