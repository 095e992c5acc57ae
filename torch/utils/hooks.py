"""Hooks: functions that torch calls in the middle of something, and the handles that take them away again."""

from __future__ import annotations

import collections
import functools
import itertools
import warnings
import weakref

import torch

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from typing import Any


__all__ = ["BackwardHook", "RemovableHandle", "unserializable_hook", "warn_if_has_hooks"]


class RemovableHandle:
    """What registering a hook returns. `remove()` takes the hook away; leaving `with handle:` does, too.

    `hooks_dict` is the dict that the hook stands in under the handle's `id`; `extra_dict`, a dict or a list of them,
    says more of hooks, under the same ids.
    """

    next_id = 0
    _ids = itertools.count()

    def __init__(self, hooks_dict: Any, *, extra_dict: Any = None) -> None:
        self.hooks_dict_ref = weakref.ref(hooks_dict)
        self.id = next(RemovableHandle._ids)
        RemovableHandle.next_id = self.id + 1
        extra = () if extra_dict is None else (extra_dict,) if isinstance(extra_dict, dict) else tuple(extra_dict)
        self.extra_dict_ref = tuple(weakref.ref(each) for each in extra)

    def remove(self) -> None:
        """Takes the hook away; nothing happens if it is gone already."""
        for reference in (self.hooks_dict_ref, *self.extra_dict_ref):
            hooks = reference()
            if hooks is not None:
                hooks.pop(self.id, None)

    def __getstate__(self):
        if self.extra_dict_ref:
            return self.hooks_dict_ref(), self.id, tuple(reference() for reference in self.extra_dict_ref)
        return self.hooks_dict_ref(), self.id

    def __setstate__(self, state) -> None:
        def reference(hooks):  # of a dict that had ended: of one that nobody else has
            return weakref.ref(collections.OrderedDict() if hooks is None else hooks)

        self.hooks_dict_ref = reference(state[0])
        self.id = state[1]
        self.extra_dict_ref = tuple(reference(hooks) for hooks in state[2]) if len(state) > 2 else ()
        if self.id >= RemovableHandle.next_id:
            RemovableHandle._ids = itertools.count(self.id + 1)
            RemovableHandle.next_id = self.id + 1

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, exc_type, exc_value, traceback) -> None:
        self.remove()


def unserializable_hook(f):
    """A decorator for hooks: a tensor that has one is pickled without a warning that it loses its hooks."""
    f.__torch_unserializable__ = True
    return f


def warn_if_has_hooks(tensor) -> None:
    """Warns if the tensor has hooks, other than those of `unserializable_hook`, which its pickle will not have."""
    for hook in (tensor._backward_hooks or {}).values():
        if not hasattr(hook, "__torch_unserializable__"):
            warnings.warn(
                f"backward hook {hook!r} on tensor will not be serialized.  If this is expected, you can decorate the "
                "function with @torch.utils.hooks.unserializable_hook to suppress this warning",
                stacklevel=2,
            )


@functools.cache
def _pass_through():
    """A Function whose results are its arguments: a place for hooks."""

    class BackwardHookFunction(torch.autograd.Function):
        @staticmethod
        def forward(ctx, *args):
            ctx.mark_non_differentiable(*(arg for arg in args if not arg.requires_grad))
            return args

        @staticmethod
        def backward(ctx, *grads):
            return grads

    return BackwardHookFunction


