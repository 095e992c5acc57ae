"""torch.library's functions under the names that they had before it: operators are given by "ns::name"."""

from torch._library import table
from torch._library.fake_impl import get_ctx
from torch._library.infer_schema import infer_schema
from torch.library import impl as _impl, impl_abstract

__all__ = [
    "custom_op",
    "get_ctx",
    "impl",
    "impl_abstract",
    "impl_backward",
    "impl_save_for_backward",
    "infer_schema",
]


def custom_op(qualname, func_or_schema=None):
    """Defines an operator, as a decorator of a function without a body: its annotations are the schema."""
    from torch.library import define

    def make(given):
        text = given if isinstance(given, str) else infer_schema(given, mutates_args=())
        define(qualname, text)
        return None if isinstance(given, str) else given

    return make if func_or_schema is None else make(func_or_schema)


def impl(qualname, *, device_types=("cpu", "cuda"), func=None):
    """A function that computes an operator on these device types. Also a decorator."""
    return _impl(qualname, device_types, func)


def _saving(qualname):
    operator = table.found(qualname)
    parts = getattr(operator, "_older_autograd", None)
    if parts is None:
        parts = operator._older_autograd = {}
    return operator, parts


def impl_save_for_backward(qualname, *, func=None):
    """What an operator's backward needs: a function of (inputs, output), inputs as a named tuple."""
    return _part(qualname, "save", func)


def impl_backward(qualname, output_differentiability=None, *, func=None):
    """An operator's backward: a function of (ctx, saved, *grads) that returns {argument: gradient}."""
    if output_differentiability is not None:
        raise NotImplementedError("impl_backward(): output_differentiability; use torch.library.register_autograd")
    return _part(qualname, "backward", func)


def _part(qualname, which, func):
    def register(function):
        operator, parts = _saving(qualname)
        parts[which] = function
        if len(parts) == 2:
            _joined(operator, parts)
        return function

    return register if func is None else register(func)


def _joined(operator, parts):
    """The two older functions as the pair that register_autograd takes."""
    import collections

    from torch.library import register_autograd

    names = [argument.name for argument in operator.schema.arguments]
    inputs_of = collections.namedtuple(f"{operator.name}_args", names)  # noqa: PYI024 - its fields are the schema's

    def setup_context(ctx, inputs, output):
        ctx._saved = parts["save"](inputs_of(*inputs), output)

    def backward(ctx, *grads):
        found = parts["backward"](ctx, ctx._saved, *grads)
        found = tuple(found.get(name) for name in names)
        return found if len(found) != 1 else found[0]

    register_autograd(operator.qualified, backward, setup_context=setup_context)
