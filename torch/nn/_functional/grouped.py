"""Products of groups of matrices, and of matrices in 8 bits with scales."""

from __future__ import annotations

import enum

import torch
from torch.nn._functional._protocol import overridable

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor


class ScalingType(enum.IntEnum):
    """What one scale of a matrix is for: all of it, a row, or a block."""

    TensorWise = 0
    RowWise = 1
    BlockWise1x16 = 2
    BlockWise1x32 = 3
    BlockWise1x128 = 4
    BlockWise128x128 = 5


class SwizzleType(enum.IntEnum):
    """The order in which scales lie in memory."""

    NO_SWIZZLE = 0
    SWIZZLE_32_4_4 = 1


# Pickles name their place.
ScalingType.__module__ = SwizzleType.__module__ = "torch.nn.functional"


@overridable
def grouped_mm(
    mat_a: Tensor,
    mat_b: Tensor,
    *,
    offs: Tensor | None = None,
    bias: Tensor | None = None,
    out_dtype: torch.dtype | None = None,
) -> Tensor:
    """One product of matrices per group, for mixtures of experts: float32, bfloat16 or float16.

    mat_a: (M, K) or (G, M, K); mat_b: (K, N) or (G, K, N). Of two batches it is the G products, (G, M, N), without offs. Else
    offs, (G) of int32, are the ends of the groups along the dimension that a matrix has for all of them: the rows of mat_a
    beside a batch mat_b, (M, N); the columns of mat_b beside a batch mat_a, (M, N); what is summed over, K, for two
    matrices, (G, M, N). What lies past the last end is zero. bias must be None, out_dtype None or the operands' dtype.

    RuntimeError for shapes, dtypes and offsets that do not fit. Offsets are read by the CPU: those of another device are
    waited for."""
    return torch._grouped_mm(mat_a, mat_b, offs, bias, out_dtype)


def _listed(value):
    return [] if value is None else list(value) if isinstance(value, (list, tuple)) else [value]


_FLOAT8 = (torch.float8_e4m3fn, torch.float8_e5m2)


def _is_scaled(a, b, scales, recipes):
    """Whether one scale, or one for each row of a and column of b, is given for each of two matrices in 8 bits."""
    (recipe_a, recipe_b), (scale_a, scale_b) = recipes, scales
    if recipe_a != recipe_b or any(t.dtype not in _FLOAT8 for t in (a, b)):
        return False
    if any(scale.dtype != torch.float32 for scale in scales):
        return False
    if recipe_a == ScalingType.TensorWise:
        return all(scale.numel() == 1 for scale in scales)
    return recipe_a == ScalingType.RowWise and scale_a.numel() == a.size(0) and scale_b.numel() == b.size(1)


@overridable
def scaled_mm(
    mat_a: Tensor,
    mat_b: Tensor,
    scale_a: Tensor | list[Tensor],
    scale_recipe_a: ScalingType | list[ScalingType],
    scale_b: Tensor | list[Tensor],
    scale_recipe_b: ScalingType | list[ScalingType],
    swizzle_a: SwizzleType | list[SwizzleType] | None = None,
    swizzle_b: SwizzleType | list[SwizzleType] | None = None,
    bias: Tensor | None = None,
    output_dtype: torch.dtype | None = torch.bfloat16,
    contraction_dim: list[int] | tuple[int, ...] = (),
    use_fast_accum: bool = False,
) -> Tensor:
    """The product of two matrices in 8 bits, times their scales, plus `bias`, computed in float32.

    mat_a: (M, K), mat_b: (K, N), of float8_e4m3fn or float8_e5m2; scales of float32: one number each (TensorWise), or
    (M, 1) and (1, N) (RowWise); bias: (N) or (1, N). Result (M, N) of output_dtype, mat_a's for None. contraction_dim: which
    dimension of each is summed over, (1, 0) unless told. use_fast_accum changes nothing.

    ValueError for other recipes, scales and shapes, and for scales that are not in order: swizzle_a, swizzle_b."""
    scales, recipes = (_listed(scale_a), _listed(scale_b)), (_listed(scale_recipe_a), _listed(scale_recipe_b))
    for given in (mat_a, mat_b):
        if given.dim() != 2:
            raise ValueError(f"{'mat_a' if given is mat_a else 'mat_b'} must be a matrix, but is {list(given.shape)}")
    along_a, along_b = contraction_dim or (1, 0)
    if mat_a.size(along_a) != mat_b.size(along_b):
        told = f" with contraction dims mat_a: {along_a}, mat_b: {along_b}" if contraction_dim else ""
        shapes = ("x".join(map(str, mat.shape)) for mat in (mat_a, mat_b))
        raise ValueError(f"mat_a and mat_b shapes cannot be multiplied ({' and '.join(shapes)}){told}")
    left, right = mat_a if along_a % 2 else mat_a.t(), mat_b.t() if along_b % 2 else mat_b
    if any(swizzle != SwizzleType.NO_SWIZZLE for swizzle in (*_listed(swizzle_a), *_listed(swizzle_b))):
        raise ValueError("CPU does not support swizzle.")
    one_each = all(len(each) == 1 for each in (*scales, *recipes))
    if not one_each or not _is_scaled(left, right, *((first[0], second[0]) for first, second in (scales, recipes))):
        given = [f"{s.dtype} {list(s.shape)}" for each in scales for s in each]
        raise ValueError(
            f"Invalid scaling configuration: {mat_a.dtype} and {mat_b.dtype}, recipes {recipes}, scales {', '.join(given)}. "
            "Both matrices must be float8, with float32 scales: one number for each of them (TensorWise), or one for each "
            f"of {left.size(0)} rows of mat_a and of {right.size(1)} columns of mat_b (RowWise)"
        )
    columns = right.size(1)
    if bias is not None and bias.numel() != columns:
        raise ValueError(f"Bias must be size {columns} but got {bias.numel()}")
    by_row, by_column = (scale[0].reshape(shape) for scale, shape in zip(scales, ((-1, 1), (1, -1))))
    result = torch.mm(left.float(), right.float()) * by_row * by_column
    if bias is not None:
        result = result + bias.reshape(1, -1)
    return result.to(mat_a.dtype if output_dtype is None else output_dtype)


@overridable
def scaled_grouped_mm(
    mat_a: Tensor,
    mat_b: Tensor,
    scale_a: Tensor | list[Tensor],
    scale_recipe_a: ScalingType | list[ScalingType],
    scale_b: Tensor | list[Tensor],
    scale_recipe_b: ScalingType | list[ScalingType],
    swizzle_a: SwizzleType | list[SwizzleType] | None = None,
    swizzle_b: SwizzleType | list[SwizzleType] | None = None,
    bias: Tensor | None = None,
    offs: Tensor | None = None,
    output_dtype: torch.dtype | None = torch.bfloat16,
    contraction_dim: list[int] | tuple[int, ...] = (),
    use_fast_accum: bool = False,
) -> Tensor:
    """grouped_mm of matrices in 8 bits with scales, which PyTorch has for GPUs alone. There is none here:
    NotImplementedError, as on the CPU there."""
    raise NotImplementedError(
        f"Could not run 'scaled_grouped_mm' with arguments from the '{mat_a.device.type.upper()}' backend: there is no such "
        "kernel. Use scaled_mm for each group"
    )