class BackwardHook:
    """The backward hooks of a module, which see gradients of the inputs and outputs of its forward().

    `setup_input_hook(args)` puts a node before the tensors that go in, `setup_output_hook(result)` one behind those that
    come out; both return their argument with such tensors. `user_pre_hooks` are called with `(module, grad_output)` when
    the gradients of all outputs are there, `user_hooks` with `(module, grad_input, grad_output)` when those of the inputs
    are, or at once if no input wants one. What a hook returns, unless it is None, takes the gradients' place.
    """

    def __init__(self, module, user_hooks, user_pre_hooks) -> None:
        self.module = module
        self.user_hooks = user_hooks
        self.user_pre_hooks = user_pre_hooks
        self.grad_outputs = None
        self.n_outputs = self.n_inputs = -1
        self.output_tensors_index = self.input_tensors_index = None

    # ---- a node behind or before the tensors of a tuple ----------------------------------------------------
    def _through_node(self, attach, args):
        """The tuple with tensors that have passed through one node, to which `attach` adds hooks; and which they are."""
        places = [i for i, item in enumerate(args) if isinstance(item, torch.Tensor)]
        if not (torch.is_grad_enabled() and any(args[i].requires_grad for i in places)):
            return args, None
        passed = _pass_through().apply(*(args[i] for i in places))
        if not passed:
            raise RuntimeError("Cannot set Module backward hook for a Module with no input Tensors.")
        nodes = [t.grad_fn for t in passed if t.grad_fn is not None]
        if not nodes:
            raise RuntimeError("Error while setting up backward hooks. Please open an issue with a code sample.")
        attach(nodes[0])
        result = list(args)
        for i, tensor in zip(places, passed):
            result[i] = tensor
        kind = type(args)
        return kind(*result) if hasattr(args, "_fields") else kind(result), places

    @staticmethod
    def _pack_with_none(places, values, size):
        packed = [None] * size
        for i, value in zip(places, values):
            packed[i] = value
        return tuple(packed)

    def _unpack_none(self, places, values):
        return tuple(values[i] for i in places)

    # ---- what hooks do -------------------------------------------------------------------------------------
    def _replaced(self, before, after, what):
        """The gradients that a hook returned, where it returned any."""
        if after is None:
            return before
        after = after if isinstance(after, tuple) else (after,)
        if len(after) != len(before):
            raise RuntimeError(
                f"Backward {what}hook returned an invalid number of grad_{'output' if what else 'input'}, got "
                f"{len(after)}, but expected {len(before)}"
            )
        return after

    def setup_input_hook(self, args):
        """`args`, a tuple, with tensors whose gradients the module's hooks see."""

        def attach(node):
            def hook(grad_input, _):
                if self.grad_outputs is None:  # no gradient has come through the outputs
                    return None
                grads = self._pack_with_none(self.input_tensors_index, grad_input, self.n_inputs)
                for user_hook in self.user_hooks:
                    grads = self._replaced(grads, user_hook(self.module, grads, self.grad_outputs), "")
                self.grad_outputs = None
                return self._unpack_none(self.input_tensors_index, grads)

            node.register_hook(hook)

        result, places = self._through_node(attach, args)
        self.n_inputs, self.input_tensors_index = len(args), places
        return result

    def setup_output_hook(self, args):
        """`args`, a tensor or a tuple, with tensors whose gradients the module's hooks see."""

        def attach(node):
            def hook(_, grad_output):
                self.grad_outputs = self._pack_with_none(self.output_tensors_index, grad_output, self.n_outputs)
                for user_hook in self.user_pre_hooks:
                    self.grad_outputs = self._replaced(
                        self.grad_outputs, user_hook(self.module, self.grad_outputs), "pre "
                    )
                local = self.grad_outputs
                if self.input_tensors_index is None:  # no input wants a gradient: the hooks' time is now
                    if self.user_hooks:
                        warnings.warn(
                            "Full backward hook is firing when gradients are computed with respect to module outputs since "
                            "no inputs require gradients.",
                            stacklevel=5,
                        )
                    grad_inputs = self._pack_with_none([], [], self.n_inputs)
                    for user_hook in self.user_hooks:
                        result = user_hook(self.module, grad_inputs, self.grad_outputs)
                        if result is not None and not (
                            isinstance(result, tuple) and all(item is None for item in result)
                        ):
                            raise RuntimeError(
                                "Backward hook for Modules where no input requires gradient should always return None "
                                "or None for all gradients."
                            )
                    self.grad_outputs = None
                return self._unpack_none(self.output_tensors_index, local)

            node.register_hook(hook)

        is_tuple = isinstance(args, tuple)
        args = args if is_tuple else (args,)
        result, places = self._through_node(attach, args)
        self.n_outputs, self.output_tensors_index = len(args), places
        return result if is_tuple else result[0]
