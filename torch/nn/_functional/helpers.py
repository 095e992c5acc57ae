"""Names that programs for TorchScript take from torch.nn.functional."""

from __future__ import annotations


def assert_int_or_pair(arg: list[int], arg_name: str, message: str) -> None:
    """Raises AssertionError, message.format(arg_name), for what is neither a number nor a sequence of two."""
    if not (isinstance(arg, int) or len(arg) == 2):
        raise AssertionError(message.format(arg_name))


assert_int_or_pair.__module__ = "torch.nn.functional"


def boolean_dispatch(arg_name, arg_index, default, if_true, if_false, module_name, func_name):
    """A function that calls if_true or if_false with its arguments, as the argument arg_name, or the one at arg_index, says;
    `default` where there is neither. It has the docstring of that of the two that has one: RuntimeError for both."""

    def fn(*args, **kwargs):
        if arg_name in kwargs:
            chosen = kwargs[arg_name]
        else:
            chosen = args[arg_index] if arg_index < len(args) else default
        return (if_true if chosen else if_false)(*args, **kwargs)

    if if_true.__doc__ is not None and if_false.__doc__ is not None:
        raise RuntimeError("only one function can have a docstring")
    fn.__doc__ = if_true.__doc__ if if_true.__doc__ is not None else if_false.__doc__
    fn.__name__ = func_name if func_name is not None else fn.__name__
    fn.__module__ = module_name if module_name is not None else fn.__module__
    return fn
