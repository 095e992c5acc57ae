"""Bessel's functions, orthogonal polynomials, incomplete gamma functions."""

from golden.row import codes, each, rows

# In float64 PyTorch's own J, Y and Ai are off by up to 1e-6; tests/operators/test_special.py asks for their digits.
COARSE = "bessel_j0 bessel_j1 bessel_y0 bessel_y1 airy_ai"
FINE = """modified_bessel_i0 modified_bessel_i1 modified_bessel_k0 modified_bessel_k1 scaled_modified_bessel_k0
    scaled_modified_bessel_k1 spherical_bessel_j0"""
UNARY = f"{COARSE} {FINE}"
ROWS = rows("torch.special.OP(a)", UNARY, each("f32 i64 b1", "$ 12", "$ -", "$ 0"), "near")
ROWS += rows("torch.special.OP(a * 5)", UNARY, each("f32", "$ 12", "$ 2x3 T"), "near")
ROWS += rows("torch.special.OP(a * 4)", FINE, each("f64", "$ 12", "$ 2x3 T"), "near")
ROWS += rows("torch.special.OP(a - 1)", "bessel_j0 airy_ai modified_bessel_k0", each("f16 bf16 c64", "$ 3"), "near")
ROWS += rows("o = torch.empty(0, dtype=a.dtype); torch.special.OP(a, out=o) is o, o", "bessel_j0 airy_ai", ("f32 3",), "near")

POLYNOMIALS = """chebyshev_polynomial_t chebyshev_polynomial_u chebyshev_polynomial_v chebyshev_polynomial_w
    shifted_chebyshev_polynomial_t shifted_chebyshev_polynomial_u shifted_chebyshev_polynomial_v
    shifted_chebyshev_polynomial_w hermite_polynomial_h hermite_polynomial_he laguerre_polynomial_l legendre_polynomial_p"""
for degree in (-1, 0, 1, 2, 5, 12):
    ROWS += rows(f"torch.special.OP(a / 8, {degree})", POLYNOMIALS, each("f32 f64" if degree < 12 else "f64", "$ 12"), "near")
    ROWS += rows(f"torch.special.OP(a, {degree})", POLYNOMIALS, each("i64", "$ 6") if degree < 6 else (), "near")
ROWS += rows("torch.special.OP(a / 2, b)", POLYNOMIALS, each("f32 f64", "$ 6;i64 6 count", "$ 2x1;$ 3 count"), "near")
ROWS += rows("torch.special.OP(0.25, a)", POLYNOMIALS, each("f32 f64 i64", "$ 6 count"), "near")
ROWS += rows("torch.special.OP(a, 200)", "hermite_polynomial_h hermite_polynomial_he", ("f32 3",), "near")
ROWS += rows("torch.special.OP(a, 3)", POLYNOMIALS, each("f16 c64", "$ 3"), "near")

GAMMA = codes(each("f16 bf16 f32 f64", "$ 12;$ 12 count", "$ 12 count;$ 12 count", "$ 3x1 count;$ 4"), """
    torch.igamma(a.abs(), b.abs())
    torch.igammac(a.abs(), b.abs())
    torch.igamma(a, b)
    torch.igammac(a, b)
    a.igamma(b), a.igammac(b)
    torch.special.gammainc(a, b), torch.special.gammaincc(a, b)
    torch.igamma(a * 0, b), torch.igammac(a * 0, b * 0), torch.igamma(a / 0, b), torch.igammac(a.abs(), b / 0)
""", "near")
GAMMA += codes(each("f32", "$ 12;$ 12 count", "$ 3x1 count;$ 4"), """
    torch.igamma(a.abs() * 9, b.abs() * 9)
    torch.igammac(a.abs() * 9, b.abs() * 9)
""", "near")
GAMMA += codes(("f32 4;f32 4 count",), "a.abs().igamma_(b), a.abs().igammac_(b)", "near")
GAMMA += codes(("",), """
    torch.special.logsumexp(torch.tensor([[1.0, 2.0]]), 1)
""", "near")
ROWS += GAMMA
