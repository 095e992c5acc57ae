"""Counts the calls of each kernel through the rows of THPP/Kernels.h, in a process that imports torch as it is.

The rows are addresses in the memory of a library: constants of libTHPP for the CPU, a table of libtorch_cuda. Each is
replaced by that of a few instructions of our own, which add one to a counter and jump to the kernel. What calls a kernel
by its name (torch._thnn, THNN's convolutions, which call TH's products) has other addresses, and is not counted.

Counters lie in a file that all processes share, one of 64 bits for each C function in the order of slots-<backend>.json
(python -m codegen slots, cuda-slots).
"""

import ctypes
import json
import mmap
import pathlib
import platform

import numpy as np

PT_LOAD, PT_DYNAMIC, PT_GNU_RELRO = 1, 2, 0x6474E552
PF_W = 2
DT_NULL, DT_PLTRELSZ, DT_JMPREL = 0, 2, 23
SIZE_OF_RELA = 24

# mov r11, COUNTER; lock inc qword [r11]; mov r11, KERNEL; jmp r11. Calls may change r11: the linker's own stubs do.
INSTRUCTIONS = np.frombuffer(
    bytes.fromhex("49bb 0000000000000000 f049ff03 49bb 0000000000000000 41ffe3 cccccccccc"), np.uint8
)
COUNTER, KERNEL = slice(2, 10), slice(16, 24)


class ProgramHeader(ctypes.Structure):
    """Elf64_Phdr"""

    _fields_ = [
        ("type", ctypes.c_uint32),
        ("flags", ctypes.c_uint32),
        ("offset", ctypes.c_uint64),
        ("address", ctypes.c_uint64),
        ("physical", ctypes.c_uint64),
        ("in_file", ctypes.c_uint64),
        ("size", ctypes.c_uint64),
        ("align", ctypes.c_uint64),
    ]


class ObjectInfo(ctypes.Structure):
    """dl_phdr_info"""

    _fields_ = [
        ("base", ctypes.c_uint64),
        ("name", ctypes.c_char_p),
        ("headers", ctypes.POINTER(ProgramHeader)),
        ("count", ctypes.c_uint16),
    ]


VISIT = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ObjectInfo), ctypes.c_size_t, ctypes.c_void_p)


class Library:
    """A library that the process has loaded: where its memory lies."""

    def __init__(self, name):
        self.path = None

        @VISIT
        def visit(info, _, __):
            info = info.contents
            if pathlib.PurePath((info.name or b"").decode()).name != name:
                return 0
            self.path = info.name.decode()
            self.segments = [
                (h.type, h.flags, info.base + h.address, h.size) for h in (info.headers[i] for i in range(info.count))
            ]
            self.base = info.base
            return 1

        ctypes.CDLL(None).dl_iterate_phdr(visit, None)
        if self.path is None:
            raise RuntimeError(f"{name} is not loaded")

    def address_of(self, function):
        """Of what this library means by that name."""
        return ctypes.cast(getattr(ctypes.CDLL(self.path), function), ctypes.c_void_p).value

    def _places_of_calls_by_name(self):
        """Entries of the table for calls of other libraries' functions; which of them are filled is chance."""
        (dynamic,) = (words(start, size).reshape(-1, 2) for kind, _, start, size in self.segments if kind == PT_DYNAMIC)
        entries = dict(dynamic[: np.flatnonzero(dynamic[:, 0] == DT_NULL)[0]].tolist())
        if DT_JMPREL not in entries:
            return np.empty(0, np.uint64)
        table = entries[DT_JMPREL] + (self.base if entries[DT_JMPREL] < self.base else 0)
        return words(table, entries[DT_PLTRELSZ]).reshape(-1, SIZE_OF_RELA // 8)[:, 0] + np.uint64(self.base)

    def replace(self, old, new):
        """Puts new[i] wherever old[i] stands. Returns how often each did."""
        order = np.argsort(old)
        ordered, found = old[order], np.zeros(len(old), int)
        by_name = self._places_of_calls_by_name()
        for kind, flags, start, size in self.segments:
            if kind != PT_LOAD or not flags & PF_W:
                continue
            first = -start % 8
            memory = words(start + first, size - first)
            at = np.minimum(np.searchsorted(ordered, memory), len(old) - 1)
            places = np.uint64(start + first) + 8 * np.arange(len(memory), dtype=np.uint64)
            hits = np.flatnonzero((ordered[at] == memory) & ~np.isin(places, by_name))
            which = order[at[hits]]
            protect(start, size, mmap.PROT_READ | mmap.PROT_WRITE)
            memory[hits] = new[which]
            found += np.bincount(which, minlength=len(old))
        for kind, _, start, size in self.segments:
            if kind == PT_GNU_RELRO:
                protect(start, size // mmap.PAGESIZE * mmap.PAGESIZE, mmap.PROT_READ)
        return found


def words(start, size):
    return np.ctypeslib.as_array((ctypes.c_uint64 * (size // 8)).from_address(start))


def protect(start, size, allowed):
    begin = start // mmap.PAGESIZE * mmap.PAGESIZE
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mprotect(ctypes.c_void_p(begin), ctypes.c_size_t(start + size - begin), allowed):
        raise OSError(ctypes.get_errno(), "mprotect")


def trampolines(counters, kernels):
    """The addresses of instructions that count and go on to these kernels."""
    code = np.tile(INSTRUCTIONS, (len(kernels), 1))
    code[:, COUNTER] = counters.view(np.uint8).reshape(-1, 8)
    code[:, KERNEL] = kernels.view(np.uint8).reshape(-1, 8)
    memory = mmap.mmap(-1, code.nbytes)
    _kept.append(memory)
    memory[:] = code.tobytes()
    start = np.frombuffer(memory, np.uint8).ctypes.data
    protect(start, code.nbytes, mmap.PROT_READ | mmap.PROT_EXEC)
    return np.uint64(start) + np.uint64(code.shape[1]) * np.arange(len(kernels), dtype=np.uint64)


_kept = []  # memory that rows refer to, for as long as the process lives


def functions_of(slots):
    """The C functions, in the order of their counters."""
    return [function for row in slots["slots"].values() for function in row]


def counters_of(slots, folder):
    """The counters in a folder's file, which is made if it is not there."""
    size = 8 * len(functions_of(slots))
    with open(pathlib.Path(folder) / slots["backend"], "a+b") as file:
        file.truncate(size)
        shared = mmap.mmap(file.fileno(), size)
    _kept.append(shared)
    return np.frombuffer(shared, np.uint64)


def count(slots, folder):
    """From now on the rows of `slots`, the content of a slots-<backend>.json, count their calls."""
    if platform.machine() != "x86_64":
        raise RuntimeError(f"calls are counted by instructions of x86_64, not {platform.machine()}")
    library, functions = Library(slots["library"]), functions_of(slots)
    kernels = np.array([library.address_of(f) for f in functions], np.uint64)
    counters = counters_of(slots, folder)
    places = np.uint64(counters.ctypes.data) + 8 * np.arange(len(functions), dtype=np.uint64)
    found = library.replace(kernels, trampolines(places, kernels))
    missing = [f for f, times in zip(functions, found, strict=True) if not times]
    if missing:
        raise RuntimeError(f"{slots['library']} has no row with {', '.join(missing)}")


def start(tables, folder):
    """The same for files, with whatever they need loaded."""
    import torch

    for table in tables:
        slots = json.loads(pathlib.Path(table).read_text())
        if slots["backend"] == "cuda":
            torch.cuda.init()
        count(slots, folder)
