"""Names and schemas of operators, as libraries ask for them."""

from torch._library import table

__all__ = ["get_source", "is_builtin", "is_functional_schema", "mutates_and_returns_first_arg", "parse_namespace"]


def get_source(stacklevel):
    """ "file:line" of the caller, so many levels up."""
    import sys

    frame = sys._getframe(1)
    while stacklevel > 1 and frame.f_back is not None:
        frame, stacklevel = frame.f_back, stacklevel - 1
    return f"{frame.f_code.co_filename}:{frame.f_lineno}"


def parse_namespace(qualname):
    """("ns", "name") of "ns::name"."""
    parts = qualname.split("::")
    if len(parts) != 2:
        raise ValueError(
            f"Expected `qualname` to be of the form 'namespace::name', but got {qualname}. It needs two colons."
        )
    return parts[0], parts[1]


def lookup_op(qualname):
    """The OpOverload of "ns::name"."""
    import torch

    namespace, name, overload = table.split(qualname)
    return getattr(getattr(getattr(torch.ops, namespace), name), overload or "default")


def is_builtin(op):
    """Whether it is one of torch's own."""
    return op.namespace in ("aten", "prim", "prims")


def is_functional_schema(schema, *, allow_valid_view=False):
    """Whether an operator of this schema writes nothing and returns no alias of its arguments."""
    if schema.is_mutable:
        return False
    return allow_valid_view or all(result.alias_info is None for result in schema.returns)


def mutates_and_returns_first_arg(op):
    """Whether it writes its first argument alone and returns it: (Tensor(a!) x, …) -> Tensor(a!)."""
    schema = op._schema
    arguments, returns = schema.arguments, schema.returns
    if len(returns) != 1 or returns[0].alias_info is None or not arguments:
        return False
    first = arguments[0].alias_info
    if first is None or not first.is_write or first.after_set != returns[0].alias_info.after_set:
        return False
    return all(argument.alias_info is None for argument in arguments[1:])


def fill_defaults(schema, args, kwargs):
    """args and kwargs with the schema's defaults for what they leave out."""
    values = list(args)
    keywords = dict(kwargs)
    for place, argument in enumerate(schema.arguments):
        if argument.kwarg_only:
            keywords.setdefault(argument.name, argument.default_value)
        elif place >= len(values):
            values.append(keywords.pop(argument.name) if argument.name in keywords else argument.default_value)
    return tuple(values), keywords
