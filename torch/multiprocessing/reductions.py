"""What pickles of tensors and storages are made of when they go to another process: handles of shared memory."""

import os
import sys
from multiprocessing.reduction import DupFd, ForkingPickler

import torch
from torch import _C
from torch._storage.untyped import _set_shm_manager, tensor_over
from torch._utils import refuse_history
from torch.storage import UntypedStorage

__all__ = ["fd_id", "init_reductions", "rebuild_tensor", "reduce_storage", "reduce_tensor"]


def fd_id(fd):
    """What tells the file of a descriptor from others: (inode, device)."""
    info = os.fstat(fd)
    return info.st_ino, info.st_dev


# ---- storages ----------------------------------------------------------------------------------------------
# lib/shm knows which segments this process has: what arrives twice is one storage.
def rebuild_storage_fd(cls, df, size):
    descriptor = df.detach()
    try:
        return cls._new_shared_fd_cpu(descriptor, size)
    finally:
        os.close(descriptor)


def rebuild_storage_filename(cls, manager, handle, size):
    _set_shm_manager()
    try:
        return cls._new_shared_filename_cpu(manager, handle, size)
    finally:
        _C._storage_received(manager, handle)


def rebuild_storage_file(cls, filename, size):
    return cls.from_file(filename, True, size)


def rebuild_storage_empty(cls):
    return cls(0)


def _unsendable(what, device):
    return NotImplementedError(
        f"a {what} on {device} cannot be sent to another process: this build of torch shares memory of the CPU alone. "
        "Send .cpu()"
    )


def reduce_storage(storage):
    """(function, arguments) that make, in another process, a storage over the memory of `storage`, which moves into shared
    memory unless it is there. NotImplementedError for GPUs; RuntimeError where `share_memory_` raises it."""
    from torch.multiprocessing import get_sharing_strategy

    if storage.device.type != "cpu":
        raise _unsendable("storage", storage.device)
    if storage.nbytes() == 0:
        return rebuild_storage_empty, (type(storage),)
    kind = _C._storage_sharing(storage)
    if kind is None and storage.filename is not None:
        return rebuild_storage_file, (type(storage), os.path.abspath(storage.filename), storage.nbytes())
    if (kind or get_sharing_strategy()) == "file_system":
        manager, handle, size = storage._share_filename_cpu_()
        storage._shared_incref()
        return rebuild_storage_filename, (type(storage), manager, handle, size)
    descriptor, size = storage._share_fd_cpu_()
    return rebuild_storage_fd, (type(storage), DupFd(descriptor), size)


# ---- tensors -----------------------------------------------------------------------------------------------
def rebuild_tensor(cls, storage, metadata):
    """The tensor of class `cls` over `storage` that reduce_tensor has described."""
    dtype, offset, size, stride, requires_grad, conj, neg = metadata
    tensor = tensor_over(storage, dtype, offset, size, stride)
    return _as_was(cls, tensor, requires_grad, conj, neg)


def rebuild_meta_tensor(cls, dtype, size, stride, requires_grad):
    return _as_was(cls, torch.empty_strided(size, stride, dtype=dtype, device="meta"), requires_grad, False, False)


def _as_was(cls, tensor, requires_grad, conj, neg):
    if conj:
        tensor = tensor.conj()
    if neg:
        tensor = tensor._neg_view()
    if _is_parameter(cls):
        return cls(tensor, requires_grad=requires_grad)
    return tensor.requires_grad_(requires_grad) if requires_grad else tensor


def _is_parameter(cls):
    parameter = sys.modules.get("torch.nn.parameter")
    return parameter is not None and issubclass(cls, parameter.Parameter)


