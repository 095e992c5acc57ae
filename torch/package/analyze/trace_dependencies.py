"""Which modules a function uses, by calling it."""

import sys


def _module_of(frame):
    """The module of the function that runs in a frame; None where that cannot be told."""
    name = frame.f_code.co_name
    for space in (frame.f_globals, frame.f_locals):
        if name in space:
            return getattr(space[name], "__module__", None)
    return getattr(getattr(frame.f_locals.get("self"), name, None), "__module__", None)


def trace_dependencies(callable, inputs):
    """The names of the modules whose functions are called by callable(*arguments), for each tuple of arguments in
    `inputs`."""
    found = set()

    def look(frame, event, arg):
        if event == "call":
            found.add(_module_of(frame))

    before = sys.getprofile()
    sys.setprofile(look)
    try:
        for arguments in inputs:
            callable(*arguments)
    finally:
        sys.setprofile(before)
    return list(found - {None})
