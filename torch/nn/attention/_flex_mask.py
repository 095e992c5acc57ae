"""Which keys each query sees: functions that say so, and BlockMask, which says it of blocks."""

from __future__ import annotations

import inspect
import itertools
import math

import torch
from torch.nn.attention._flex_index import called, positions

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from typing import Any, Self

    from torch import Tensor


_DEFAULT_SPARSE_BLOCK_SIZE = 128  # of a side; by this name libraries ask for it


def noop_mask(batch: Tensor, head: Tensor, token_q: Tensor, token_kv: Tensor) -> Tensor:
    """The mask_mod that hides nothing."""
    return batch.new_ones((), dtype=torch.bool)


def _combined(mask_mods, name, start, join):
    if not all(callable(mod) for mod in mask_mods):
        raise RuntimeError(f"All inputs should be callable mask_mods: {mask_mods}")

    def mask(b, h, q_idx, kv_idx):
        result = b.new_full((), start, dtype=torch.bool)
        for mod in mask_mods:
            result = join(result, mod(b, h, q_idx, kv_idx))
        return result

    mask.__name__ = mask.__qualname__ = name
    return mask


def and_masks(*mask_mods):
    """A mask_mod that lets through what all of them do."""
    return _combined(mask_mods, "and_mask", True, lambda a, b: a & b)


def or_masks(*mask_mods):
    """A mask_mod that lets through what any of them does."""
    return _combined(mask_mods, "or_mask", False, lambda a, b: a | b)


def _is_mask(function):
    """Whether it takes (b, h, q, k), and not a score before them."""
    parameters = inspect.signature(function).parameters.values()
    wanted = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) and p.default is p.empty]
    if len(wanted) not in (4, 5):
        raise AssertionError(f"Expected 4 or 5 positional args, got {len(wanted)}: a mask_mod or a score_mod")
    return len(wanted) == 4


def create_mask(mod_fn, B: int | None, H: int | None, Q_LEN: int, KV_LEN: int, device=None) -> Tensor:
    """The dense mask (B, H, Q_LEN, KV_LEN) of a mask_mod, or of a score_mod: what that does not make -inf. B, H: None is 1."""
    device = torch.device(device) if device is not None else torch.get_default_device()
    shape = (1 if B is None else B, 1 if H is None else H, Q_LEN, KV_LEN)
    rows, columns = torch.arange(Q_LEN, device=device), torch.arange(KV_LEN, device=device)
    where = positions(*shape[:2], rows, columns, torch.int64)
    if _is_mask(mod_fn):
        return called(mod_fn, where).expand(shape).contiguous()
    scores = called(mod_fn, where, torch.zeros(shape, device=device))
    return ~torch.isneginf(scores.expand(shape))


# ---- blocks: dense, or the number in each row and where they are -----------------------------------------------
def _ordered(dense):
    """(number of blocks of each row, their columns and then the others')"""
    dense = dense.to(torch.int32)
    columns = torch.argsort(dense, dim=-1, descending=True, stable=True)
    return dense.sum(-1, dtype=torch.int32), columns.to(torch.int32).contiguous()


def _dense(counts, columns, width=None):
    width = columns.shape[-1] if width is None else width
    used = torch.arange(columns.shape[-1], device=columns.device) < counts.unsqueeze(-1)
    # What is not used is written to a column behind the last.
    places = torch.where(used, columns.long(), width)
    shape = (*columns.shape[:-1], width + 1)
    dense = torch.zeros(shape, dtype=torch.int32, device=columns.device)
    return dense.scatter(-1, places, torch.ones_like(places, dtype=torch.int32))[..., :width]


def _transposed(counts, columns):
    if counts is None:
        return None, None
    return _ordered(_dense(counts, columns).transpose(-2, -1))


def _pair(size):
    if isinstance(size, int):
        return size, size
    if len(size) != 2:
        raise ValueError(f"BLOCK_SIZE is a number or two, of queries and of keys, got {size}")
    return tuple(size)


def _sliced_mask_mod_error(batch, head, token_q, token_kv):
    raise RuntimeError(
        "Cannot use mask_mod from a sliced BlockMask: its queries are counted from another place. Set the slice's mask_mod "
        "to one made of the original BlockMask's, as in sliced.mask_mod = with_offset(mask.mask_mod, offset)"
    )


