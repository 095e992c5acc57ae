"""opt_einsum, a Python package that finds the cheapest order for torch.einsum of more than two operands."""

import functools

from torch.backends._settings import Setting, has_settings


@functools.cache
def get_opt_einsum():
    """The package, or None where it is not installed."""
    try:
        import opt_einsum
    except ImportError:
        return None
    return opt_einsum


def is_available():
    """Whether the package is installed."""
    return get_opt_einsum() is not None


class _Enabled(Setting):
    """Whether einsum uses it. Only True where it is installed."""

    def read(self, owner):
        return super().read(owner) and is_available()

    def write(self, owner, value):
        if value and not is_available():
            raise ValueError("torch.backends.opt_einsum.enabled = True: the package opt_einsum is not installed")
        super().write(owner, value)


# What opt_einsum knows; PyTorch names the first three.
_STRATEGIES = """auto greedy optimal auto-hq branch-1 branch-2 branch-all dp dynamic-programming eager opportunistic
    random-greedy random-greedy-128""".split()


class _Strategy(Setting):
    """How it looks for the order: "auto", "greedy", "optimal", "auto-hq" or another way of opt_einsum's; None where it is
    not installed."""

    def read(self, owner):
        return super().read(owner) if is_available() else None

    def write(self, owner, value):
        if value is not None and value not in _STRATEGIES:
            raise ValueError(f"`strategy` must be one of the following: [auto, greedy, optimal] but is {value}")
        if value is not None and not is_available():
            raise ValueError(f"torch.backends.opt_einsum.strategy = {value!r}: the package opt_einsum is not installed")
        super().write(owner, value or "auto")


_module = has_settings(__name__, {"enabled": _Enabled(True), "strategy": _Strategy("auto")})


def set_flags(_enabled=None, _strategy=None):
    """Sets what is not None; returns the values before."""
    return _module._set(enabled=_enabled, strategy=_strategy)


def flags(enabled=None, strategy=None):
    """A context in which the settings are these; None: no change."""
    return _module._changed(enabled=enabled, strategy=strategy)


def path(operands, sizes, kept):
    """The order for operands that have these dimensions, sets of numbers: [(places to contract), …], as opt_einsum
    counts them. The first `kept` dimensions are the result's; `sizes` has that of each."""
    package = get_opt_einsum()
    names = [package.get_symbol(d) for d in range(len(sizes))]
    terms = [sorted(dims) for dims in operands]
    equation = ",".join("".join(names[d] for d in dims) for dims in terms) + "->" + "".join(names[:kept])
    shapes = [tuple(sizes[d] for d in dims) for dims in terms]
    found, _ = package.contract_path(equation, *shapes, shapes=True, optimize=_module.strategy)
    return found
