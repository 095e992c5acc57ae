"""Whether what is computed is recorded: contexts, which are decorators, too."""

from __future__ import annotations

from typing import Any

import torch
from torch import _C
from torch._contextlib import _F, _DecoratorContextManager, _NoParamDecoratorContextManager

__all__ = ["enable_grad", "inference_mode", "no_grad", "set_grad_enabled", "set_multithreading_enabled"]


class no_grad(_NoParamDecoratorContextManager):  # noqa: N801 - torch's name
    """A context, or a decorator, in which the calling thread records nothing: results have requires_grad=False.

    Tensors made with requires_grad=True stay what they are, and functions that make tensors keep the keyword.
    """

    def __enter__(self) -> None:
        self.prev = _C.is_grad_enabled()
        _C._set_grad_enabled(False)

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        _C._set_grad_enabled(self.prev)


class enable_grad(_NoParamDecoratorContextManager):  # noqa: N801 - torch's name
    """A context, or a decorator, in which the calling thread records what tensors with requires_grad=True take part in,
    inside of no_grad, too."""

    def __enter__(self) -> None:
        self.prev = _C.is_grad_enabled()
        _C._set_grad_enabled(True)

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        _C._set_grad_enabled(self.prev)


class set_grad_enabled(_DecoratorContextManager):  # noqa: N801 - torch's name
    """Sets whether the calling thread records: at once, and until the end of a with statement, if it stands in one.
    TypeError if `mode` is no bool."""

    def __init__(self, mode: bool) -> None:
        self.prev = _C.is_grad_enabled()
        self.mode = mode
        _C._set_grad_enabled(mode)

    def __call__(self, orig_func: _F) -> _F:
        _C._set_grad_enabled(self.prev)  # as a decorator it says nothing of now
        return super().__call__(orig_func)

    def __enter__(self) -> None:
        _C._set_grad_enabled(self.mode)

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        _C._set_grad_enabled(self.prev)

    def __str__(self) -> str:
        return f"{torch.typename(self)}(mode={self.mode})"

    __repr__ = __str__

    def clone(self) -> set_grad_enabled:
        """Another context of the same mode."""
        return self.__class__(self.mode)


class inference_mode(_DecoratorContextManager):  # noqa: N801 - torch's name
    """A context, or a decorator, for code whose results nobody will ask gradients of: nothing is recorded, and what is made in
    it are inference tensors (`x.is_inference()`), views of older tensors aside. These have no version counter. Outside they can
    be read, and take part in what is recorded where no gradient needs their elements; writing into one, or requires_grad_(),
    raises RuntimeError. A clone made outside is a tensor like any other."""

    def __init__(self, mode: bool = True) -> None:
        self.mode = mode

    def __new__(cls, mode: Any = True) -> Any:
        if isinstance(mode, bool):
            return super().__new__(cls)
        return cls()(mode)  # `@inference_mode` without parentheses

    def __enter__(self) -> None:
        self.before = _C.is_inference_mode_enabled(), _C.is_grad_enabled()
        _C._set_inference_mode(self.mode)
        if self.mode:
            _C._set_grad_enabled(False)
        elif self.before[0]:
            _C._set_grad_enabled(True)

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        inference, grad = self.before
        _C._set_inference_mode(inference)
        _C._set_grad_enabled(grad)

    def clone(self) -> inference_mode:
        """Another context of the same mode."""
        return self.__class__(self.mode)


class enforce_grad_layout_policy(_DecoratorContextManager):  # noqa: N801 - torch's name
    """Whether the backward pass gives a leaf's new gradient the leaf's strides, as it does by default: a setting of the
    calling thread, as a context, a decorator, or a plain call. With enable=False a gradient that nobody else has becomes the
    leaf's as it lies. TypeError for what is no bool."""

    def __init__(self, enable: bool = True) -> None:
        self.prev = _C._is_grad_layout_enforced()
        self.mode = enable
        _C._set_grad_layout_enforced(enable)

    def __call__(self, orig_func: _F) -> _F:
        _C._set_grad_layout_enforced(self.prev)  # to decorate is not to set
        return super().__call__(orig_func)

    def __enter__(self) -> None:
        _C._set_grad_layout_enforced(self.mode)

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        _C._set_grad_layout_enforced(self.prev)

    def clone(self) -> enforce_grad_layout_policy:
        """Another context of the same mode."""
        return self.__class__(self.mode)


_multithreading = True


class set_multithreading_enabled(_DecoratorContextManager):  # noqa: N801 - torch's name
    """Sets whether the backward pass may use threads of its own, for each device one. Here it runs in the thread that
    calls it, and operators use several threads as ever: the setting is told by is_multithreading_enabled() and changes
    nothing else."""

    def __init__(self, mode: bool) -> None:
        global _multithreading
        self.prev, self.mode, _multithreading = _multithreading, mode, mode

    def __enter__(self) -> None:
        pass

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        global _multithreading
        _multithreading = self.prev

    def clone(self) -> set_multithreading_enabled:
        """Another context of the same mode."""
        return self.__class__(self.mode)


def is_multithreading_enabled():
    """What set_multithreading_enabled has set."""
    return _multithreading
