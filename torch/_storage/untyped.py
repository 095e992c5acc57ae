"""What Python adds to UntypedStorage, the bytes behind tensors, which is made in C++ (csrc/python/storage/storage.cpp)."""

import functools
import io
import operator
import os
import pickle
import sys

import torch
from torch import _C
from torch._C import UntypedStorage


def tensor_over(storage, dtype, offset=0, size=None, stride=None):
    """A tensor over an untyped storage; without a size, one dimension over all of it that `offset` elements leave."""
    if size is None:
        size = (max(storage.nbytes() // dtype.itemsize - offset, 0),)
    return _C._tensor_over(storage, dtype, offset, tuple(size), None if stride is None else tuple(stride))


def _is_pinned(obj):
    """Of a tensor or storage. Nothing is pinned before the first use of CUDA, which is therefore not loaded for it."""
    if obj.device.type != "cpu":
        return False
    cuda = sys.modules.get("torch.cuda")
    return cuda is not None and cuda.is_initialized() and cuda._native().is_pinned(obj.data_ptr())


# ---- pickles: they name only what PyTorch has, too ---------------------------------------------------------
class _Call:
    """Something that is pickled as a call of a function."""

    def __init__(self, function, *args):
        self._call = function, args

    def __reduce__(self):
        return self._call


_to_storage, _to_own = operator.methodcaller("untyped_storage"), operator.methodcaller("clone")
_to_bytes = operator.methodcaller("untyped")


def _reduced(storage, protocol):
    """How plain pickle stores a storage of bytes. With protocol 5 the elements may be sent beside the pickle, and the
    storage that comes out of it lies in what was sent."""
    if not storage.nbytes() and storage.device.type == "cpu":
        return UntypedStorage, (0,)
    if storage.device.type != "cpu":
        file = io.BytesIO()
        torch.save(torch.TypedStorage(wrap_storage=storage, dtype=torch.uint8), file)
        return _to_bytes, (_Call(torch.storage._load_from_bytes, file.getvalue()),)
    over = functools.partial(torch.frombuffer, dtype=torch.uint8)
    if protocol >= 5:
        return _to_storage, (_Call(over, pickle.PickleBuffer(storage)),)
    return _to_own, (_Call(_to_storage, _Call(over, bytearray(storage))),)


def _set_shm_manager():
    _C._set_shm_manager(os.path.join(os.path.dirname(torch.__file__), "bin", "torch_shm_manager"))


def _share(storage, by_name):
    if storage.device.type != "cpu":
        raise RuntimeError(
            f"_share_{'filename' if by_name else 'fd'}_: only available on CPU; the storage is on {storage.device}"
        )
    if by_name:
        _set_shm_manager()
    _C._storage_share(storage, by_name)


def _text(storage, kind):
    elements = "..." if storage.device.type == "meta" else " " + "\n ".join(map(str, storage.tolist()))
    return f"{elements}\n[{kind}]"


class _Untyped:
    """UntypedStorage(size=0, *, device=None), UntypedStorage(sequence): bytes, the memory behind tensors, which views
    share."""

    is_sparse = False

    @property
    def is_cuda(self):
        """Whether it is on a GPU."""
        return self.device.type == "cuda"

    def get_device(self):
        """The index of its GPU; -1 on the CPU."""
        return self.device.index if self.is_cuda else -1

    def __repr__(self):
        return _text(self, f"torch.storage.UntypedStorage(device={self.device}) of size {len(self)}")

    def __copy__(self):
        return self.clone()

    def __deepcopy__(self, memo):
        known = memo.setdefault("torch", {})
        if self._cdata not in known:
            known[self._cdata] = self.clone()
        return known[self._cdata]

    def __reduce_ex__(self, protocol):
        return _reduced(self, protocol)

    def __sizeof__(self):
        return object.__sizeof__(self) + self.nbytes()

    def element_size(self):
        """1: a byte."""
        return 1

    def clone(self):
        """Another storage with the same bytes, on the same device."""
        return UntypedStorage(self.nbytes(), device=self.device).copy_(self)

    def tolist(self):
        """The bytes as ints."""
        return list(bytes(self.cpu() if self.is_cuda else self))

    def new(self):
        """An empty storage on the same device."""
        return UntypedStorage(device=self.device)

    def untyped(self):
        """Itself."""
        return self

    def cpu(self):
        """Itself if it is on the CPU, else a copy there."""
        return self.to(device="cpu")

    def to(self, *, device, non_blocking=False):
        """Itself if it is on that device, else a copy there. From the device meta there is nothing to copy:
        NotImplementedError."""
        like = UntypedStorage(device=device)  # raises where no storage can be
        return self if like.device == self.device else like.resize_(self.nbytes()).copy_(self, non_blocking)

    def cuda(self, device=None, non_blocking=False):
        """Itself if it is on that GPU, the current one unless it is given, else a copy there."""
        place = torch.empty(0).cuda(device).device  # raises where there is none
        return self.to(device=place, non_blocking=non_blocking)

    def type(self, dtype=None, non_blocking=False):
        """Its type's name."""
        if dtype is None:
            return "torch.storage.UntypedStorage"
        return torch.storage.TypedStorage(wrap_storage=self, dtype=torch.uint8).type(dtype)

    def is_shared(self):
        """Whether its memory is one that other processes can be given: shared memory (`share_memory_`), that of a file
        (`from_file`), or a GPU's."""
        return self.is_cuda or _C._storage_sharing(self) is not None or _C._storage_is_mapped(self)

    def share_memory_(self):
        """Moves it into shared memory, so that other processes see it when it is sent to them (torch.multiprocessing);
        tensors over it stay its views. Nothing happens where it is shared, or on a GPU. RuntimeError where there is no
        room, and for a storage whose address is known elsewhere: by a memoryview, a DLPack capsule, a slice of it."""
        if not self.is_shared():
            from torch.multiprocessing import get_sharing_strategy

            _share(self, get_sharing_strategy() == "file_system")
        return self

    def _share_fd_cpu_(self):
        """(descriptor, number of bytes), shared; the descriptor stays the storage's."""
        _share(self, False)
        if _C._storage_sharing(self) != "file_descriptor":
            raise RuntimeError("the storage is shared by a name already, and has no file descriptor")
        return _C._storage_descriptor(self), self.nbytes()

    def _share_filename_cpu_(self):
        """(manager, name, number of bytes), shared."""
        _share(self, True)
        if _C._storage_sharing(self) != "file_system":
            raise RuntimeError("the storage is shared by its file descriptor already, and has no name")
        return *_C._storage_handle(self), self.nbytes()

    @classmethod
    def _new_shared_fd_cpu(cls, descriptor, size):
        """The storage of another process whose descriptor this is; one of ours if it is that."""
        return _C._storage_from_descriptor(descriptor, size)

    @classmethod
    def _new_shared_filename_cpu(cls, manager, name, size):
        """The storage of another process, by what `_share_filename_cpu_` said there."""
        _set_shm_manager()
        return _C._storage_from_handle(manager, name, size)

    @classmethod
    def _new_shared(cls, size, *, device="cpu"):
        """A storage of so many bytes in shared memory."""
        if torch.device(device).type != "cpu":
            return cls(size, device=device)
        from torch.multiprocessing import get_sharing_strategy

        _set_shm_manager()
        return _C._storage_new_shared(size, get_sharing_strategy() == "file_system")

    def _shared_incref(self):
        """A handle of it is under way: until `_shared_decref` it is not freed. Only for one that is shared by name."""
        _C._storage_sent(self)
        return self

    def _shared_decref(self):
        if _C._storage_sharing(self) == "file_system":
            _C._storage_received(*_C._storage_handle(self))
        return self

    @property
    def filename(self):
        """The file that what is written to it goes to (`from_file` with `shared`), or None."""
        return _C._storage_filename(self)

    def is_pinned(self, device=None):
        """Whether it is memory of the host that a GPU reads by itself."""
        return _is_pinned(self)

    def pin_memory(self, device=None):
        """Itself if it is such memory, else a copy there. TypeError for a storage that is not on the CPU."""
        if self.device.type != "cpu":
            raise TypeError(f"cannot pin '{self.type()}' on {self.device}: only CPU memory can be pinned")
        pinned = tensor_over(self, torch.uint8).pin_memory(device)
        return self if self.is_pinned() else pinned.untyped_storage()

    def byteswap(self, dtype):
        """Reverses the bytes of each element of `dtype`; of both parts of a complex one."""
        size = dtype.itemsize // 2 if dtype.is_complex else dtype.itemsize
        if size == 1:
            return
        if self.nbytes() % size:
            raise RuntimeError(f"{self.nbytes()} bytes are not a number of elements of {dtype}")
        rows = tensor_over(self, torch.uint8, 0, (self.nbytes() // size, size))
        rows.copy_(rows.flip(1))

    @staticmethod
    def from_buffer(buffer, byte_order=None, count=-1, offset=0, *, dtype=None):
        """A storage holding a copy of `count` elements of `dtype`, from byte `offset` of a buffer on. `byte_order` is
        that of the buffer: "native", "little" or "big"."""
        if dtype is None:
            raise RuntimeError("argument 'dtype' cannot be None")
        size = dtype.itemsize
        if byte_order is None and size > 1:
            raise RuntimeError("function missing required argument 'byte_order' (pos 2)")
        if byte_order not in (None, "native", "little", "big"):
            raise ValueError(f"invalid byte_order '{byte_order}' (expected 'big', 'little', or 'native')")
        view = memoryview(buffer).cast("B")
        if offset < 0 or offset > len(view):
            raise ValueError(
                f"offset must be non-negative and no greater than buffer length ({len(view)}), but got {offset}"
            )
        left = len(view) - offset
        if count < 0:
            if left % size:
                raise ValueError(f"buffer size ({left}) must be a multiple of element size ({size})")
            count = left // size
        if count * size > left:
            raise ValueError(
                f"buffer has only {left // size} elements after offset {offset}, but specified a size of {count}"
            )
        result = UntypedStorage(count * size)
        memoryview(result)[:] = view[offset : offset + count * size]
        if byte_order not in (None, "native", sys.byteorder):
            result.byteswap(dtype)
        if dtype == torch.bool:
            typed = tensor_over(result, torch.uint8)
            typed.copy_(typed != 0)
        return result

    @staticmethod
    def from_file(filename, shared=False, nbytes=0):
        """The first `nbytes` of a file as memory. `shared`: what is written goes to the file, which is made if there
        is none and grows if need be."""
        return _C._storage_from_file(filename, shared, nbytes)


for _name, _value in list(vars(_Untyped).items()):
    if _name not in ("__dict__", "__weakref__", "__module__", "__qualname__"):
        setattr(UntypedStorage, _name, _value)