class BlockMask:
    """Which blocks of keys each block of queries sees, for flex_attention(); made by create_block_mask() or from_kv_blocks().

    kv_num_blocks (B, H, rows) counts the blocks of each row in which mask_mod has to be asked, kv_indices (B, H, rows,
    columns) says which; full_kv_num_blocks and full_kv_indices those in which everything is seen (None: none is known to be).
    q_num_blocks and its like are the same by columns. mask[b, h, rows] is a part.
    """

    _TENSOR_ATTRS = [
        *("kv_num_blocks", "kv_indices", "full_kv_num_blocks", "full_kv_indices"),
        *("q_num_blocks", "q_indices", "full_q_num_blocks", "full_q_indices"),
    ]

    def __init__(
        self,
        seq_lengths: tuple[int, int],
        kv_num_blocks: Tensor,
        kv_indices: Tensor,
        full_kv_num_blocks: Tensor | None,
        full_kv_indices: Tensor | None,
        q_num_blocks: Tensor | None,
        q_indices: Tensor | None,
        full_q_num_blocks: Tensor | None,
        full_q_indices: Tensor | None,
        BLOCK_SIZE: tuple[int, int] = (_DEFAULT_SPARSE_BLOCK_SIZE, _DEFAULT_SPARSE_BLOCK_SIZE),
        mask_mod=noop_mask,
        *,
        dq_write_order: Tensor | None = None,
        dq_write_order_full: Tensor | None = None,
        dq_kv_order: Tensor | None = None,
        dq_kv_order_spt: bool | None = None,
    ) -> None:
        if kv_indices.dim() < 2:
            raise RuntimeError("BlockMask must have at least 2 dimensions")
        for counts, columns, name in (
            (full_kv_num_blocks, full_kv_indices, "full_kv"),
            (q_num_blocks, q_indices, "q"),
            (full_q_num_blocks, full_q_indices, "full_q"),
        ):
            if (counts is None) != (columns is None):
                raise AssertionError(f"{name}_num_blocks and {name}_indices must be both provided or omitted")
        self.seq_lengths = tuple(seq_lengths)
        self.kv_num_blocks, self.kv_indices = kv_num_blocks, kv_indices
        self.full_kv_num_blocks, self.full_kv_indices = full_kv_num_blocks, full_kv_indices
        self.q_num_blocks, self.q_indices = q_num_blocks, q_indices
        self.full_q_num_blocks, self.full_q_indices = full_q_num_blocks, full_q_indices
        self.BLOCK_SIZE = _pair(BLOCK_SIZE)
        self.mask_mod = mask_mod
        self.dq_write_order, self.dq_write_order_full = dq_write_order, dq_write_order_full
        self.dq_kv_order, self.dq_kv_order_spt = dq_kv_order, dq_kv_order_spt

    @classmethod
    def from_kv_blocks(
        cls,
        kv_num_blocks: Tensor,
        kv_indices: Tensor,
        full_kv_num_blocks: Tensor | None = None,
        full_kv_indices: Tensor | None = None,
        BLOCK_SIZE: int | tuple[int, int] = _DEFAULT_SPARSE_BLOCK_SIZE,
        mask_mod=None,
        seq_lengths: tuple[int, int] | None = None,
        compute_q_blocks: bool = True,
        *,
        dq_write_order: Tensor | None = None,
        dq_write_order_full: Tensor | None = None,
        dq_kv_order: Tensor | bool | None = None,
    ) -> Self:
        """Of what each row of blocks sees. seq_lengths: of queries and keys; by default those of all blocks."""
        if kv_indices.dim() < 2:
            raise RuntimeError("BlockMask must have at least 2 dimensions")
        if (full_kv_num_blocks is None) != (full_kv_indices is None):
            raise AssertionError("full_kv_num_blocks and full_kv_indices must be both provided or omitted")
        size = _pair(BLOCK_SIZE)
        if seq_lengths is None:
            seq_lengths = tuple(n * each for n, each in zip(kv_indices.shape[-2:], size))
        by_query = (None,) * 4
        if compute_q_blocks:
            by_query = (*_transposed(kv_num_blocks, kv_indices), *_transposed(full_kv_num_blocks, full_kv_indices))
        return cls(
            seq_lengths,
            *(kv_num_blocks, kv_indices, full_kv_num_blocks, full_kv_indices),
            *by_query,
            size,
            mask_mod or noop_mask,
            dq_write_order=dq_write_order,
            dq_write_order_full=dq_write_order_full,
            dq_kv_order=dq_kv_order,
        )

    @property
    def shape(self) -> tuple[int, ...]:
        return (*self.kv_indices.shape[:-2], *self.seq_lengths)

    def numel(self) -> int:
        """Pairs of a query and a key, in all batches and heads."""
        return math.prod(self.shape)

    def sparsity(self) -> float:
        """How many per cent of the pairs lie in blocks that are left out."""
        computed = self.kv_num_blocks.sum()
        if self.full_kv_num_blocks is not None:
            computed = computed + self.full_kv_num_blocks.sum()
        return 100 * (1 - computed.item() * math.prod(self.BLOCK_SIZE) / self.numel())

    def to_dense(self) -> Tensor:
        """(B, H, rows, columns) of 1 for blocks that are seen, wholly or in part."""
        dense = _dense(self.kv_num_blocks, self.kv_indices)
        if self.full_kv_num_blocks is not None:
            dense = dense | _dense(self.full_kv_num_blocks, self.full_kv_indices)
        return dense

    def as_tuple(self, flatten: bool = True) -> tuple[Any, ...]:
        """All that it is made of; `flatten`: pairs of numbers one by one."""
        lengths, size = (self.seq_lengths, self.BLOCK_SIZE) if flatten else ((self.seq_lengths,), (self.BLOCK_SIZE,))
        tensors = [getattr(self, name) for name in self._TENSOR_ATTRS]
        order = (self.dq_write_order, self.dq_write_order_full, self.dq_kv_order, self.dq_kv_order_spt)
        return (*lengths, *tensors, *order, *size, self.mask_mod)

    def _of(self, tensors, **changed):
        options = {
            name: getattr(self, name)
            for name in ("dq_write_order", "dq_write_order_full", "dq_kv_order", "dq_kv_order_spt")
        }
        lengths = changed.pop("seq_lengths", self.seq_lengths)
        mask_mod = changed.pop("mask_mod", self.mask_mod)
        return type(self)(lengths, *tensors, self.BLOCK_SIZE, mask_mod, **options | changed)

    def to(self, device: torch.device | str) -> BlockMask:
        """The same with its tensors on a device; what mask_mod has captured stays where it is."""
        return self._of([None if t is None else t.to(device) for t in self._tensors()])

    def _tensors(self):
        return [getattr(self, name) for name in self._TENSOR_ATTRS]

    def __getitem__(self, index: int | slice | Tensor | tuple[int | slice | Tensor, ...]) -> Self:
        """The part of some batches, heads and rows of blocks. An int keeps its dimension. mask_mod has to be set anew."""
        index = index if isinstance(index, tuple) else (index,)
        index = tuple(slice(i, i + 1 or None) if isinstance(i, int) else i for i in index)
        found = [None if t is None else t[index] for t in self._tensors()[:4]]
        by_query = [None] * 4
        if self.q_num_blocks is not None:
            by_query = [*_transposed(*found[:2]), *_transposed(*found[2:])]
        return self._of([*found, *by_query], mask_mod=_sliced_mask_mod_error)

    def _adjust(self, new_q_len, new_kv_len):
        """The same mask for other lengths: rows and columns of blocks are left out, or added and see nothing."""
        rows, columns = (-(-length // size) for length, size in zip((new_q_len, new_kv_len), self.BLOCK_SIZE))
        found = []
        for counts, indices in (self._tensors()[:2], self._tensors()[2:4]):
            if counts is None:
                found += [None, None]
                continue
            dense = _dense(counts, indices)[..., :rows, :columns]
            missing = (0, columns - dense.shape[-1], 0, rows - dense.shape[-2])
            found += _ordered(torch.nn.functional.pad(dense, missing))
        lengths = (new_q_len, new_kv_len)
        return self.from_kv_blocks(*found, BLOCK_SIZE=self.BLOCK_SIZE, mask_mod=self.mask_mod, seq_lengths=lengths)

    def to_string(self, grid_size: int | tuple[int, int] = (20, 20), limit: int = 4) -> str:
        """A picture for each batch and head: ██ what is seen, ░░ in part; of at most grid_size cells (-1: all blocks)."""
        dense = self.to_dense()
        rows, columns = dense.shape[-2:]
        if grid_size == -1:
            grid_size = (rows, columns)
        grid_rows, grid_columns = _pair(grid_size)
        down, right = max(1, -(-rows // grid_rows)), max(1, -(-columns // grid_columns))
        pictures = []
        for place in itertools.product(*(range(n) for n in dense.shape[:-2])):
            if len(pictures) == limit:
                pictures.append(f"...\nto_string(limit=N) shows more than {limit}; mask[batch, head] is one of them")
                break
            cells = (
                "".join(
                    _cell(dense[(*place, slice(i, i + down), slice(j, j + right))]) for j in range(0, columns, right)
                )
                for i in range(0, rows, down)
            )
            pictures.append(f"{place}\n" + "\n".join(cells) + "\n")
        return "\n".join(pictures)

    def __str__(self) -> str:
        return f"BlockMask(shape={self.shape}, sparsity={self.sparsity():.2f}%, \n{self.to_string()})"

    def __repr__(self) -> str:
        lines = [
            f"    {name}={None if tensor is None else tensor.shape},\n"
            for name, tensor in zip(self._TENSOR_ATTRS, self._tensors())
        ]
        named = getattr(self.mask_mod, "__name__", self.mask_mod)
        lines.append(
            f"    BLOCK_SIZE={self.BLOCK_SIZE},\n    shape={self.shape},\n    sparsity={self.sparsity():.2f}%,\n"
            f"    mask_mod={named}\n"
        )
        return f"BlockMask(\n{''.join(lines)})"


def _cell(blocks):
    seen = blocks.sum().item()
    return "  " if not seen else "██" if seen == blocks.numel() else "░░"


def create_block_mask(
    mask_mod,
    B: int | None,
    H: int | None,
    Q_LEN: int,
    KV_LEN: int,
    device=None,
    BLOCK_SIZE: int | tuple[int, int] = _DEFAULT_SPARSE_BLOCK_SIZE,
    _compile=False,
    separate_full_blocks: bool = True,
    compute_dq_write_order: bool = False,
    dq_kv_order: bool = True,
) -> BlockMask:
    """The BlockMask of a mask_mod(b, h, q_idx, kv_idx), which says whether that query sees that key.

    B, H: None where the mask is the same in all batches and heads. BLOCK_SIZE: of queries and of keys, or one number for
    both. separate_full_blocks: find out in which blocks everything is seen, and mask_mod need not be asked again.
    """
    if not callable(mask_mod) or not _is_mask(mask_mod):
        raise AssertionError(f"create-block_mask requires a mask_mod function! Got {mask_mod}")
    if compute_dq_write_order:
        raise NotImplementedError("compute_dq_write_order is for a kernel on GPUs that this torch has not")
    rows, columns = _pair(BLOCK_SIZE)
    mask = create_mask(mask_mod, B, H, Q_LEN, KV_LEN, device)
    padded = torch.nn.functional.pad(mask, (0, -KV_LEN % columns, 0, -Q_LEN % rows))
    blocks = padded.unflatten(-1, (-1, columns)).unflatten(-3, (-1, rows))  # (B, H, rows of blocks, rows, columns of …)
    seen = blocks.any(-1).any(-2)
    full = (None, None)
    if separate_full_blocks:
        whole = blocks.all(-1).all(-2)
        full, seen = _ordered(whole), seen & ~whole
    lengths = (Q_LEN, KV_LEN)
    return BlockMask.from_kv_blocks(
        *_ordered(seen), *full, BLOCK_SIZE=(rows, columns), mask_mod=mask_mod, seq_lengths=lengths
    )
