"""The C++ functions that led here."""

import ctypes
import re


def _demangled(name):
    """A C++ function's name as its source has it, by libstdc++, which is loaded with torch."""
    already_loaded = 4  # RTLD_NOLOAD
    try:
        function = ctypes.CDLL("libstdc++.so.6", already_loaded)["__cxa_demangle"]
    except (OSError, AttributeError):
        return name
    function.restype, status = ctypes.c_void_p, ctypes.c_int()
    address = function(name.encode(), None, None, ctypes.byref(status))
    if status.value != 0 or not address:
        return name
    try:
        return ctypes.string_at(address).decode()
    finally:
        ctypes.CDLL(None)["free"](ctypes.c_void_p(address))


def get_cpp_backtrace(frames_to_skip=0, maximum_number_of_frames=64):
    """A line for each function on this thread's stack that is in a library's table of symbols, the innermost first:
    "frame #0: name + offset (address in library)"."""
    if frames_to_skip < 0 or maximum_number_of_frames < 0:
        raise ValueError(f"numbers of frames are not negative: {frames_to_skip}, {maximum_number_of_frames}")
    libc = ctypes.CDLL(None)
    count = frames_to_skip + maximum_number_of_frames
    addresses = (ctypes.c_void_p * max(1, count))()
    found = libc.backtrace(addresses, count)
    symbols = libc.backtrace_symbols
    symbols.restype = ctypes.POINTER(ctypes.c_char_p)
    texts = symbols(addresses, found)
    try:
        lines = [texts[i].decode() for i in range(found)]
    finally:
        libc.free(texts)
    return "".join(_line(i, text) for i, text in enumerate(lines[frames_to_skip:]))


def _line(number, text):
    """Of glibc's "library(symbol+offset) [address]"."""
    match = re.fullmatch(r"(.*)\((.*?)\+?(0x[0-9a-f]+)?\) \[(0x[0-9a-f]+)\]", text)
    if match is None:
        return f"frame #{number}: {text}\n"
    library, symbol, offset, address = match.groups()
    name = _demangled(symbol) if symbol else "<unknown function>"
    return f"frame #{number}: {name} + {offset or '0x0'} ({address} in {library})\n"
