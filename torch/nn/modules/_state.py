"""What a module stores: state_dict(), and load_state_dict(), which changes nothing unless all of it fits."""

import itertools
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, NamedTuple

import torch
from torch.nn.modules._hooks import WrappedHook
from torch.nn.parameter import Parameter, is_lazy
from torch.utils.hooks import RemovableHandle

EXTRA_STATE_KEY = "_extra_state"


class _IncompatibleKeys(NamedTuple("IncompatibleKeys", [("missing_keys", list), ("unexpected_keys", list)])):
    __slots__ = ()

    def __repr__(self) -> str:
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return super().__repr__()

    __str__ = __repr__


class _Transfer(NamedTuple):
    """A tensor of a state dict on its way into a module."""

    module: object
    name: str
    key: str
    source: torch.Tensor
    assign: bool

    def run(self, errors):
        """Does it. What goes wrong is appended to `errors`."""
        target = getattr(self.module, self.name)
        try:
            with torch.no_grad():
                if not self.assign:
                    target.copy_(self.source)
                elif isinstance(target, Parameter):
                    source = self.source
                    if not isinstance(source, Parameter):
                        source = Parameter(source, requires_grad=target.requires_grad)
                    else:
                        source.requires_grad_(target.requires_grad)
                    setattr(self.module, self.name, source)
                else:
                    setattr(self.module, self.name, self.source)
        except Exception as error:
            errors.append(
                f'While copying the parameter named "{self.key}", whose dimensions in the model are {target.size()} and '
                f"whose dimensions in the checkpoint are {self.source.size()}, an exception occurred : {error.args}."
            )


def _has_extra_state(module, method):
    return getattr(type(module), method) is not getattr(ModuleState, method)


