"""Functions that programs and the compiler share."""

from torch.compiler import is_compiling  # noqa: F401


def wrap_inline(fn):
    """A function that calls `fn`."""
    import functools

    @functools.wraps(fn)
    def inner(*args, **kwargs):
        return fn(*args, **kwargs)

    return inner


def call_hook(hook, *args, **kwargs):
    """What the hook returns, or its first argument where it returns None."""
    result = hook(*args)
    return args[0] if result is None else result
