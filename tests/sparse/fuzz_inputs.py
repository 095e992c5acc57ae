"""Random tensors for programs (fuzz_steps.py): a dense one, and the same in any layout that it can have."""

import torch

DTYPES = (
    (torch.float64,) * 5
    + (torch.int64, torch.int64, torch.complex128, torch.bool, torch.float32)
    + (torch.int32, torch.uint8, torch.int8, torch.complex64, torch.float16, torch.bfloat16)
)
SIZES = (1, 2, 2, 3, 3, 4, 4, 6, 6, 0)
BLOCKED = (torch.sparse_bsr, torch.sparse_bsc)
COMPRESSED = (torch.sparse_csr, torch.sparse_csc, *BLOCKED)
BY_ROWS = (torch.sparse_csr, torch.sparse_bsr)


class Difference(AssertionError):
    """What a program does otherwise: `kind` says in what way, `step` of which operator."""

    def __init__(self, kind, step, details):
        super().__init__(f"{kind} of {step}: {details}")
        self.kind, self.step = kind, step


def is_sparse(t):
    return t.layout != torch.strided


def to_dense(t):
    return t.to_dense() if is_sparse(t) else t


def dense_tensor(random, shape, dtype):
    """Small whole numbers, in one of three cases the same places in all matrices of a batch."""
    batched = len(shape) > 2 and random.random() < 0.4
    inner = shape[-2:] if batched else shape
    count, places = 1, 1
    for n in shape:
        count *= n
    for n in inner:
        places *= n
    density = random.choice((0.0, 0.2, 0.2, 0.5, 0.5, 1.0))
    there = [random.random() < density for _ in range(places)]
    low = 0 if dtype == torch.uint8 else -3
    values = [(random.randint(low, 3) or (3 if batched else 0)) if there[i % places] else 0 for i in range(count)]
    made = torch.tensor(values, dtype=torch.int64).reshape(shape)
    if dtype.is_complex:
        return made.to(dtype) * complex(1, random.choice((0, 1, -1)))
    return made.to(dtype) if dtype != torch.bool else made != 0


def split_entries(random, tensor):
    """The same tensor by coordinates in any order, some of its entries there twice."""
    tensor = tensor.coalesce()
    places, values = tensor.indices(), tensor.values()
    if tensor.dtype == torch.bool or not values.shape[0]:
        return torch.sparse_coo_tensor(places, values, tensor.shape)
    n = values.shape[0]
    again = torch.tensor([i for i in range(n) if random.random() < 0.4], dtype=torch.int64)
    more = (values[again] != 0).to(values.dtype)
    values = values.clone()
    values[again] -= more
    places, values = torch.cat([places, places[:, again]], 1), torch.cat([values, more])
    order = torch.tensor(random.sample(range(values.shape[0]), values.shape[0]), dtype=torch.int64)
    return torch.sparse_coo_tensor(places[:, order], values[order], tensor.shape)


def with_zeros(random, dense, sparse_dim):
    """By coordinates, with entries that are 0 among the others."""
    shape = dense.shape[:sparse_dim]
    more = torch.tensor([random.random() < 0.3 for _ in range(shape.numel())], dtype=torch.bool).reshape(shape)
    there = (dense != 0).unsqueeze(-1).flatten(sparse_dim).any(-1)
    places = (more | there).nonzero().t().contiguous()
    return torch.sparse_coo_tensor(
        places, dense[tuple(places)], dense.shape, is_coalesced=random.random() < 0.5 or None
    )


def block_of(random, shape):
    return tuple(random.choice([k for k in range(1, n + 1) if n % k == 0] or [1]) for n in shape)


def compressed(random, dense):
    """A matrix, a batch of them, or one with dense dimensions, of a layout with compressed rows or columns."""
    layout = random.choice(COMPRESSED)
    dense_dim = random.choice((0, dense.dim() - 2))
    batch = dense.dim() - 2 - dense_dim
    blocks = {"blocksize": block_of(random, dense.shape[batch : batch + 2])} if layout in BLOCKED else {}
    try:
        made = dense.to_sparse(layout=layout, dense_dim=dense_dim, **blocks)
    except RuntimeError:  # matrices of a batch have as many entries each
        made = dense.to_sparse()
    return narrow_indices(made) if random.random() < 0.3 else made


def members(t):
    """Indices first, values last."""
    if t.layout == torch.sparse_coo:
        return t._indices(), t._values()
    if t.layout in BY_ROWS:
        return t.crow_indices(), t.col_indices(), t.values()
    return t.ccol_indices(), t.row_indices(), t.values()


def with_members(t, *own):
    if t.layout == torch.sparse_coo:
        return torch.sparse_coo_tensor(*own, t.shape, is_coalesced=t.is_coalesced() or None)
    return torch.sparse_compressed_tensor(*own, t.shape, layout=t.layout)


def narrow_indices(t):
    """Indices of int32, where the layout has them."""
    if t.layout == torch.sparse_coo:
        return t
    begins, places, values = members(t)
    return with_members(t, begins.to(torch.int32), places.to(torch.int32), values)


def sparse_tensor(random, dense):
    kinds = ["coo", "uncoalesced", "zeros", "dense"]
    if dense.dim() >= 2:
        kinds += ["compressed"] * 4 + ["hybrid", "hybrid", "hybrid zeros"]
    kind = random.choice(kinds)
    if kind == "dense":
        return dense.clone()
    if kind == "compressed":
        return compressed(random, dense)
    if kind == "hybrid":
        made = dense.to_sparse(random.randint(1, dense.dim() - 1))
        return made if random.random() < 0.3 else split_entries(random, made)
    if kind in ("zeros", "hybrid zeros") and dense.dim():
        return with_zeros(random, dense, dense.dim() if kind == "zeros" else random.randint(1, dense.dim() - 1))
    return split_entries(random, dense.to_sparse()) if kind == "uncoalesced" else dense.to_sparse()


def shapes(random):
    """Of the first operands of a program: two alike, one that can be multiplied from the right, one to be broadcast."""
    first = tuple(random.choice(SIZES) for _ in range(random.choice((0, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 4))))
    last = first[-1:] + (random.choice(SIZES),) if first else ()
    return [first, first, first[:-2] + last if len(first) > 2 and random.random() < 0.5 else last, first[-1:]]
