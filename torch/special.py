"""Special functions, under the names of torch.special. Those that torch.… has too are the same objects."""

import torch
from torch import _special_airy_ai as airy_ai
from torch import _special_bessel_j0 as bessel_j0
from torch import _special_bessel_j1 as bessel_j1
from torch import _special_bessel_y0 as bessel_y0
from torch import _special_bessel_y1 as bessel_y1
from torch import _special_chebyshev_polynomial_t as chebyshev_polynomial_t
from torch import _special_chebyshev_polynomial_u as chebyshev_polynomial_u
from torch import _special_chebyshev_polynomial_v as chebyshev_polynomial_v
from torch import _special_chebyshev_polynomial_w as chebyshev_polynomial_w
from torch import _special_entr as entr
from torch import _special_erfcx as erfcx
from torch import _special_hermite_polynomial_h as hermite_polynomial_h
from torch import _special_hermite_polynomial_he as hermite_polynomial_he
from torch import _special_i0e as i0e
from torch import _special_i1 as i1
from torch import _special_i1 as modified_bessel_i1
from torch import _special_i1e as i1e
from torch import _special_laguerre_polynomial_l as laguerre_polynomial_l
from torch import _special_legendre_polynomial_p as legendre_polynomial_p
from torch import _special_log_ndtr as log_ndtr
from torch import _special_modified_bessel_k0 as modified_bessel_k0
from torch import _special_modified_bessel_k1 as modified_bessel_k1
from torch import _special_ndtr as ndtr
from torch import _special_ndtri as ndtri
from torch import _special_scaled_modified_bessel_k0 as scaled_modified_bessel_k0
from torch import _special_scaled_modified_bessel_k1 as scaled_modified_bessel_k1
from torch import _special_shifted_chebyshev_polynomial_t as shifted_chebyshev_polynomial_t
from torch import _special_shifted_chebyshev_polynomial_u as shifted_chebyshev_polynomial_u
from torch import _special_shifted_chebyshev_polynomial_v as shifted_chebyshev_polynomial_v
from torch import _special_shifted_chebyshev_polynomial_w as shifted_chebyshev_polynomial_w
from torch import _special_spherical_bessel_j0 as spherical_bessel_j0
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
    log_softmax,
    logit,
    logsumexp,
    polygamma,
    sinc,
    softmax,
    xlogy,
)
from torch import digamma as psi
from torch import i0 as modified_bessel_i0
from torch import igamma as gammainc
from torch import igammac as gammaincc
from torch import lgamma as gammaln
from torch import mvlgamma as multigammaln
from torch import sigmoid as expit

__all__ = [
    "airy_ai",
    "bessel_j0",
    "bessel_j1",
    "bessel_y0",
    "bessel_y1",
    "chebyshev_polynomial_t",
    "chebyshev_polynomial_u",
    "chebyshev_polynomial_v",
    "chebyshev_polynomial_w",
    "digamma",
    "entr",
    "erf",
    "erfc",
    "erfcx",
    "erfinv",
    "exp2",
    "expit",
    "expm1",
    "gammainc",
    "gammaincc",
    "gammaln",
    "hermite_polynomial_h",
    "hermite_polynomial_he",
    "i0",
    "i0e",
    "i1",
    "i1e",
    "laguerre_polynomial_l",
    "legendre_polynomial_p",
    "log1p",
    "log_ndtr",
    "log_softmax",
    "logit",
    "logsumexp",
    "modified_bessel_i0",
    "modified_bessel_i1",
    "modified_bessel_k0",
    "modified_bessel_k1",
    "multigammaln",
    "ndtr",
    "ndtri",
    "polygamma",
    "psi",
    "round",
    "scaled_modified_bessel_k0",
    "scaled_modified_bessel_k1",
    "shifted_chebyshev_polynomial_t",
    "shifted_chebyshev_polynomial_u",
    "shifted_chebyshev_polynomial_v",
    "shifted_chebyshev_polynomial_w",
    "sinc",
    "softmax",
    "spherical_bessel_j0",
    "xlog1py",
    "xlogy",
    "zeta",
]


def round(input, *, decimals=0, out=None):  # noqa: A001
    """See :func:`torch.round`; floating-point only."""
    return torch.round(input, decimals=decimals, out=out)
