"""Sparse tensors of their members: torch.sparse_coo_tensor and its kin."""

import contextlib

import torch

# As TH counts layouts.
NUMBERS = {torch.sparse_csr: 2, torch.sparse_csc: 3, torch.sparse_bsr: 4, torch.sparse_bsc: 5}
BY_ROWS = (torch.sparse_csr, torch.sparse_bsr)
BLOCKED = (torch.sparse_bsr, torch.sparse_bsc)

_checks = False


class check_sparse_tensor_invariants(contextlib.ContextDecorator):
    """Whether constructors of sparse tensors look at what indices say. A context, a decorator, and `enable()`, `disable()`
    for good. A constructor's own `check_invariants` goes before."""

    def __init__(self, enable=True):
        self.state = enable
        self._saved = []

    @staticmethod
    def is_enabled():
        """Whether they do; not at first."""
        return _checks

    @staticmethod
    def enable():
        """From now on they do."""
        global _checks
        _checks = True

    @staticmethod
    def disable():
        """From now on they do not."""
        global _checks
        _checks = False

    def __enter__(self):
        self._saved.append(_checks)
        self.enable() if self.state else self.disable()
        return self

    def __exit__(self, *error):
        global _checks
        _checks = self._saved.pop()


def _indices(data, device, dtype=torch.int64):
    given = data if isinstance(data, torch.Tensor) else torch.as_tensor(data)
    if not isinstance(data, torch.Tensor) and given.numel() == 0:
        given = given.to(dtype)
    return given.detach().to(device=device, dtype=dtype)


def _values(data, dtype, device):
    if isinstance(data, torch.Tensor):
        return data.to(device=device or data.device, dtype=dtype or data.dtype)
    return torch.tensor(data, dtype=dtype, device=device)


def _finished(made, check_invariants, requires_grad, pin_memory):
    if pin_memory:
        raise NotImplementedError("pin_memory: members of sparse tensors are not pinned")
    if _checks if check_invariants is None else check_invariants:
        torch._validate_sparse_tensor(made)
    # A tensor made here is a leaf, as torch.tensor's is, unless its values have a history.
    if requires_grad:
        made = made.detach().requires_grad_()
    return made


def sparse_coo_tensor(
    indices=None,
    values=None,
    size=None,
    *,
    dtype=None,
    device=None,
    pin_memory=False,
    requires_grad=False,
    check_invariants=None,
    is_coalesced=None,
):
    """The sparse tensor by coordinates of `indices` (sparse_dim, nnz) and `values` (nnz, …); of a size alone, one without
    entries. Without `size` it reaches as far as the indices. RuntimeError for members whose sizes do not fit."""
    if values is None:
        if indices is not None and size is None:
            indices, size = None, indices
        if size is None or indices is not None:
            raise TypeError("sparse_coo_tensor(): indices and values, or a size, have to be given")
        size = tuple(size)
        places = torch.empty(len(size), 0, dtype=torch.int64, device=device)
        made = torch._sparse_coo_tensor_unsafe(places, torch.empty(0, dtype=dtype, device=device), size, True)
        return _finished(made, check_invariants, requires_grad, pin_memory)
    elements = _values(values, dtype, device)
    places = _indices(indices, elements.device)
    if places.dim() == 1 and places.numel() == 0:
        places = places.reshape(0, 0) if elements.dim() == 0 else places
    if elements.dim() == 0:
        elements = elements.expand(places.size(1) if places.dim() == 2 else 1)
    if places.dim() != 2:
        raise RuntimeError(f"indices must be sparse_dim x nnz, but got: {list(places.shape)}")
    if size is None:
        if places.size(1) and int(places.min()) < 0:
            dim = int((places < 0).any(1).nonzero()[0])
            raise RuntimeError(f"found negative index {int(places[dim].min())} for dim {dim}")
        ends = (places.amax(1) + 1).tolist() if places.size(1) else [0] * places.size(0)
        size = (*ends, *elements.shape[1:])
    made = torch._sparse_coo_tensor_unsafe(places, elements, tuple(size), bool(is_coalesced))
    return _finished(made, check_invariants, requires_grad, pin_memory)


def sparse_compressed_tensor(
    compressed_indices,
    plain_indices,
    values,
    size=None,
    *,
    dtype=None,
    layout=None,
    device=None,
    pin_memory=False,
    requires_grad=False,
    check_invariants=None,
):
    """The sparse tensor of one of the layouts torch.sparse_csr, sparse_csc, sparse_bsr and sparse_bsc: where each row (CSC, BSC:
    column) begins among the values, and the column (row) of each. Without `size` it reaches as far as the indices."""
    if layout not in NUMBERS:
        name = {None: "none", torch.strided: "Strided", torch.sparse_coo: "Sparse"}.get(layout, layout)
        raise RuntimeError(f"expected sparse compressed tensor layout but got {name}")
    elements = _values(values, dtype, device)
    begins = _compressed_indices(compressed_indices, elements.device)
    places = _compressed_indices(plain_indices, elements.device)
    if begins.dtype != places.dtype:
        begins, places = begins.to(torch.int64), places.to(torch.int64)
    if size is None:
        size = _reach(begins, places, elements, layout)
    made = torch._sparse_compressed_tensor_unsafe(begins, places, elements, tuple(size), NUMBERS[layout])
    return _finished(made, check_invariants, requires_grad, pin_memory)


def _compressed_indices(data, device):
    given = data if isinstance(data, torch.Tensor) else torch.as_tensor(data)
    return _indices(given, device, torch.int32 if given.dtype == torch.int32 else torch.int64)


def _reach(begins, places, elements, layout):
    batch = begins.dim() - 1
    lines = begins.size(-1) - 1
    across = int(places.max()) + 1 if places.numel() else 0
    blocked = layout in BLOCKED
    height, width = elements.shape[batch + 1 : batch + 3] if blocked else (1, 1)
    rows, columns = (lines, across) if layout in BY_ROWS else (across, lines)
    dense = elements.shape[batch + (3 if blocked else 1) :]
    return (*begins.shape[:-1], rows * height, columns * width, *dense)


def _of(layout, name, compressed, plain):
    def make(*args, **kwargs):
        return sparse_compressed_tensor(*args, layout=kwargs.pop("layout", layout), **_renamed(kwargs, compressed, plain))

    make.__name__ = make.__qualname__ = name
    make.__doc__ = f"""`torch.sparse_compressed_tensor` of layout {layout}, of `{compressed}`, `{plain}` and `values`."""
    return make


def _renamed(kwargs, compressed, plain):
    names = {compressed: "compressed_indices", plain: "plain_indices"}
    return {names.get(name, name): value for name, value in kwargs.items()}


sparse_csr_tensor = _of(torch.sparse_csr, "sparse_csr_tensor", "crow_indices", "col_indices")
sparse_csc_tensor = _of(torch.sparse_csc, "sparse_csc_tensor", "ccol_indices", "row_indices")
sparse_bsr_tensor = _of(torch.sparse_bsr, "sparse_bsr_tensor", "crow_indices", "col_indices")
sparse_bsc_tensor = _of(torch.sparse_bsc, "sparse_bsc_tensor", "ccol_indices", "row_indices")
