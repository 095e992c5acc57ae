"""How losses of many elements become one number: names, and the arguments of torch 0.4 that said it."""

import warnings

# A reduction's number, as operators take it.
CODES = {"none": 0, "mean": 1, "elementwise_mean": 1, "sum": 2}


def get_enum(reduction):
    """The number of a reduction's name. ValueError for another."""
    if reduction not in CODES:
        raise ValueError(f"{reduction} is not a valid value for reduction")
    if reduction == "elementwise_mean":
        warnings.warn("reduction='elementwise_mean' is deprecated, please use reduction='mean' instead.", stacklevel=3)
    return CODES[reduction]


def legacy_get_string(size_average, reduce, emit_warning=True):
    """The name for size_average and reduce, both True where they are None."""
    size_average = True if size_average is None else size_average
    reduce = True if reduce is None else reduce
    name = ("mean" if size_average else "sum") if reduce else "none"
    if emit_warning:
        warnings.warn(
            f"size_average and reduce args will be deprecated, please use reduction='{name}' instead.", stacklevel=4
        )
    return name


def legacy_get_enum(size_average, reduce, emit_warning=True):
    """The number for size_average and reduce."""
    return get_enum(legacy_get_string(size_average, reduce, emit_warning))


def resolve(size_average, reduce, reduction):
    """The reduction that a function's three arguments say."""
    if size_average is not None or reduce is not None:
        return legacy_get_string(size_average, reduce)
    if reduction not in CODES:
        raise ValueError(f"{reduction} is not a valid value for reduction")
    return "mean" if reduction == "elementwise_mean" else reduction


def reduced(loss, reduction):
    """The elements of a loss, their mean or their sum."""
    if reduction == "mean":
        return loss.mean()
    return loss.sum() if reduction == "sum" else loss
