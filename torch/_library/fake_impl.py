"""Fakes: functions that say of an operator's result only its shape, strides and dtype, on the meta device."""

import contextlib
import threading

_current = threading.local()


class FakeImplCtx:
    """What torch.library.get_ctx() gives while a fake runs."""

    def __init__(self, operator):
        self._operator = operator

    def new_dynamic_size(self, *, min=0, max=None):  # noqa: A002 - PyTorch's names
        """A size that depends on elements. Tensors on the meta device have none, so this raises."""
        raise RuntimeError(
            f"{self._operator.qualified}: You're trying to run this operator with meta Tensors, but this operator may return "
            "an output Tensor with data-dependent shape: its fake asked torch.library.get_ctx() for a size that only "
            "elements can tell, and every tensor's sizes are numbers here."
        )

    create_unbacked_symint = new_dynamic_size


@contextlib.contextmanager
def running(operator):
    """Until the block ends, get_ctx() is for this operator's fake."""
    before = getattr(_current, "ctx", None)
    _current.ctx = FakeImplCtx(operator)
    try:
        yield
    finally:
        _current.ctx = before


def get_ctx():
    """The FakeImplCtx of the fake that is running. RuntimeError where none is."""
    found = getattr(_current, "ctx", None)
    if found is None:
        raise RuntimeError("get_ctx() can only be called inside of a function that register_fake registered")
    return found


def kernel_of(operator, fake):
    """The kernel for the meta device that a fake makes."""

    def meta(*args, **kwargs):
        with running(operator):
            return fake(*args, **kwargs)

    return meta
