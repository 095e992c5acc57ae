"""How a tensor lies along one dimension of a mesh: in parts, whole, or as terms that are still to be added up."""

from __future__ import annotations

import torch
from torch._absent import rest_of

__all__ = ["Partial", "Placement", "Replicate", "Shard"]


class Placement:
    """What Shard, Replicate and Partial have in common."""

    def is_shard(self, dim=None):
        """Whether each rank has a part, along dimension `dim` where that is given."""
        return isinstance(self, Shard) and dim in (None, self.dim)

    def is_replicate(self):
        """Whether each rank has the whole."""
        return isinstance(self, Replicate)

    def is_partial(self, reduce_op=None):
        """Whether each rank has a term, to be joined by `reduce_op` where that is given."""
        return isinstance(self, Partial) and reduce_op in (None, self.reduce_op)

    def _key(self):
        return (type(self).__name__,)

    def __eq__(self, other):
        return isinstance(other, Placement) and self._key() == other._key()

    def __hash__(self):
        return hash(self._key())


class Shard(Placement):
    """Each rank has a part of dimension `dim`, as torch.chunk() makes them; the last ones may be smaller, or empty."""

    def __init__(self, dim: int):
        if not isinstance(dim, int):
            raise TypeError(f"Shard() takes the number of a dimension, not {dim!r}")
        self.dim = dim

    def _key(self):
        return "Shard", self.dim

    def of_dim(self, dim):
        """The same of another dimension."""
        return Shard(dim)

    def __repr__(self):
        return f"Shard(dim={self.dim})"

    def __str__(self):
        return f"S({self.dim})"

    @staticmethod
    def local_shard_size_and_offset(size, parts, rank):
        """(length, start) of the part of `rank` among `parts` of a dimension of `size`."""
        chunk = -(-size // parts)
        start = min(chunk * rank, size)
        return min(chunk, size - start), start

    _local_shard_size_and_offset = local_shard_size_and_offset

    def _split_tensor(self, tensor, num_chunks, *, with_padding=False, contiguous=True):
        parts = [
            tensor.narrow(self.dim, start, length)
            for length, start in (
                self.local_shard_size_and_offset(tensor.size(self.dim), num_chunks, r) for r in range(num_chunks)
            )
        ]
        return ([p.contiguous() for p in parts] if contiguous else parts), []


class _StridedShard(Placement):
    """A part of dimension `dim`, which later dimensions of the mesh split into `split_factor` parts before this one does:
    what fully_shard() makes of a tensor that is in parts already. It counts as a shard, and is no Shard."""

    def __init__(self, dim: int, *, split_factor: int):
        self.dim = Shard(dim).dim
        if isinstance(split_factor, bool) or not isinstance(split_factor, int) or split_factor < 1:
            raise ValueError(f"split_factor is an int of at least 1, not {split_factor!r}")
        self.split_factor = split_factor

    def is_shard(self, dim=None):
        """Whether each rank has a part, along dimension `dim` where that is given."""
        return dim in (None, self.dim)

    def _key(self):
        return "_StridedShard", self.dim, self.split_factor

    def of_dim(self, dim):
        """The same of another dimension."""
        return _StridedShard(dim, split_factor=self.split_factor)

    def __repr__(self):
        return f"_StridedShard(dim={self.dim}, sf={self.split_factor})"

    def __str__(self):
        return f"_S({self.dim}, {self.split_factor})"


class Replicate(Placement):
    """Each rank has the whole tensor."""

    def __repr__(self):
        return "Replicate()"

    def __str__(self):
        return "R"


class Partial(Placement):
    """Each rank has a tensor of the whole size; joined by `reduce_op` ("sum", "avg", "max", "min", "product"…) they are it."""

    ALL_REDUCE_OPS = ("sum", "avg", "product", "max", "min", "band", "bor", "bxor")

    def __init__(self, reduce_op: str = "sum"):
        if reduce_op not in self.ALL_REDUCE_OPS:
            raise ValueError(f"Partial() takes one of {', '.join(self.ALL_REDUCE_OPS)}, not {reduce_op!r}")
        self.reduce_op = reduce_op

    def _key(self):
        return "Partial", self.reduce_op

    def __repr__(self):
        return f"Partial({self.reduce_op})"

    def __str__(self):
        return f"P({self.reduce_op})"

    def op(self):
        """The torch.distributed.ReduceOp."""
        return getattr(torch.distributed.ReduceOp, self.reduce_op.upper())


_Partial = Partial


__getattr__, __dir__ = rest_of(__name__)
