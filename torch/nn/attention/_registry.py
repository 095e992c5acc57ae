"""Implementations of flash attention by name: programs register theirs, and one of them is active.

Registering one runs nothing; activating it calls the function that was registered, which puts its kernels in place and may
return a handle whose remove() takes them away."""

from __future__ import annotations

import importlib
import warnings

_implementations = {}
_active = None, None  # the name and what its function returned


def _from_package(package):
    """The function of an implementation that is a package of its own: it must be installed, and to know this torch."""

    def register():
        importlib.import_module(package)
        raise RuntimeError(f"the package {package} has kernels for PyTorch's dispatcher, which this torch has not")

    return register


def register_flash_attention_impl(impl, *, register_fn) -> None:
    """Makes activate_flash_attention_impl(impl) call register_fn(). Another one of that name is replaced."""
    _implementations[impl] = register_fn


def activate_flash_attention_impl(impl) -> None:
    """Makes an implementation the active one; the one before is removed first. ValueError for a name that nobody has
    registered; an error of its function leaves none active."""
    global _active
    if impl not in _implementations:
        raise ValueError(
            f"Unknown flash attention impl '{impl}'. Available implementations: {list_flash_attention_impls()}"
        )
    if _active[0] is not None:
        restore_flash_attention_impl(_raise_warn=False)
    handle = _implementations[impl]()
    if handle is not None:
        _active = impl, handle


def list_flash_attention_impls() -> list[str]:
    """The names that are registered, in order."""
    return sorted(_implementations)


def current_flash_attention_impl() -> str | None:
    """The name of the active implementation; None where it is torch's own."""
    return _active[0]


def restore_flash_attention_impl(_raise_warn: bool = True) -> None:
    """Makes torch's own implementation the active one. Warns if it is already."""
    global _active
    name, handle = _active
    if name is None:
        if _raise_warn:
            warnings.warn("Trying to restore default FA2 impl when no custom impl was activated", stacklevel=2)
        return
    handle.remove()
    _active = None, None


register_flash_attention_impl("FA3", register_fn=_from_package("flash_attn_interface"))
register_flash_attention_impl("FA4", register_fn=_from_package("flash_attn"))
