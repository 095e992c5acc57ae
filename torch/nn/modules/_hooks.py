"""Hooks of a module, and the call of a module that has some."""

import functools
import warnings
import weakref

import torch
from torch.nn.modules import _globals
from torch.utils.hooks import BackwardHook, RemovableHandle


class WrappedHook:
    """A hook that may also be given the module that it belongs to, to which it keeps no strong reference."""

    def __init__(self, hook, module=None):
        self.hook = hook
        functools.update_wrapper(self, hook)
        self.with_module = module is not None
        if self.with_module:
            self.module = weakref.ref(module)

    def __call__(self, *args, **kwargs):
        if not self.with_module:
            return self.hook(*args, **kwargs)
        module = self.module()
        if module is None:
            raise RuntimeError("You are trying to call the hook of a dead Module!")
        return self.hook(module, *args, **kwargs)

    def __getstate__(self):
        state = {"hook": self.hook, "with_module": self.with_module}
        if self.with_module:
            state["module"] = self.module()
        return state

    def __setstate__(self, state):
        self.hook = state["hook"]
        self.with_module = state["with_module"]
        if self.with_module:
            if state["module"] is None:
                raise RuntimeError("You are trying to revive the hook of a dead Module!")
            self.module = weakref.ref(state["module"])


# By this name files know it.
WrappedHook.__module__, WrappedHook.__qualname__ = "torch.nn.modules.module", "_WrappedHook"


def _add(hooks, hook, prepend=False, extra_dict=None):
    handle = RemovableHandle(hooks, extra_dict=extra_dict)
    hooks[handle.id] = hook
    if prepend:
        hooks.move_to_end(handle.id, last=False)
    return handle


