"""Special functions, under the names of torch.special. Those that torch.… has too are the same objects."""

import torch

_HERE = {_name.removeprefix("_special_"): _name for _name in dir(torch) if _name.startswith("_special_")}
_SAME = """
digamma erf erfc erfinv exp2 expm1 i0 log1p log_softmax logit logsumexp polygamma sinc softmax xlogy
""".split()
_RENAMED = {
    "expit": "sigmoid",
    "gammainc": "igamma",
    "gammaincc": "igammac",
    "gammaln": "lgamma",
    "modified_bessel_i0": "i0",
    "modified_bessel_i1": "_special_i1",
    "multigammaln": "mvlgamma",
    "psi": "digamma",
}
_NAMES = _HERE | {_name: _name for _name in _SAME} | _RENAMED
globals().update({_name: getattr(torch, _in_torch) for _name, _in_torch in _NAMES.items()})

__all__ = sorted([*_NAMES, "round"])  # noqa: PLE0605


def round(input, *, decimals=0, out=None):  # noqa: A001
    """See :func:`torch.round`; floating-point only."""
    return torch.round(input, decimals=decimals, out=out)
