"""Functions that optimisers call around their steps, and before and after their state is read or written."""

from __future__ import annotations

from collections import OrderedDict
from itertools import chain

from torch.utils.hooks import RemovableHandle

# Called around the steps of every optimiser.
global_pre_hooks = OrderedDict()
global_post_hooks = OrderedDict()

# The dictionaries of hooks that each optimiser has of its own.
KINDS = (
    "_optimizer_step_pre_hooks",
    "_optimizer_step_post_hooks",
    "_optimizer_state_dict_pre_hooks",
    "_optimizer_state_dict_post_hooks",
    "_optimizer_load_state_dict_pre_hooks",
    "_optimizer_load_state_dict_post_hooks",
)


def add_hook(hooks, hook, prepend=False):
    """Append `hook` to the dictionary `hooks`, or put it first; returns the handle that removes it."""
    handle = RemovableHandle(hooks)
    hooks[handle.id] = hook
    if prepend:
        hooks.move_to_end(handle.id, last=False)
    return handle


def register_optimizer_step_pre_hook(hook) -> RemovableHandle:
    """Have ``hook(optimizer, args, kwargs)`` called before every step of every optimiser.

    It may return None, or a tuple ``(args, kwargs)`` that takes the place of the step's arguments. Returns a
    :class:`torch.utils.hooks.RemovableHandle`, whose ``remove()`` takes the hook away.
    """
    return add_hook(global_pre_hooks, hook)


def register_optimizer_step_post_hook(hook) -> RemovableHandle:
    """Have ``hook(optimizer, args, kwargs)`` called after every step of every optimiser; what it returns is ignored.

    Returns a :class:`torch.utils.hooks.RemovableHandle`, whose ``remove()`` takes the hook away.
    """
    return add_hook(global_post_hooks, hook)


def call_pre_hooks(optimizer, function, args, kwargs):
    """The arguments of a step after the hooks have seen them, those of all optimisers first."""
    for hook in chain(list(global_pre_hooks.values()), list(optimizer._optimizer_step_pre_hooks.values())):
        changed = hook(optimizer, args, kwargs)
        if changed is None:
            continue
        if not (isinstance(changed, tuple) and len(changed) == 2):
            raise RuntimeError(f"{function} must return None or a tuple of (new_args, new_kwargs), but got {changed}.")
        args, kwargs = changed
    return args, kwargs


def call_post_hooks(optimizer, args, kwargs):
    """Tell the hooks that a step is over, the optimiser's own first."""
    for hook in chain(list(optimizer._optimizer_step_post_hooks.values()), list(global_post_hooks.values())):
        hook(optimizer, args, kwargs)
