"""Modules whose parameters get their shapes from the first input."""

from typing import Any

from torch.nn.parameter import is_lazy

__all__ = [
    "LazyModuleMixin",
]


class LazyModuleMixin:
    """A base, before a module's class, of one whose parameters get their shapes from its first input.

    The class makes UninitializedParameter()s, defines initialize_parameters(*args), which runs before the first forward()
    with its arguments, and names in `cls_to_become` the class whose instance it is afterwards. Move a lazy module to its
    device, and show it an input, before an optimiser is made of its parameters.
    """

    cls_to_become: type[Any] | None = None

    def __init__(self, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self._load_hook = self._register_load_state_dict_pre_hook(self._lazy_load_hook)
        self._initialize_hook = self.register_forward_pre_hook(self._infer_parameters, with_kwargs=True)

    def _save_to_state_dict(self, destination, prefix, keep_vars):
        # uninitialised tensors are stored as they are: they cannot be detached
        for name, parameter in self._parameters.items():
            if parameter is not None:
                destination[prefix + name] = parameter if is_lazy(parameter) or keep_vars else parameter.detach()
        for name, buffer in self._buffers.items():
            if buffer is not None and name not in self._non_persistent_buffers_set:
                destination[prefix + name] = buffer if is_lazy(buffer) or keep_vars else buffer.detach()

    def _lazy_load_hook(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs):
        """Gives uninitialised tensors the shapes of those that are about to be loaded."""
        import torch

        for members in (self._parameters, self._buffers):
            for name, tensor in members.items():
                source = state_dict.get(prefix + name)
                if tensor is not None and source is not None and is_lazy(tensor) and not is_lazy(source):
                    with torch.no_grad():
                        tensor.materialize(source.shape)

    def initialize_parameters(self, *args, **kwargs):
        """Gives the parameters the shapes for these arguments of forward(). NotImplementedError: every lazy module has to
        define it."""
        raise NotImplementedError(f"initialize_parameters is not implemented for {type(self).__name__}")

    def has_uninitialized_params(self):
        """Whether there are parameters or buffers without shape."""
        return any(is_lazy(t) for members in (self._parameters, self._buffers) for t in members.values())

    def _infer_parameters(self, module, args, kwargs=None):
        module.initialize_parameters(*args, **(kwargs or {}))
        if module.has_uninitialized_params():
            raise RuntimeError(
                f"module {self._get_name()} has not been fully initialized: initialize_parameters() has to give every "
                "parameter and buffer a shape"
            )
        module._initialize_hook.remove()
        module._load_hook.remove()
        delattr(module, "_initialize_hook")
        delattr(module, "_load_hook")
        if module.cls_to_become is not None:
            module.__class__ = module.cls_to_become

    def _replicate_for_data_parallel(self):
        raise RuntimeError(
            "Modules with uninitialized parameters can't be used with `DataParallel`: run forward() once before"
        )
