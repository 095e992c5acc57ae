"""ModuleTracker: in which modules of a model the program is, in the forward pass and in the backward pass."""

from __future__ import annotations

import logging
import weakref

import torch
from torch.autograd.graph import register_multi_grad_hook
from torch.nn.modules.module import register_module_forward_hook, register_module_forward_pre_hook
from torch.utils._pytree import tree_flatten

__all__ = ["ModuleTracker"]

logger = logging.getLogger(__name__)


class ModuleTracker:
    """A context in which `parents` is the set of the names of the modules that are running, "Global" always among them.

    A model's name is its class's, and that of a module in it the path there: "Net.layers.0". In the backward pass a
    module runs from when all gradients of its outputs are there until all those of its inputs are.
    """

    def __init__(self) -> None:
        self.parents = {"Global"}
        self._known_modules = weakref.WeakKeyDictionary()
        self._seen_modules = weakref.WeakSet()
        self._has_callback = False
        self._hooks = []

    @property
    def is_bw(self):
        """Whether a backward pass runs."""
        return torch._C._current_graph_task_id() != -1

    def _maybe_set_engine_callback(self):
        """At a pass's end no module of it runs any more."""
        if self._has_callback:
            return

        def end():
            self.parents = {"Global"}
            self._has_callback = False

        torch._C._queue_callback(end)
        self._has_callback = True

    def _get_mod_name(self, mod):
        if mod not in self._known_modules:
            self._known_modules[mod] = type(mod).__name__
        name = self._known_modules[mod]
        if mod not in self._seen_modules:
            for child, module in mod.named_children():
                self._known_modules[module] = f"{name}.{child}"
            self._seen_modules.add(mod)
        return name

    def _get_append_fn(self, name, is_bw):
        def enter(*_):
            if is_bw:
                self._maybe_set_engine_callback()
            if name in self.parents and not self.is_bw:
                logger.info(
                    "The module hierarchy tracking seems to be broken as this Module was already entered: %s", name
                )
            self.parents.add(name)

        return enter

    def _get_pop_fn(self, name, is_bw):
        def leave(*_):
            if name in self.parents:
                self.parents.remove(name)
            elif not self.is_bw:
                logger.info(
                    "The Module hierarchy tracking is confused as we're exiting a Module that was never entered: %s",
                    name,
                )

        return leave

    def _fw_pre_hook(self, mod, input):  # noqa: A002
        name = self._get_mod_name(mod)
        self._get_append_fn(name, False)()
        leaves, _ = tree_flatten(input)
        tensors = [leaf for leaf in leaves if isinstance(leaf, torch.Tensor) and leaf.requires_grad]
        if tensors and not self.is_bw:
            self._hooks.append(register_multi_grad_hook(tensors, self._get_pop_fn(name, True)))

    def _fw_post_hook(self, mod, input, output):  # noqa: A002
        name = self._get_mod_name(mod)
        self._get_pop_fn(name, False)()
        leaves, _ = tree_flatten(output)
        tensors = [leaf for leaf in leaves if isinstance(leaf, torch.Tensor) and leaf.requires_grad]
        if tensors and not self.is_bw:
            self._hooks.append(register_multi_grad_hook(tensors, self._get_append_fn(name, True)))

    def __enter__(self):
        self._fw_pre_handle = register_module_forward_pre_hook(self._fw_pre_hook)
        self._fw_post_handle = register_module_forward_hook(self._fw_post_hook, always_call=True)
        return self

    def __exit__(self, *args):
        self._fw_pre_handle.remove()
        self._fw_post_handle.remove()
        for hook in self._hooks:
            hook.remove()
        self._hooks.clear()
