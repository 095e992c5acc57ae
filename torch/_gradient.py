"""torch.gradient. Its documentation stands in codegen/declarations, as that of all operators."""

import torch


def _uniform_gradient(x, dim, step, edge_order):
    """Central differences inside; at the ends one-sided ones, exact for polynomials of degree `edge_order`."""
    n = x.size(dim)

    def at(start, length=1):
        return x.narrow(dim, start, length)

    inside = (at(2, n - 2) - at(0, n - 2)) / (2 * step)
    if edge_order == 1:
        first, last = (at(1) - at(0)) / step, (at(n - 1) - at(n - 2)) / step
    else:
        first = (-1.5 * at(0) + 2 * at(1) - 0.5 * at(2)) / step
        last = (0.5 * at(n - 3) - 2 * at(n - 2) + 1.5 * at(n - 1)) / step
    return torch.cat((first, inside, last), dim)


def _gradient_at(x, dim, places, edge_order):
    """The same at given places: the derivative of the parabola (at an end, the polynomial) through the neighbours."""
    n = x.size(dim)
    if places.dim() != 1:
        raise RuntimeError(
            f"torch.gradient expected each element of spacing to have one dimension, but got an element with "
            f"{places.dim()} dimensions!"
        )
    if places.numel() != n:
        raise RuntimeError(f"torch.gradient expected {n} coordinates along dimension {dim}, but got {places.numel()}")
    step = (places[1:] - places[:-1]).reshape([-1 if d == dim else 1 for d in range(x.dim())])
    slope = (x.narrow(dim, 1, n - 1) - x.narrow(dim, 0, n - 1)) / step

    def bent(i, length, own, other):
        """The slopes i… and their successors, each weighted by the step of the other."""
        h, k = step.narrow(dim, i, length), step.narrow(dim, i + 1, length)
        return (slope.narrow(dim, i, length) * own(h, k) + slope.narrow(dim, i + 1, length) * other(h, k)) / (h + k)

    inside = bent(0, n - 2, lambda h, k: k, lambda h, k: h)
    if edge_order == 1:
        first, last = slope.narrow(dim, 0, 1), slope.narrow(dim, n - 2, 1)
    else:
        first = bent(0, 1, lambda h, k: 2 * h + k, lambda h, k: -h)
        last = bent(n - 3, 1, lambda h, k: -k, lambda h, k: h + 2 * k)
    return torch.cat((first, inside, last), dim)


def gradient(input, *, spacing=1, dim=None, edge_order=1):
    if isinstance(dim, int):
        dims = [dim]
    else:
        dims = list(range(input.dim()) if dim is None else dim)
    spacing = 1 if spacing is None else spacing
    many = isinstance(spacing, (tuple, list))
    if (
        not many
        and not isinstance(spacing, (int, float, complex))
        and not (isinstance(spacing, torch.Tensor) and spacing.dim() == 0)
    ):
        raise TypeError(f"gradient(): argument 'spacing' must be a number or a list, not {type(spacing).__name__}")
    if many and len(spacing) != len(dims):
        if dim is None:
            raise RuntimeError(
                f"torch.gradient expected spacing to be unspecified, a scalar, or a list of length equal to 'self.dim() "
                f"= {input.dim()}', since dim argument was not given, but got a list of length {len(spacing)}"
            )
        raise RuntimeError(
            f"torch.gradient expected spacing to be unspecified, a scalar or it's spacing and dim arguments to have the "
            f"same length, but got a spacing argument of length {len(spacing)} and a dim argument of length {len(dims)}."
        )
    if edge_order not in (1, 2):
        raise RuntimeError("torch.gradient only supports edge_order=1 and edge_order=2.")
    if input.dtype == torch.uint8:
        raise RuntimeError("torch.gradient does not support uint8 input.")
    for d in dims:
        if not -input.dim() <= d < input.dim():
            raise IndexError(
                f"Dimension out of range (expected to be in range of [{-input.dim()}, {input.dim() - 1}], but got {d})"
            )
    dims = [d % input.dim() for d in dims]
    for place, d in enumerate(dims):
        if d in dims[:place]:
            raise RuntimeError(f"dim {d} appears multiple times in the list of dims")
    if any(input.size(d) < edge_order + 1 for d in dims):
        raise RuntimeError("torch.gradient expected each dimension size to be at least edge_order+1")
    return tuple(
        (_gradient_at if isinstance(step, torch.Tensor) and many else _uniform_gradient)(input, d, step, edge_order)
        for d, step in zip(dims, spacing if many else [spacing] * len(dims))
    )
