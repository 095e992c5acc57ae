"""Special functions, under the names of torch.special. Those that torch.… has too are the same objects."""

import torch
from torch import _special_entr as entr
from torch import _special_erfcx as erfcx
from torch import _special_i0e as i0e
from torch import _special_i1 as i1
from torch import _special_i1e as i1e
from torch import _special_log_ndtr as log_ndtr
from torch import _special_ndtr as ndtr
from torch import _special_ndtri as ndtri
from torch import _special_xlog1py as xlog1py
from torch import _special_zeta as zeta
from torch import (
    digamma,
    erf,
    erfc,
    erfinv,
    exp2,
    expm1,
    i0,
    log1p,
    logit,
    logsumexp,
    polygamma,
    sinc,
    xlogy,
)
from torch import _special_i1 as modified_bessel_i1
from torch import digamma as psi
from torch import i0 as modified_bessel_i0
from torch import lgamma as gammaln
from torch import mvlgamma as multigammaln
from torch import sigmoid as expit

__all__ = [
    "digamma",
    "entr",
    "erf",
    "erfc",
    "erfcx",
    "erfinv",
    "exp2",
    "expit",
    "expm1",
    "gammaln",
    "i0",
    "i0e",
    "i1",
    "i1e",
    "log1p",
    "log_ndtr",
    "logit",
    "logsumexp",
    "modified_bessel_i0",
    "modified_bessel_i1",
    "multigammaln",
    "ndtr",
    "ndtri",
    "polygamma",
    "psi",
    "round",
    "sinc",
    "xlog1py",
    "xlogy",
    "zeta",
]


def round(input, *, decimals=0, out=None):  # noqa: A001
    """See :func:`torch.round`; floating-point only."""
    return torch.round(input, decimals=decimals, out=out)
