"""Messages between a DataLoader and its workers: objects, with the bytes of tensors and arrays beside them.

A message is pickled with protocol 5, which hands large buffers out instead of writing them into the pickle. All of it
is laid out in one piece:

    header | length of each buffer | pickle | buffer 0 | buffer 1 | …        (the buffers at multiples of 64)

A short message goes through a Unix socket as it is. A long one goes into a memory file (memfd_create) that has no name
anywhere, and its descriptor goes through the socket: the receiver maps the file, and the tensors that it rebuilds lie
in that mapping, without a copy. Nothing can be left behind: the kernel frees the file with the last process, message or
mapping that refers to it, however the processes end.

A tensor is sent as its own elements and strides, not as all of the storage that it is a view of; two views of one
storage arrive as two tensors.

Why this is not how torch.multiprocessing's queues send tensors: docs/data-loading.md.
"""

import collections
import ctypes
import errno
import io
import mmap
import os
import pickle
import select
import socket
import struct
import time
import weakref
from functools import partial
from multiprocessing.reduction import ForkingPickler

import torch
from torch._utils import refuse_history

from . import MP_STATUS_CHECK_INTERVAL

_INLINE = 32 << 10  # the longest message that goes through the socket itself
_ALIGN = 64
_HEADER = struct.Struct("=QQI")  # bytes of the whole message, of the pickle; number of buffers
_FULL = (errno.EAGAIN, errno.ENOBUFS, errno.ETOOMANYREFS)  # the last: too many descriptors are on their way
_RETRY = 0.01  # seconds


class Closed(Exception):
    """The other end is gone."""


# ---- objects to bytes


def _rebuild_tensor(buffer, dtype, size, stride, requires_grad):
    flat = torch.frombuffer(buffer, dtype=dtype)
    tensor = flat.as_strided(size, stride)
    return tensor.requires_grad_() if requires_grad else tensor


def _rebuild_empty(dtype, size, stride, requires_grad):
    tensor = torch.empty_strided(size, stride, dtype=dtype)
    return tensor.requires_grad_() if requires_grad else tensor


def _reduce_tensor(kept, tensor):
    """How a tensor is pickled. `kept` keeps alive whose memory the pickle's buffers refer to."""
    refuse_history(tensor)
    if tensor.device.type != "cpu" or tensor.layout != torch.strided:
        return tensor.__reduce_ex__(pickle.HIGHEST_PROTOCOL)
    if not tensor.numel():
        return _rebuild_empty, (tensor.dtype, tuple(tensor.size()), tensor.stride(), tensor.requires_grad)
    plain = tensor.detach() if tensor.requires_grad else tensor
    if plain.is_conj() or plain.is_neg():
        plain = plain.resolve_conj().resolve_neg()
    reach = 1 + sum((size - 1) * stride for size, stride in zip(plain.size(), plain.stride()))
    if reach > plain.numel():  # a view with gaps
        plain = plain.contiguous()
        reach = plain.numel()
    kept.append(plain)
    memory = (ctypes.c_char * (reach * plain.element_size())).from_address(plain.data_ptr())
    size, stride = tuple(plain.size()), plain.stride()
    return _rebuild_tensor, (pickle.PickleBuffer(memory), plain.dtype, size, stride, tensor.requires_grad)


def _aligned(offset):
    return (offset + _ALIGN - 1) & -_ALIGN


class _Packed:
    """An object as the parts of a message; `size` is that of all of them."""

    def __init__(self, message):
        self._kept = []
        self._buffers = []
        stream = io.BytesIO()
        # The same pickler that multiprocessing uses, so that sockets, locks and queues can be sent too.
        pickler = ForkingPickler(stream, 5, False, self._buffers.append)
        pickler.dispatch_table[torch.Tensor] = partial(_reduce_tensor, self._kept)
        pickler.dump(message)
        self._buffers = [buffer.raw() for buffer in self._buffers]
        lengths = [buffer.nbytes for buffer in self._buffers]
        self._pickle = stream.getbuffer()
        self._start = _HEADER.size + 8 * len(lengths)
        end = self._start + len(self._pickle)
        self._offsets = []
        for length in lengths:
            self._offsets.append(_aligned(end))
            end = self._offsets[-1] + length
        self.size = end
        self.header = _HEADER.pack(end, len(self._pickle), len(lengths))
        self._head = self.header + struct.pack(f"={len(lengths)}Q", *lengths)

    def _parts(self):
        """(where it begins, its bytes) of each part."""
        return [(0, self._head), (self._start, self._pickle), *zip(self._offsets, self._buffers)]

    def write(self, target):
        """All of the message into `target`, a buffer of `size` bytes."""
        for offset, part in self._parts():
            target[offset : offset + len(part)] = part

    def save(self, fd):
        """All of the message into an empty file. The kernel copies into new pages, which costs half of mapping them first;
        and memory that is not there is an error here, not a signal later, for each page is written."""
        os.ftruncate(fd, self.size)
        for offset, part in self._parts():
            rest = memoryview(part)
            while rest:
                done = os.pwrite(fd, rest, offset)
                offset, rest = offset + done, rest[done:]


def _unpacked(memory):
    """The object of a message. What it holds of buffers refers to `memory`."""
    memory = memoryview(memory)
    _, length, count = _HEADER.unpack_from(memory)
    lengths = struct.unpack_from(f"={count}Q", memory, _HEADER.size)
    start = _HEADER.size + 8 * count
    end = start + length
    buffers = []
    for size in lengths:
        offset = _aligned(end)
        end = offset + size
        buffers.append(memory[offset:end])
    return pickle.loads(memory[start : start + length], buffers=buffers)


