"""Kernels in Triton's language. Calling one works as it is; what torch.compile does with them is not here."""

from __future__ import annotations

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any


def triton_op(
    name: str, fn: Callable | None = None, /, *, mutates_args: str | Iterable[str], schema: str | None = None
) -> Callable:
    """An operator made of Triton kernels that torch.compile can see into. There is no such compiler here."""
    raise NotImplementedError(
        f"triton_op({name!r}): this torch does not look into Triton's kernels; torch.library.custom_op makes an operator of "
        "a function that launches them"
    )


def wrap_triton(triton_kernel: Callable, /) -> Any:
    """A Triton kernel that torch.compile can see. There is no such compiler here."""
    raise NotImplementedError(
        f"wrap_triton({getattr(triton_kernel, '__name__', triton_kernel)!r}): this torch does not look into Triton's kernels; "
        "launch the kernel itself, kernel[grid](…)"
    )


capture_triton = wrap_triton  # its older name