class ModuleHooks:
    """Part of Module: what runs before and after forward() and backward."""

    def register_full_backward_pre_hook(self, hook, prepend: bool = False) -> RemovableHandle:
        """hook(module, grad_output) runs before this module's gradients are computed; what it returns, unless None, takes
        the place of grad_output (a tuple, or a tensor if there is one). `prepend`: before the hooks that are there.
        Returns a handle with a method remove()."""
        return _add(self._backward_pre_hooks, hook, prepend)

    def register_backward_hook(self, hook) -> RemovableHandle:
        """hook(module, grad_input, grad_output) runs after the module's last operator has computed its gradients. Use
        register_full_backward_hook(), which sees those of the module's own inputs; RuntimeError beside one."""
        if self._is_full_backward_hook is True:
            raise RuntimeError(
                "Cannot use both regular backward hooks and full backward hooks on a single Module: use one kind only"
            )
        self._is_full_backward_hook = False
        return _add(self._backward_hooks, hook)

    def register_full_backward_hook(self, hook, prepend: bool = False) -> RemovableHandle:
        """hook(module, grad_input, grad_output) runs when the gradients of the module's inputs are there; both are tuples
        with None for what is no tensor or needs no gradient. What it returns, unless None, takes the place of grad_input.
        Neither inputs nor outputs may be changed in place then. Returns a handle with a method remove()."""
        if self._is_full_backward_hook is False:
            raise RuntimeError(
                "Cannot use both regular backward hooks and full backward hooks on a single Module: use one kind only"
            )
        self._is_full_backward_hook = True
        return _add(self._backward_hooks, hook, prepend)

    def register_forward_pre_hook(self, hook, *, prepend: bool = False, with_kwargs: bool = False) -> RemovableHandle:
        """hook(module, args) runs before forward(); what it returns, unless None, are the arguments (a tuple, or the only
        one). with_kwargs: hook(module, args, kwargs), which returns None or (args, kwargs)."""
        handle = _add(self._forward_pre_hooks, hook, prepend, self._forward_pre_hooks_with_kwargs)
        if with_kwargs:
            self._forward_pre_hooks_with_kwargs[handle.id] = True
        return handle

    def register_forward_hook(
        self, hook, *, prepend: bool = False, with_kwargs: bool = False, always_call: bool = False
    ) -> RemovableHandle:
        """hook(module, args, output) runs after forward(), with_kwargs: hook(module, args, kwargs, output); what it
        returns, unless None, is the output. always_call: also if forward() or a hook has raised an exception."""
        extra = [self._forward_hooks_with_kwargs, self._forward_hooks_always_called]
        handle = _add(self._forward_hooks, hook, prepend, extra)
        if with_kwargs:
            self._forward_hooks_with_kwargs[handle.id] = True
        if always_call:
            self._forward_hooks_always_called[handle.id] = True
        return handle

    def _get_backward_hooks(self):
        """(full hooks, others) that run after this module's gradients, global ones first."""
        full, others = [], []
        if _globals.is_full_backward is True:
            full += _globals.backward.values()
        if self._is_full_backward_hook is True:
            full += self._backward_hooks.values()
        if _globals.is_full_backward is False:
            others += _globals.backward.values()
        if self._is_full_backward_hook is False:
            others += self._backward_hooks.values()
        return full, others

    def _get_backward_pre_hooks(self):
        return [*_globals.backward_pre.values(), *self._backward_pre_hooks.values()]

    def _maybe_warn_non_full_backward_hook(self, inputs, result, grad_fn) -> None:
        """Hooks that are no full ones see one node alone: says so where the module is more than one."""
        results = result if isinstance(result, tuple) else (result,)
        inputs = inputs if isinstance(inputs, tuple) else (inputs,)
        if not all(isinstance(r, torch.Tensor) for r in results):
            what = "hooks on a Module that does not return a single Tensor or a tuple of Tensors"
        elif not all(isinstance(i, torch.Tensor) for i in inputs):
            what = "hooks on a Module that does not take as input a single Tensor or a tuple of Tensors"
        elif len({r.grad_fn for r in results if r.grad_fn is not None}) > 1:
            what = "hook when outputs are generated by different autograd Nodes"
        elif {i.grad_fn for i in inputs if i.grad_fn is not None} != {node for node, _ in grad_fn.next_functions}:
            what = "hook when the forward contains multiple autograd Nodes"
        else:
            return
        warnings.warn(
            f"Using {'non-full' if what.startswith('hooks') else 'a non-full'} backward {what} is deprecated and will be "
            f"removed in future versions: of {type(self).__name__} it misses some gradients. Please use "
            "register_full_backward_hook.",
            FutureWarning,
            stacklevel=2,
        )

    def _run_forward_pre_hooks(self, args, kwargs):
        for hook_id, hook in [*_globals.forward_pre.items(), *self._forward_pre_hooks.items()]:
            if hook_id in self._forward_pre_hooks_with_kwargs:
                changed = hook(self, args, kwargs)
                if changed is not None:
                    if not (isinstance(changed, tuple) and len(changed) == 2):
                        raise RuntimeError(
                            f"forward pre-hook must return None or a tuple of (new_args, new_kwargs), but got {changed}."
                        )
                    args, kwargs = changed
            else:
                changed = hook(self, args)
                if changed is not None:
                    args = changed if isinstance(changed, tuple) else (changed,)
        return args, kwargs

    def _run_forward_hook(self, hook_id, hook, args, kwargs, result):
        if hook_id in self._forward_hooks_with_kwargs or hook_id in _globals.forward_with_kwargs:
            changed = hook(self, args, kwargs, result)
        else:
            changed = hook(self, args, result)
        return result if changed is None else changed

    def _call_with_hooks(self, args, kwargs):
        """forward() with all that hooks add to it."""
        done = set()
        result = None
        try:
            full, others = self._get_backward_hooks()
            pre = self._get_backward_pre_hooks()
            args, kwargs = self._run_forward_pre_hooks(args, kwargs)
            watch = BackwardHook(self, full, pre) if full or pre else None
            if watch is not None:
                args = watch.setup_input_hook(args)
            result = self.forward(*args, **kwargs)
            for hook_id, hook in [*_globals.forward.items(), *self._forward_hooks.items()]:
                done.add(hook_id)
                result = self._run_forward_hook(hook_id, hook, args, kwargs, result)
            if watch is not None:
                if not isinstance(result, (torch.Tensor, tuple)):
                    warnings.warn(
                        "For backward hooks to be called, module output should be a Tensor or a tuple of Tensors but "
                        f"received {type(result)}",
                        stacklevel=3,
                    )
                result = watch.setup_output_hook(result)
            if others:
                self._watch_last_node(others, args, result)
            return result
        except Exception:
            self._run_always_called(done, args, kwargs, result)
            raise

    def _run_always_called(self, done, args, kwargs, result):
        """After an exception: the hooks that want to run nevertheless and have not."""
        for hooks, always in (
            (_globals.forward, _globals.forward_always_called),
            (self._forward_hooks, self._forward_hooks_always_called),
        ):
            for hook_id, hook in list(hooks.items()):
                if hook_id not in always or hook_id in done:
                    continue
                try:
                    result = self._run_forward_hook(hook_id, hook, args, kwargs, result)
                except Exception as error:
                    place = "global module" if hooks is _globals.forward else "module"
                    warnings.warn(
                        f"{place} forward hook with ``always_call=True`` raised an exception that was silenced as another "
                        f"error was raised in forward: {error}",
                        stacklevel=4,
                    )

    def _watch_last_node(self, hooks, args, result):
        """Hooks that are no full ones go to the node of the first tensor in the result."""
        found = result
        while not isinstance(found, torch.Tensor):
            found = next(
                (v for v in found.values() if isinstance(v, torch.Tensor)) if isinstance(found, dict) else iter(found)
            )
        if found.grad_fn is not None:
            for hook in hooks:
                found.grad_fn.register_hook(WrappedHook(hook, self))
            self._maybe_warn_non_full_backward_hook(args, result, found.grad_fn)
