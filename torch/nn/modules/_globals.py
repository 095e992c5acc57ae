"""Hooks of all modules: those of torch.nn.modules.module.register_module_…_hook."""

from collections import OrderedDict
from collections.abc import Callable

from torch.utils.hooks import RemovableHandle

buffer_registration = OrderedDict()
module_registration = OrderedDict()
parameter_registration = OrderedDict()
backward_pre = OrderedDict()
backward = OrderedDict()
forward_pre = OrderedDict()
forward = OrderedDict()
forward_always_called = OrderedDict()
forward_with_kwargs = OrderedDict()

# Whether those in `backward` are full ones; None while there have been none: both kinds cannot be mixed.
is_full_backward = None


def any_call_hook():
    """Whether a call of a module has to look here."""
    return bool(backward or backward_pre or forward or forward_pre)


def _registered(hooks, hook, extra_dict=None):
    handle = RemovableHandle(hooks, extra_dict=extra_dict)
    hooks[handle.id] = hook
    return handle


def register_module_buffer_registration_hook(hook: Callable[..., None]) -> RemovableHandle:
    """hook(module, name, buffer) runs whenever a module gets a buffer; what it returns is registered in its place, unless
    None. Returns a handle with a method remove()."""
    return _registered(buffer_registration, hook)


def register_module_module_registration_hook(hook: Callable[..., None]) -> RemovableHandle:
    """hook(module, name, submodule) runs whenever a module gets a submodule; see the one of buffers."""
    return _registered(module_registration, hook)


def register_module_parameter_registration_hook(hook: Callable[..., None]) -> RemovableHandle:
    """hook(module, name, parameter) runs whenever a module gets a parameter; see the one of buffers."""
    return _registered(parameter_registration, hook)


def register_module_forward_pre_hook(hook: Callable[..., None]) -> RemovableHandle:
    """hook(module, args) runs before forward() of every module; what it returns, unless None, are the arguments."""
    return _registered(forward_pre, hook)


def register_module_forward_hook(
    hook: Callable[..., None], *, with_kwargs: bool = False, always_call: bool = False
) -> RemovableHandle:
    """hook(module, args, output) runs after forward() of every module, with_kwargs: hook(module, args, kwargs, output);
    what it returns, unless None, is the output. always_call: also if forward() has raised an exception."""
    handle = _registered(forward, hook, [forward_with_kwargs, forward_always_called])
    if with_kwargs:
        forward_with_kwargs[handle.id] = True
    if always_call:
        forward_always_called[handle.id] = True
    return handle


def register_module_backward_hook(hook) -> RemovableHandle:
    """hook(module, grad_input, grad_output) runs after the gradients of every module's last operator are there. Use
    register_module_full_backward_hook(), which sees the gradients of the module's inputs; RuntimeError beside one."""
    global is_full_backward
    if is_full_backward is True:
        raise RuntimeError(
            "Cannot use both regular backward hooks and full backward hooks as a global Module hook: use one kind only"
        )
    is_full_backward = False
    return _registered(backward, hook)


def register_module_full_backward_pre_hook(hook) -> RemovableHandle:
    """hook(module, grad_output) runs before the gradients of every module are computed; what it returns, unless None, is
    taken for those of the outputs."""
    return _registered(backward_pre, hook)


def register_module_full_backward_hook(hook) -> RemovableHandle:
    """hook(module, grad_input, grad_output) runs when the gradients of a module's inputs are there; what it returns,
    unless None, takes their place. RuntimeError beside hooks of register_module_backward_hook()."""
    global is_full_backward
    if is_full_backward is False:
        raise RuntimeError(
            "Cannot use both regular backward hooks and full backward hooks as a global Module hook: use one kind only"
        )
    is_full_backward = True
    return _registered(backward, hook)
