"""Sparse tensors of their members: torch.sparse_coo_tensor and its kin."""

import contextlib

import torch

# As TH counts layouts.
NUMBERS = {torch.sparse_csr: 2, torch.sparse_csc: 3, torch.sparse_bsr: 4, torch.sparse_bsc: 5}
# What messages call them.
NAMES = {
    torch.sparse_coo: "Sparse",
    torch.sparse_csr: "SparseCsr",
    torch.sparse_csc: "SparseCsc",
    torch.sparse_bsr: "SparseBsr",
    torch.sparse_bsc: "SparseBsc",
}
BY_ROWS = (torch.sparse_csr, torch.sparse_bsr)
BLOCKED = (torch.sparse_bsr, torch.sparse_bsc)


class check_sparse_tensor_invariants(contextlib.ContextDecorator):
    """Whether the indices of sparse tensors are looked at when these are made, by a constructor or by an operator: for debugging,
    of all threads. A context, a decorator, and `enable()`, `disable()` for good. A constructor's own `check_invariants` goes
    before."""

    def __init__(self, enable=True):
        self.state = enable
        self.saved_state = None

    @staticmethod
    def is_enabled():
        """Whether they do; not at first."""
        return torch._C._sparse_checks()

    @staticmethod
    def enable():
        """From now on they do."""
        torch._C._set_sparse_checks(True)

    @staticmethod
    def disable():
        """From now on they do not."""
        torch._C._set_sparse_checks(False)

    def __enter__(self):
        if self.saved_state is not None:
            raise RuntimeError(
                "This context manager instance is already activated. Use a different context manager instance for context nesting."
            )
        self.saved_state = self.is_enabled()
        torch._C._set_sparse_checks(bool(self.state))
        return self

    def __exit__(self, *error):
        torch._C._set_sparse_checks(self.saved_state)
        self.saved_state = None

    def _recreate_cm(self):
        """One of its own for every call of a decorated function."""
        return type(self)(self.state)


def _indices(data, device):
    given = _strided("indices", data)
    if given.dtype == torch.int64 and given.device == device:
        return given.detach()
    if not isinstance(data, torch.Tensor) and given.numel() == 0:
        given = given.to(torch.int64)
    return given.detach().to(device=device, dtype=torch.int64)


def _strided(name, data):
    if isinstance(data, torch.Tensor) and data.layout != torch.strided:
        raise RuntimeError(f"expected {name} to be a dense tensor, but got {name} of layout {NAMES[data.layout]}")
    return data if isinstance(data, torch.Tensor) else torch.as_tensor(data)


def _values(data, dtype, device):
    if isinstance(data, torch.Tensor):
        given = _strided("values", data)
        if dtype is None and device is None:
            return given
        return given.to(device=device or data.device, dtype=dtype or data.dtype)
    return torch.tensor(data, dtype=dtype, device=device)


def _size(function, size):
    if not isinstance(size, (tuple, list)):
        raise TypeError(f"{function}(): argument 'size' must be tuple of ints, not {type(size).__name__}")
    return tuple(torch.Size(size))


def _check_coo_sizes(places, elements, size):
    sparse, dense = places.size(0), elements.dim() - 1
    if len(size) != sparse + dense:
        raise RuntimeError(
            f"'len(size) == sparse_dim + dense_dim' is not satisfied: len(size) = {len(size)}, sparse_dim = {sparse}, dense_dim = "
            f"{dense}"
        )
    expected = [elements.size(0), *size[sparse:]]
    if list(elements.shape) != expected:
        raise RuntimeError(f"values has incorrect size, expected {expected}, got {list(elements.shape)}")


def _checking(check_invariants):
    return torch._C._sparse_checks() if check_invariants is None else check_invariants


def unchecked(make, *arguments):
    """What `make` makes, whatever its indices say."""
    if not torch._C._sparse_checks():
        return make(*arguments)
    with check_sparse_tensor_invariants(False):
        return make(*arguments)


def _made(make, check_invariants, *arguments):
    return unchecked(make, *arguments) if check_invariants is False else make(*arguments)


def _finished(made, check_invariants, requires_grad):
    if check_invariants and not made.is_meta:
        torch._validate_sparse_tensor(made)
    # What is made here is a leaf, as of torch.tensor, unless its values have a history.
    return made.requires_grad_() if requires_grad and not made.requires_grad else made


def _pinned(members, pin_memory):
    return [member.pin_memory() for member in members] if pin_memory else members


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
        size = _size("sparse_coo_tensor", size)
        places = torch.empty(len(size), 0, dtype=torch.int64, device=device)
        members = _pinned((places, torch.empty(0, dtype=dtype, device=device)), pin_memory)
        made = _made(torch._sparse_coo_tensor_unsafe, check_invariants, *members, size, True)
        return _finished(made, check_invariants, requires_grad)
    if indices is None:
        raise TypeError("sparse_coo_tensor(): values are given and no indices")
    elements = _values(values, dtype, device)
    places = _indices(indices, elements.device)
    if places.dim() == 1 and places.numel() == 0 and elements.dim() == 0:
        places = places.reshape(0, 0)
    if elements.dim() == 0:
        elements = elements.reshape(1)
    if places.dim() != 2:
        raise RuntimeError(f"indices must be sparse_dim x nnz, but got: {list(places.shape)}")
    size = _coo_size(places, elements) if size is None else _size("sparse_coo_tensor", size)
    _check_coo_sizes(places, elements, size)
    members = _pinned((places, elements), pin_memory)
    made = _made(torch._sparse_coo_tensor_unsafe, check_invariants, *members, size, bool(is_coalesced))
    if is_coalesced is False:
        with torch.no_grad():  # no value changes
            made._coalesced_(False)
    return _finished(made, check_invariants, requires_grad)


