"""Names for annotations: what arguments of torch's functions may be."""

import os
from builtins import (
    bool as _bool,
    bytes as _bytes,
    complex as _complex,  # noqa: F401 - for others
    float as _float,
    int as _int,
    str as _str,
)
from collections.abc import Sequence
from typing import IO, Any, TypeAlias

from torch import (
    Size,
    Tensor,
    device as _device,
    dtype as _dtype,
    layout as _layout,  # noqa: F401 - for others
)

__all__ = ["Device", "FileLike", "Number", "Storage"]

Number: TypeAlias = _int | _float | _bool
Device: TypeAlias = _device | _str | _int | None
FileLike: TypeAlias = _str | os.PathLike[_str] | IO[_bytes]

# Sizes and numbers, which are Python's own here.
IntLikeType: TypeAlias = _int
FloatLikeType: TypeAlias = _float
BoolLikeType: TypeAlias = _bool
_size: TypeAlias = Size | list[_int] | tuple[_int, ...]

_TensorOrTensors: TypeAlias = Tensor | Sequence[Tensor]
_TensorOrOptionalTensors: TypeAlias = Tensor | Sequence[Tensor | None]


class Storage:
    """What typed and untyped storages have in common, for annotations."""

    _cdata: _int
    device: _device
    dtype: _dtype

    def __deepcopy__(self, memo: dict[_int, Any]) -> "Storage":
        """A copy with memory of its own."""
        raise NotImplementedError("torch.types.Storage is for annotations: make a torch.UntypedStorage")

    def element_size(self) -> _int:
        """Bytes of an element."""
        raise NotImplementedError("torch.types.Storage is for annotations: make a torch.UntypedStorage")

    def size(self) -> _int:
        """The number of elements."""
        raise NotImplementedError("torch.types.Storage is for annotations: make a torch.UntypedStorage")