class ModuleState:
    """Part of Module: what it stores and loads."""

    def get_extra_state(self) -> Any:
        """What else state_dict() stores of this module, under "_extra_state"; anything that pickles. RuntimeError unless
        a class defines it."""
        raise RuntimeError(
            "Reached a code path in Module.get_extra_state() that should never be called: the class defines "
            "set_extra_state(), so it has to define get_extra_state(), too"
        )

    def set_extra_state(self, state: Any) -> None:
        """Called by load_state_dict() with what get_extra_state() has returned. RuntimeError unless a class defines it."""
        raise RuntimeError(
            "Reached a code path in Module.set_extra_state() that should never be called: the class defines "
            "get_extra_state(), so it has to define set_extra_state(), too"
        )

    # ---- storing -------------------------------------------------------------------------------------------
    def _register_state_dict_hook(self, hook):
        """hook(module, state_dict, prefix, local_metadata) runs after this module's state is there and may return another
        dict in its place."""
        if getattr(hook, "_from_public_api", False):
            raise RuntimeError(
                "Cannot register the same function as the state dict post hook that was registered before"
            )
        handle = RemovableHandle(self._state_dict_hooks)
        self._state_dict_hooks[handle.id] = hook
        return handle

    def register_state_dict_post_hook(self, hook):
        """hook(module, state_dict, prefix, local_metadata) runs after state_dict() and may change the dict in place."""
        hook._from_public_api = True
        handle = RemovableHandle(self._state_dict_hooks)
        self._state_dict_hooks[handle.id] = hook
        return handle

    def register_state_dict_pre_hook(self, hook):
        """hook(module, prefix, keep_vars) runs before state_dict()."""
        handle = RemovableHandle(self._state_dict_pre_hooks)
        self._state_dict_pre_hooks[handle.id] = hook
        return handle

    def _save_to_state_dict(self, destination, prefix, keep_vars) -> None:
        """Writes this module's own parameters and persistent buffers into `destination`."""
        for name, tensor in itertools.chain(self._parameters.items(), self._buffers.items()):
            if tensor is not None and name not in self._non_persistent_buffers_set:
                destination[prefix + name] = tensor if keep_vars else tensor.detach()
        if _has_extra_state(self, "get_extra_state"):
            destination[prefix + EXTRA_STATE_KEY] = self.get_extra_state()

    def state_dict(
        self, *args: Any, destination: Any = None, prefix: str = "", keep_vars: bool = False
    ) -> dict[str, Any]:
        """{name: tensor} of all parameters and persistent buffers, those of submodules with their names before.

        The tensors share the module's elements; they have no history unless keep_vars. `destination` is the dict to
        write into, `prefix` stands before every name. `_metadata` of the dict has the version of every module's layout.
        """
        if args:  # positional in PyTorch of 2021
            import warnings

            warnings.warn(
                "Positional args are being deprecated, use kwargs instead: state_dict(destination=…, prefix=…)",
                FutureWarning,
                stacklevel=2,
            )
            destination, prefix, keep_vars = (*args, *(destination, prefix, keep_vars)[len(args) :])
        if destination is None:
            destination = OrderedDict()
            destination._metadata = OrderedDict()
        local_metadata = {"version": self._version}
        if hasattr(destination, "_metadata"):
            destination._metadata[prefix[:-1]] = local_metadata
        for hook in self._state_dict_pre_hooks.values():
            hook(self, prefix, keep_vars)
        self._save_to_state_dict(destination, prefix, keep_vars)
        for name, module in self._modules.items():
            if module is not None:
                module.state_dict(destination=destination, prefix=f"{prefix}{name}.", keep_vars=keep_vars)
        for hook in self._state_dict_hooks.values():
            changed = hook(self, destination, prefix, local_metadata)
            if not getattr(hook, "_from_public_api", False):
                if changed is not None:
                    destination = changed
            elif changed is not None:
                raise RuntimeError("state_dict post-hook must return None")
        return destination

    # ---- loading -------------------------------------------------------------------------------------------
    def _register_load_state_dict_pre_hook(self, hook, with_module=False):
        """hook([module,] state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs) runs before
        this module's entries are read."""
        handle = RemovableHandle(self._load_state_dict_pre_hooks)
        self._load_state_dict_pre_hooks[handle.id] = WrappedHook(hook, self if with_module else None)
        return handle

    def register_load_state_dict_pre_hook(self, hook):
        """hook(module, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs) runs before
        this module's entries are read, and may change the dict (a copy) and the lists in place."""
        return self._register_load_state_dict_pre_hook(hook, with_module=True)

    def register_load_state_dict_post_hook(self, hook):
        """hook(module, incompatible_keys) runs after load_state_dict() and may change the two lists in place, so that
        keys that do not matter raise no error."""
        handle = RemovableHandle(self._load_state_dict_post_hooks)
        self._load_state_dict_post_hooks[handle.id] = hook
        return handle

    def _load_from_state_dict(
        self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs
    ) -> None:
        """Reads this module's own entries. What does not fit is added to the lists.

        load_state_dict() gives a list in local_metadata["transfers"], to which the tensors' transfers are added, to be
        done when everything has been read; without one they are done at once.
        """
        for hook in self._load_state_dict_pre_hooks.values():
            hook(state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)
        assign = local_metadata.get("assign_to_params_buffers", False)
        transfers = local_metadata.get("transfers")
        persistent = {k: v for k, v in self._buffers.items() if k not in self._non_persistent_buffers_set}
        own = {k: v for k, v in itertools.chain(self._parameters.items(), persistent.items()) if v is not None}
        for name, target in own.items():
            key = prefix + name
            if key not in state_dict:
                if strict:
                    missing_keys.append(key)
                continue
            source = state_dict[key]
            if not (isinstance(source, torch.Tensor) or hasattr(source, "__torch_function__")):
                error_msgs.append(
                    f'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like object from '
                    f"checkpoint but received {type(source)}"
                )
                continue
            lazy = is_lazy(target)
            if not lazy and target.dim() == 0 and source.dim() == 1 and source.numel() == 1:
                source = source[0]  # as numbers were stored before there were tensors of no dimension
            if not lazy and source.shape != target.shape:
                error_msgs.append(
                    f"size mismatch for {key}: copying a param with shape {source.shape} from checkpoint, the shape in "
                    f"current model is {target.shape}."
                )
                continue
            if target.is_meta and not source.is_meta and not assign:
                import warnings

                warnings.warn(
                    f"for {key}: copying from a non-meta parameter in the checkpoint to a meta parameter in the current "
                    "model, which is a no-op: pass assign=True to take the checkpoint's tensors themselves",
                    stacklevel=2,
                )
            transfer = _Transfer(self, name, key, source, assign)
            if transfers is None:
                transfer.run(error_msgs)
            else:
                transfers.append(transfer)
        extra_key = prefix + EXTRA_STATE_KEY
        if _has_extra_state(self, "set_extra_state"):
            if extra_key in state_dict:
                self.set_extra_state(state_dict[extra_key])
            elif strict:
                missing_keys.append(extra_key)
        elif strict and extra_key in state_dict:
            unexpected_keys.append(extra_key)
        if strict:
            for key in state_dict:
                if key.startswith(prefix) and key != extra_key:
                    first, *rest = key.removeprefix(prefix).split(".", 1)
                    if first not in (self._modules if rest else own):
                        unexpected_keys.append(key)

    def load_state_dict(
        self, state_dict: Mapping[str, Any], strict: bool = True, assign: bool = False
    ) -> "_IncompatibleKeys":
        """Copies the tensors of `state_dict` into the parameters and buffers of those names; `assign`: takes the tensors
        themselves.

        `strict`: the names have to be the same ones. Returns a named tuple of the lists missing_keys and unexpected_keys.
        RuntimeError, which lists all that does not fit, for such names and for other shapes; the module is as it was then,
        unless it has post-hooks, which may forgive names.
        """
        if not isinstance(state_dict, Mapping):
            raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
        missing, unexpected, errors = [], [], []
        metadata = getattr(state_dict, "_metadata", None)
        state_dict = OrderedDict(state_dict)
        if metadata is not None:
            state_dict._metadata = metadata
        transfers, finished = [], []

        def load(module, entries, prefix=""):
            local = {} if metadata is None else dict(metadata.get(prefix[:-1], {}))
            if assign:
                local["assign_to_params_buffers"] = True
            # A class with a reader of its own may look at its tensors once they are read.
            ours = type(module)._load_from_state_dict.__module__.startswith("torch.nn.")
            if ours:
                local["transfers"] = transfers
            module._load_from_state_dict(entries, prefix, local, True, missing, unexpected, errors)
            for name, child in module._modules.items():
                if child is not None:
                    below = f"{prefix}{name}."
                    load(child, {k: v for k, v in entries.items() if k.startswith(below)}, below)
            finished.append(module)

        load(self, state_dict)
        hooked = [module for module in finished if module._load_state_dict_post_hooks]
        if not errors and (hooked or not (strict and (missing or unexpected))):
            for transfer in transfers:
                transfer.run(errors)
            keys = _IncompatibleKeys(missing, unexpected)
            for module in hooked:
                for hook in module._load_state_dict_post_hooks.values():
                    if hook(module, keys) is not None:
                        raise AssertionError(
                            "Hooks registered with ``register_load_state_dict_post_hook`` are not expected to return new "
                            "values: change incompatible_keys in place"
                        )
        if strict:
            for which, keys in (("Unexpected", unexpected), ("Missing", missing)):
                if keys:
                    listed = ", ".join(f'"{key}"' for key in keys)
                    errors.insert(0, f"{which} key(s) in state_dict: {listed}. ")
        if errors:
            raise RuntimeError(
                "Error(s) in loading state_dict for {}:\n\t{}".format(type(self).__name__, "\n\t".join(errors))
            )
        return _IncompatibleKeys(missing, unexpected)