def _coo_size(places, elements):
    """As far as the indices reach."""
    if places.is_meta:
        raise NotImplementedError(
            "Cannot copy out of meta tensor; no data! A size is needed where indices have no elements"
        )
    if not places.numel():
        return (*[0] * places.size(0), *elements.shape[1:])
    lowest = places.amin(1)
    if int(lowest.min()) < 0:
        dim = int(lowest.lt(0).nonzero()[0])
        raise RuntimeError(f"found negative index {int(lowest[dim])} for dim {dim}")
    return (*(places.amax(1) + 1).tolist(), *elements.shape[1:])


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
    if layout is not None and not isinstance(layout, torch.layout):
        raise TypeError(f"sparse_compressed_tensor(): layout has to be a torch.layout, got {type(layout).__name__}")
    if layout not in NUMBERS:
        name = "none" if layout is None else NAMES.get(layout, "Strided")
        raise RuntimeError(f"expected sparse compressed tensor layout but got {name}")
    elements = _values(values, dtype, device)
    checking = _checking(check_invariants)
    begins = _compressed_indices("compressed_indices", compressed_indices, elements.device, checking)
    places = _compressed_indices("plain_indices", plain_indices, elements.device, checking)
    if begins.dtype != places.dtype:
        if checking:
            raise RuntimeError(
                f"crow_indices and col_indices must have the same dtype, but got {begins.dtype} and {places.dtype}: "
                "compressed and plain indices are of one integer type"
            )
        begins, places = begins.to(torch.int64), places.to(torch.int64)
    _check_count(places, elements, begins.dim() - 1, layout)
    size = _reach(begins, places, elements, layout) if size is None else _size("sparse_compressed_tensor", size)
    members = _pinned((begins, places, elements), pin_memory)
    made = _made(torch._sparse_compressed_tensor_unsafe, check_invariants, *members, size, NUMBERS[layout])
    return _finished(made, check_invariants, requires_grad)


def _compressed_indices(name, data, device, checking):
    given = _strided(name, data)
    if not isinstance(data, torch.Tensor) and given.numel() == 0:
        given = given.to(torch.int64)
    if given.dtype.is_floating_point or given.dtype.is_complex or given.dtype == torch.bool:
        raise RuntimeError(f"{name} have to be integers, got {given.dtype}")
    if checking and given.dtype not in (torch.int32, torch.int64):
        raise RuntimeError(f"{name} must be an int32 or int64 type, but got {given.dtype}")
    return given.detach().to(device=device, dtype=torch.int32 if given.dtype == torch.int32 else torch.int64)


def _check_count(places, elements, batch, layout):
    if elements.dim() > batch >= 0 and places.dim() and places.size(-1) != elements.size(batch):
        name = "col_indices" if layout in BY_ROWS else "row_indices"
        raise RuntimeError(
            f"{name}.shape[-1] must be equal to nnz (={elements.size(batch)}) as defined by values.shape[{batch}], but got "
            f"{places.size(-1)}"
        )


def _reach(begins, places, elements, layout):
    if places.is_meta:
        raise NotImplementedError(
            "Cannot copy out of meta tensor; no data! A size is needed where indices have no elements"
        )
    batch = begins.dim() - 1
    lines = begins.size(-1) - 1
    across = int(places.max()) + 1 if places.numel() else 0
    blocked = layout in BLOCKED
    if elements.dim() < batch + 1 + 2 * blocked:
        raise RuntimeError(
            f"values must have dimensionality > sum of batch and block dimensionalities (={batch} + {2 * blocked}) but got "
            f"{elements.dim()}"
        )
    height, width = elements.shape[batch + 1 : batch + 3] if blocked else (1, 1)
    rows, columns = (lines, across) if layout in BY_ROWS else (across, lines)
    dense = elements.shape[batch + (3 if blocked else 1) :]
    return (*begins.shape[:-1], rows * height, columns * width, *dense)


def _of(layout, name, compressed, plain):
    names = {compressed: "compressed_indices", plain: "plain_indices"}

    def make(*args, layout=layout, **kwargs):
        if layout is not None and layout != own:
            raise RuntimeError(f"{name}: layout must be {NAMES[own]} but got {NAMES.get(layout, 'Strided')}")
        return sparse_compressed_tensor(
            *args, layout=own, **{names.get(key, key): value for key, value in kwargs.items()}
        )

    own = layout
    make.__name__ = make.__qualname__ = name
    make.__doc__ = f"""{name}({compressed}, {plain}, values, size=None, *, dtype=None, device=None, pin_memory=False,
requires_grad=False, check_invariants=None) -> Tensor

`torch.sparse_compressed_tensor` of layout {layout}, of `{compressed}`, `{plain}` and `values`."""
    return make


sparse_csr_tensor = _of(torch.sparse_csr, "sparse_csr_tensor", "crow_indices", "col_indices")
sparse_csc_tensor = _of(torch.sparse_csc, "sparse_csc_tensor", "ccol_indices", "row_indices")
sparse_bsr_tensor = _of(torch.sparse_bsr, "sparse_bsr_tensor", "crow_indices", "col_indices")
sparse_bsc_tensor = _of(torch.sparse_bsc, "sparse_bsc_tensor", "ccol_indices", "row_indices")
for _function in (
    sparse_coo_tensor,
    sparse_compressed_tensor,
    sparse_csr_tensor,
    sparse_csc_tensor,
    sparse_bsr_tensor,
    sparse_bsc_tensor,
):
    _function.__module__ = "torch"