def reduce_tensor(tensor):
    """(function, arguments) that make, in another process, a tensor over the memory of `tensor`.

    RuntimeError for one that was computed with gradients, and where `share_memory_` raises it; NotImplementedError for one
    on a GPU. Hooks are not sent, about which there is a warning."""
    refuse_history(tensor)
    if tensor.requires_grad:
        from torch.utils.hooks import warn_if_has_hooks

        warn_if_has_hooks(tensor)
    if tensor.layout != torch.strided:
        return reduce_sparse_tensor(tensor)
    if tensor.device.type == "meta":
        return rebuild_meta_tensor, (
            type(tensor),
            tensor.dtype,
            tuple(tensor.shape),
            tensor.stride(),
            tensor.requires_grad,
        )
    if tensor.device.type != "cpu":
        raise _unsendable("tensor", tensor.device)
    metadata = (
        tensor.dtype,
        tensor.storage_offset(),
        tuple(tensor.shape),
        tensor.stride(),
        tensor.requires_grad,
        tensor.is_conj(),
        tensor.is_neg(),
    )
    return rebuild_tensor, (type(tensor), tensor.untyped_storage(), metadata)


def reduce_sparse_tensor(sparse):
    """The same of a sparse tensor, whose members go as tensors do."""
    from torch.sparse import _pickling

    rebuild = rebuild_sparse_coo_tensor if sparse.is_sparse else rebuild_sparse_compressed_tensor
    return rebuild, (type(sparse), *_pickling.reduce(sparse), sparse.requires_grad)


def rebuild_sparse_coo_tensor(cls, layout, data, requires_grad):
    from torch.sparse import _pickling

    return _as_was(cls, _pickling.unchecked(layout, data), requires_grad, False, False)


rebuild_sparse_compressed_tensor = rebuild_sparse_coo_tensor


def init_reductions():
    """Tells multiprocessing's pickler of tensors, parameters and storages. Subclasses of Tensor go by their own
    `__reduce_ex__`, whose storage goes this way."""
    ForkingPickler.register(torch.Tensor, reduce_tensor)
    ForkingPickler.register(UntypedStorage, reduce_storage)
    from importlib.util import find_spec

    if find_spec("torch.nn") is not None:
        from torch.nn.parameter import Parameter

        ForkingPickler.register(Parameter, reduce_tensor)


# ---- typed storages ----------------------------------------------------------------------------------------
def reduce_typed_storage(storage):
    """(function, arguments) that make a storage of numbers over the memory of one."""
    return rebuild_typed_storage, (storage._untyped_storage, storage.dtype)


def rebuild_typed_storage(storage, dtype):
    return torch.storage.TypedStorage(wrap_storage=storage, dtype=dtype, _internal=True)


def reduce_typed_storage_child(storage):
    """The same for torch.FloatStorage and its like."""
    return rebuild_typed_storage_child, (storage._untyped_storage, type(storage))


def rebuild_typed_storage_child(storage, storage_type):
    return storage_type(wrap_storage=storage)


# ---- what is not sent --------------------------------------------------------------------------------------
_CPU_ALONE = "this build of torch shares memory of the CPU alone"
_SEGMENTS = "lib/shm knows which segments of memory are here, Python has no weak references to storages"
_NESTED = "this torch has nested tensors of the jagged layout, which are pickled by their parts"
_ABSENT = {
    "SharedCache": _SEGMENTS,
    "StorageWeakRef": _SEGMENTS,
    "shared_cache": _SEGMENTS,
    "storage_from_cache": _SEGMENTS,
    "rebuild_cuda_tensor": _CPU_ALONE,
    "rebuild_event": _CPU_ALONE,
    "reduce_event": _CPU_ALONE,
    "rebuild_nested_tensor": _NESTED,
    "reduce_nested_tensor": _NESTED,
}


def __getattr__(name):
    if name not in _ABSENT:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    from torch import _absent

    path = f"{__name__}.{name}"
    _absent.REASONS[path] = _ABSENT[name]
    made = _absent.absent_class(path) if name[0].isupper() else _absent.absent_function(path)
    globals()[name] = made
    return made
