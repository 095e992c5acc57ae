"""What torch.zeros and its like are of a layout that is asked for, where it is not torch.strided, or not that of the tensor which
they are like. C++ calls the function that has the operator's name, with the arguments of the call."""

import torch
from torch.sparse._construct import BLOCKED, BY_ROWS, NAMES, NUMBERS

_BACKENDS = {torch.sparse_coo: "SparseCPU"}


def _refuse(name, layout):
    if layout not in NAMES:
        raise NotImplementedError(f"torch.{name}: there are no tensors of layout {layout} that it could make")
    backend = _BACKENDS.get(layout, "SparseCsrCPU")
    raise NotImplementedError(
        f"Could not run 'aten::{name}' with arguments from the '{backend}' backend: it writes every element, and a tensor of layout "
        f"{layout} has some of them; Tensor.to_sparse() makes one of a strided tensor"
    )


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")

    def refuse(*args, layout=None, **options):
        _refuse(name, layout or args[0].layout)

    return refuse


def _sizes(size):
    return tuple(size[0]) if len(size) == 1 and not isinstance(size[0], int) else tuple(size)


def _without_entries(maker, size, layout, dtype, device, block=(1, 1), dense_dim=0):
    """A tensor of that layout with no entries: its elements are 0."""
    if layout not in NAMES:
        _refuse(maker, layout)
    batch = len(size) - 2 - dense_dim
    dense = size[len(size) - dense_dim :]
    if layout == torch.sparse_coo:
        indices = torch.empty(len(size) - dense_dim, 0, dtype=torch.int64, device=device)
        values = torch.empty(0, *dense, dtype=dtype, device=device)
        return torch._sparse_coo_tensor_unsafe(indices, values, size, True)
    if batch < 0:
        raise RuntimeError(
            f"torch.{maker}: Only batched sparse compressed (non-block) tensors are supported, but got size {list(size)}"
        )
    if layout in BLOCKED and block == (1, 1):
        raise RuntimeError(
            f"{maker}_sparse_compressed expected sparse compressed (non-block) tensor layout but got {NAMES[layout]}: how "
            "large its blocks are nothing says"
        )
    if layout not in BLOCKED:
        block = (1, 1)
    lines = size[batch] // block[0] if layout in BY_ROWS else size[batch + 1] // block[1]
    begins = torch.zeros(*size[:batch], lines + 1, dtype=torch.int64, device=device)
    places = torch.empty(*size[:batch], 0, dtype=torch.int64, device=device)
    blocks = block if layout in BLOCKED else ()
    values = torch.empty(*size[:batch], 0, *blocks, *dense, dtype=dtype, device=device)
    return torch._sparse_compressed_tensor_unsafe(begins, places, values, size, NUMBERS[layout])


def _block_of(tensor):
    if tensor.layout not in BLOCKED:
        return (1, 1)
    at = tensor.dim() - 2 - tensor.dense_dim() + 1  # behind the batch and the number of blocks
    return tuple(tensor.values().shape[at : at + 2])


def _finished(made, pin_memory=False, requires_grad=False):
    if pin_memory:
        raise RuntimeError("Only dense CPU tensors can be pinned: a sparse one has members of its own")
    return made.requires_grad_() if requires_grad else made


# ---- of sizes ----------------------------------------------------------------------------------------------
def _of_size(name):
    def make(*size, out=None, dtype=None, layout, device=None, memory_format=None, names=None, **options):
        if out is not None:
            raise RuntimeError(f"layout {layout} does not match layout of out parameter ({out.layout})")
        size = _sizes(size) if size else tuple(options.pop("size"))
        dtype = dtype or torch.get_default_dtype()
        return _finished(_without_entries(name, size, layout, dtype, device), **options)

    return make


def _of_size_like(name):
    def make(self, *size, layout, dtype=None, device=None, **options):
        size = _sizes(size) if size else tuple(options.pop("size"))
        dtype, device = dtype or self.dtype, device or self.device
        if layout == torch.strided:
            return getattr(torch, name)(size, dtype=dtype, device=device, **options)
        return _finished(_without_entries(name, size, layout, dtype, device), **options)

    return make


def _full(*args, layout=None, **options):
    if layout not in NAMES:
        _refuse("full", layout)
    raise RuntimeError(
        f"full(...) is not implemented for sparse layout: {layout} has the elements alone that are not 0"
    )


def _full_like(name):
    def make(self, *args, layout, dtype=None, device=None, **options):
        if layout != torch.strided:
            _refuse(f"new_{name}", layout)
        return getattr(torch, name)(*args, dtype=dtype or self.dtype, device=device or self.device, **options)

    return make


empty, zeros = _of_size("empty"), _of_size("zeros")
new_empty, new_zeros = _of_size_like("empty"), _of_size_like("zeros")
ones = full = _full
new_ones, new_full = _full_like("ones"), _full_like("full")


# ---- like a tensor -----------------------------------------------------------------------------------------
def zeros_like(self, *, layout, dtype=None, device=None, memory_format=None, **options):
    """Without entries; of a strided layout, zeros."""
    dtype, device = dtype or self.dtype, device or self.device
    size = tuple(self.shape)
    if layout == torch.strided:
        return torch.zeros(size, dtype=dtype, device=device, **options)
    dense = 0 if self.layout == torch.strided else self.dense_dim()
    return _finished(_without_entries("zeros", size, layout, dtype, device, _block_of(self), dense), **options)


def empty_like(self, *, layout, **options):
    """The same; of a strided tensor by coordinates alone; of a tensor of that layout its places, of a compressed one."""
    if layout == self.layout:
        dtype, device = options.pop("dtype", None), options.pop("device", None)
        options.pop("memory_format", None)
        return _finished(torch.empty_like(self, dtype=dtype, device=device), **options)
    if self.layout == torch.strided and layout != torch.sparse_coo:
        _refuse("empty_strided", layout)
    return zeros_like(self, layout=layout, **options)


def _filled_like(name):
    """What has a value at every place."""

    def make(self, *args, layout, **options):
        if layout == self.layout:
            return getattr(torch, name)(self, *args, **options)
        if layout != torch.strided:
            _refuse(name, layout)
        options = {"dtype": self.dtype, "device": self.device, **options}
        return getattr(torch, name)(torch.empty(self.shape, dtype=options["dtype"], device="meta"), *args, **options)

    return make


ones_like, full_like = _filled_like("ones_like"), _filled_like("full_like")
rand_like, randn_like, randint_like = (
    _filled_like("rand_like"),
    _filled_like("randn_like"),
    _filled_like("randint_like"),
)