# ---- bytes to the other process


def _write(message):
    """(bytes for the socket, descriptor to go with them or None), for the caller to close."""
    packed = _Packed(message)
    if packed.size <= _INLINE:
        data = bytearray(packed.size)
        packed.write(data)
        return data, None
    fd = os.memfd_create("torch-data", os.MFD_CLOEXEC)
    try:
        packed.save(fd)
    except OSError as error:
        os.close(fd)
        raise RuntimeError(
            f"unable to allocate {packed.size} bytes of shared memory for a batch: {error.strerror}; "
            "use smaller batches, a smaller prefetch_factor or fewer workers"
        ) from error
    return packed.header, fd


_libc = ctypes.CDLL(None, use_errno=True)
_libc.mmap.argtypes = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_ssize_t
_libc.mmap.restype = ctypes.c_void_p
_libc.munmap.argtypes = ctypes.c_void_p, ctypes.c_size_t
_MAP_FAILED = ctypes.c_void_p(-1).value


def _mapped(fd, size):
    """The pages of a file, until the last use of them. Not by the module mmap: its mappings keep a descriptor each, unless
    Python is 3.13 or newer, and so would end at 1024 batches."""
    address = _libc.mmap(None, size, mmap.PROT_READ | mmap.PROT_WRITE, mmap.MAP_SHARED | mmap.MAP_POPULATE, fd, 0)
    if address == _MAP_FAILED:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    pages = (ctypes.c_char * size).from_address(address)
    # At the end of the program tensors may still be in use.
    weakref.finalize(pages, _libc.munmap, address, size).atexit = False
    return pickle.PickleBuffer(pages).raw()  # as bytes, not as characters


def _copied(fd, size):
    """The bytes of a file."""
    copied = bytearray(size)
    with open(fd, "rb", buffering=0, closefd=False) as file:
        done = 0
        while done < size:
            done += os.preadv(file.fileno(), [memoryview(copied)[done:]], done)
    return copied


def _read(data, fd):
    """The message that came as `data` and, if it was long, the descriptor `fd`, which is closed."""
    if fd is None:
        return _unpacked(data)
    try:
        size = _HEADER.unpack_from(data)[0]
        try:
            memory = _mapped(fd, size)
        except OSError:  # too many mappings
            memory = _copied(fd, size)
    finally:
        os.close(fd)
    return _unpacked(memory)


class Channel:
    """One end of a pair between two processes. It can be given to a new process as an argument."""

    def __init__(self, sock):
        self._socket = sock
        self._waiting = collections.deque()  # what the socket had no room for: (bytes, descriptor)
        self._fd = sock.fileno()

    @classmethod
    def pair(cls):
        """(the parent's end, the worker's end). Processes forked off the parent close their copy of its end, or a
        worker would never see that the parent is gone."""
        ends = [cls(sock) for sock in socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)]
        _ends_of_parent.add(ends[0])
        return ends

    def __getstate__(self):
        return self._socket

    def __setstate__(self, sock):
        self.__init__(sock)

    def fileno(self):
        return self._fd

    @property
    def waiting(self):
        """Whether post() has something left to send."""
        return bool(self._waiting)

    def post(self, message):
        """Send `message` without ever waiting: what finds no room is sent by later calls of flush()."""
        self._waiting.append(_write(message))
        self.flush()

    def flush(self):
        """Send what waits and finds room. Returns whether nothing waits any longer."""
        while self._waiting:
            if not self._sent(*self._waiting[0]):
                return False
            self._drop_first()
        return True

    def _drop_first(self):
        fd = self._waiting.popleft()[1]
        if fd is not None:
            os.close(fd)

    def _sent(self, data, fd):
        ancillary = [] if fd is None else [(socket.SOL_SOCKET, socket.SCM_RIGHTS, struct.pack("i", fd))]
        try:
            self._socket.sendmsg([data], ancillary, socket.MSG_DONTWAIT)
        except OSError as error:
            if error.errno in _FULL:
                return False
            raise Closed from error
        return True

    def send(self, message, alive):
        """Send `message`, waiting for room as long as alive()."""
        self.post(message)
        poll = select.poll()
        poll.register(self._fd, select.POLLOUT)
        room = False
        while not self.flush():
            if room:  # room is not all that can be missing: descriptors on their way are counted too
                time.sleep(_RETRY)
            if not alive():
                raise Closed
            room = bool(poll.poll(1000 * MP_STATUS_CHECK_INTERVAL))

    def receive(self):
        """The next message; waits for it. Raises Closed at the end."""
        try:
            data, ancillary, _, _ = self._socket.recvmsg(_INLINE, socket.CMSG_SPACE(4), socket.MSG_CMSG_CLOEXEC)
        except OSError as error:
            raise Closed from error
        if not data:
            raise Closed
        fd = struct.unpack("i", ancillary[0][2][:4])[0] if ancillary else None
        return _read(bytearray(data) if fd is None else data, fd)

    def close(self):
        while self._waiting:
            self._drop_first()
        self._socket.close()


_ends_of_parent = weakref.WeakSet()


def _close_ends_of_parent():
    for channel in list(_ends_of_parent):
        channel.close()
    _ends_of_parent.clear()


os.register_at_fork(after_in_child=_close_ends_of_parent)
