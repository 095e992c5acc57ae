"""What callgrind is asked by the program that runs under it: to count from here on, and to write down what it has counted.

A request is a sequence of instructions that does nothing on a processor and that valgrind knows. It is put into memory
here, so that no library has to be compiled with valgrind's headers.
"""

import ctypes
import mmap
import platform

_TOOL = ord("C") << 24 | ord("T") << 16
_DUMP, _ZERO, _START, _STOP = _TOOL, _TOOL + 1, _TOOL + 4, _TOOL + 5

# long request(long words[6], long otherwise): mov rax, rdi; mov rdx, rsi; four rotations of rdi that add up to none;
# xchg rbx, rbx; mov rax, rdx; ret
_CODE = bytes.fromhex("4889f8 4889f2 48c1c703 48c1c70d 48c1c73d 48c1c733 4887db 4889d0 c3")


def _function():
    if platform.machine() != "x86_64":
        raise NotImplementedError(f"callgrind cannot be asked from Python on {platform.machine()}")
    memory = mmap.mmap(-1, len(_CODE), prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    memory.write(_CODE)
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    kind = ctypes.CFUNCTYPE(ctypes.c_long, ctypes.POINTER(ctypes.c_long * 6), ctypes.c_long)
    return kind(address), memory


_REQUEST, _MEMORY = _function()


def _ask(request):
    words = (ctypes.c_long * 6)(request, 0, 0, 0, 0, 0)
    _REQUEST(ctypes.byref(words), 0)


def count(run):
    """Counts what `run()` does, into a file of its own."""
    _ask(_START)
    _ask(_ZERO)
    run()
    _ask(_STOP)
    _ask(_DUMP)
