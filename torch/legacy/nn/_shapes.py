"""Modules that choose, move or add up elements, and those whose inputs or outputs are tables (lists)."""

import math

import torch
from torch._thnn._backends import target_of
from torch.legacy.nn._module import Computed, Module, expect_dims, flat, keep, layer


# ---- of one tensor -----------------------------------------------------------------------------------------
@layer()
def Contiguous(input):
    return input.contiguous()


@layer("({dimension})")
def Max(input, dimension=0):
    return input.max(dimension)[0]


@layer("({dimension})")
def Min(input, dimension=0):
    return input.min(dimension)[0]


@layer("({dimension})")
def Sum(input, dimension=0, sizeAverage=False):
    return input.mean(dimension) if sizeAverage else input.sum(dimension)


class Mean(Sum):
    def __init__(self, dimension=0):
        super().__init__(dimension, True)


@layer("({dimension}, {offset}, {length})")
def Narrow(input, dimension, offset, length=1):
    """A copy of `length` elements from `offset` on; of length -1 up to the last."""
    if length < 0:
        length = input.size(dimension) - offset + length + 1
    return input.narrow(dimension, offset, length).clone()


@layer("({dimension}, {index})")
def Select(input, dimension, index):
    return input.select(dimension, index).clone()


@layer()
def Squeeze(input, dim=None):
    return input.squeeze() if dim is None else input.squeeze(dim)


@layer("({dim})")
def Unsqueeze(input, dim):
    return input.unsqueeze(dim)


@layer("({nf}, {dim})")
def Replicate(input, nf, dim=0):
    size = [*input.size()]
    size.insert(dim, nf)
    return input.unsqueeze(dim).expand(size)


@layer("({upscale_factor})", dims=(3, 4))
def PixelShuffle(input, upscale_factor):
    return torch.nn.functional.pixel_shuffle(input, upscale_factor)


@layer("({dim}, {pad}, value={value}, index={index})")
def Padding(input, dim, pad, value=0, index=0, nInputDim=0):
    """`pad` elements more along `dim`, before `index` from the left (pad < 0) or from the right."""
    if nInputDim > 0 and input.dim() != nInputDim:
        dim += 1
    at = index if pad < 0 else input.size(dim) - index
    if not 0 <= at <= input.size(dim):
        raise RuntimeError(f"nn.Padding: index {index} is outside of dimension {dim} of size {input.size(dim)}")
    size = [*input.size()]
    size[dim] = abs(pad)
    before, after = input.split([at, input.size(dim) - at], dim)
    return torch.cat([before, input.new_full(size, value), after], dim)


class _Sized(Computed):
    """A module whose arguments are sizes."""

    def __init__(self, *args):
        super().__init__()
        self.size = torch.Size(args[0] if len(args) == 1 and not isinstance(args[0], int) else args)


class Reshape(_Sized):
    """Each element of a batch in another shape."""

    def compute(self, input):
        count = math.prod(self.size)
        if input.numel() != input.size(0) * count:
            raise RuntimeError(f"{self!r}: an input of size {tuple(input.size())} has not {count} elements in each row")
        return input.reshape(input.size(0), *self.size)

    def __repr__(self):
        return super().__repr__() + f"({'x'.join(map(str, self.size))})"


class View(_Sized):
    """The tensor in another shape."""

    def resetSize(self, *args):
        self.size = _Sized(*args).size
        return self

    def compute(self, input):
        return input.reshape(self.size)

    def __repr__(self):
        return super().__repr__() + f"({', '.join(map(str, self.size))})"


class Transpose(Computed):
    """Pairs of dimensions exchanged, one pair after the other."""

    def __init__(self, *permutations):
        super().__init__()
        self.permutations = permutations

    def compute(self, input):
        for first, second in self.permutations:
            input = input.transpose(first, second)
        return input.contiguous()

    def __repr__(self):
        return super().__repr__() + f"({', '.join(map(str, self.permutations))})"


class Copy(Computed):
    """The input with another type, as tensors' type() has it; the gradient with the input's."""

    def __init__(self, intype=None, outtype=None, dontCast=False):
        super().__init__()
        self.intype = intype or torch.Tensor().type()
        self.outtype = outtype or torch.Tensor().type()
        self.dontCast = dontCast

    def compute(self, input):
        _, dtype, device = target_of(self.outtype)
        return input.to(device, dtype, copy=True)

    def type(self, type=None, tensorCache=None):
        if type is None or self.dontCast:
            return self._type if type is None else self
        return super().type(type, tensorCache)


# ---- of tables ---------------------------------------------------------------------------------------------
class Identity(Module):
    """The input itself, whatever it is, and the gradient itself."""

    def updateOutput(self, input):
        self.output = input
        return self.output

    def updateGradInput(self, input, gradOutput):
        self.gradInput = gradOutput
        return self.gradInput


def _table(module, input, count=None):
    if not isinstance(input, (list, tuple)) or (count is not None and len(input) != count):
        wanted = "tensors" if count is None else f"{count} tensors"
        got = f"{len(input)} of them" if isinstance(input, (list, tuple)) else type(input).__name__
        raise RuntimeError(f"{module}: expected a list of {wanted}, got {got}")
    return input


@layer()
def CAddTable(input, inplace=False):
    first, *others = _table("nn.CAddTable", input)
    return sum(others, first) if others else first.clone()


def _add_into_first(self, input):
    self._tape = None
    output = CAddTable.compute(self, [tensor.detach() for tensor in _table("nn.CAddTable", input)])
    self.output = keep(self.output, input[0].copy_(output))
    return self.output


CAddTable._overwritten = _add_into_first  # in place is the first tensor of the table


@layer()
def CSubTable(input):
    first, second = _table("nn.CSubTable", input, 2)
    return first - second


@layer()
def CMulTable(input):
    first, *others = _table("nn.CMulTable", input)
    return math.prod(others, start=first) if others else first.clone()


@layer()
def CDivTable(input):
    first, second = _table("nn.CDivTable", input, 2)
    return first / second


@layer(dims=(1, 2))
def DotProduct(input):
    first, second = _table("nn.DotProduct", input, 2)
    return (first * second).sum(-1).reshape(-1)


@layer(dims=(1, 2))
def CosineDistance(input):
    first, second = _table("nn.CosineDistance", input, 2)
    squares = ((first * first).sum(-1) + 1e-12) * ((second * second).sum(-1) + 1e-12)
    return ((first * second).sum(-1) / squares.sqrt()).reshape(-1)


@layer("({p})", dims=(1, 2))
def PairwiseDistance(input, p):
    first, second = _table("nn.PairwiseDistance", input, 2)
    return torch.linalg.vector_norm(first - second, p, -1).reshape(-1)


@layer()
def MM(input, transA=False, transB=False):
    first, second = _table("nn.MM", input, 2)
    if first.dim() != second.dim() or first.dim() not in (2, 3):
        raise RuntimeError(
            f"nn.MM: expected two matrices or two batches, got {first.dim()}D and {second.dim()}D tensors"
        )
    return (first.transpose(-1, -2) if transA else first) @ (second.transpose(-1, -2) if transB else second)


@layer()
def MV(input, trans=False):
    matrix, vector = _table("nn.MV", input, 2)
    if matrix.dim() not in (2, 3) or vector.dim() != matrix.dim() - 1:
        raise RuntimeError(f"nn.MV: expected a matrix and a vector, got {matrix.dim()}D and {vector.dim()}D tensors")
    matrix = matrix.transpose(-1, -2) if trans else matrix
    return (matrix @ vector.unsqueeze(-1)).squeeze(-1)


@layer("({dimension})")
def JoinTable(input, dimension, nInputDims=None):
    if nInputDims is not None and dimension >= 0 and input[0].dim() == nInputDims + 1:
        dimension += 1
    return torch.cat(list(_table("nn.JoinTable", input)), dimension)


@layer("({dimension})")
def SplitTable(input, dimension, nInputDims=None):
    if nInputDims is not None and dimension >= 0 and input.dim() == nInputDims + 1:
        dimension += 1
    return list(input.unbind(dimension))


@layer("({offset}, {length})")
def NarrowTable(input, offset, length=1):
    if not 0 <= offset <= offset + length <= len(input):
        raise RuntimeError(f"nn.NarrowTable: {length} from {offset} on are outside of a table of {len(input)}")
    return list(input[offset : offset + length])


@layer("({index})")
def SelectTable(input, index):
    if not -len(input) <= index < len(input):
        raise RuntimeError(f"nn.SelectTable: index {index} is outside of a table of {len(input)}")
    return input[index]


class FlattenTable(Computed):
    """A table of tables as one list of tensors; `input_map` has its numbers in the input's places."""

    def __init__(self):
        super().__init__()
        self.output = []
        self.input_map = []

    def compute(self, input):
        numbers = iter(range(len(flat(input))))

        def number(value):
            return [number(each) for each in value] if isinstance(value, (list, tuple)) else next(numbers)

        self.input_map = number(input)
        return flat(input)


@layer()
def Index(input, dimension):
    tensor, index = _table("nn.Index", input, 2)
    return tensor.index_select(dimension, index)


@layer()
def MaskedSelect(input):
    tensor, mask = _table("nn.MaskedSelect", input, 2)
    return tensor.masked_select(mask.bool())


class MixtureTable(Computed):
    """[gates, experts]: the experts' sum, each times its gate. Experts are a list, or a tensor with them along `dim`."""

    def __init__(self, dim=1):
        super().__init__()
        self.dim = dim

    def compute(self, input):
        gates, experts = _table("nn.MixtureTable", input, 2)
        expect_dims(self, gates, 1, 2)
        if isinstance(experts, (list, tuple)):
            experts = torch.stack(list(experts), self.dim)
        if experts.size(self.dim) != gates.size(-1):
            raise RuntimeError(f"{self!r}: {gates.size(-1)} gates for {experts.size(self.dim)} experts")
        shape = [1] * experts.dim()
        shape[self.dim] = gates.size(-1)
        if gates.dim() == 2:
            shape[0] = gates.size(0)
        return (gates.view(shape) * experts).sum(self.dim)
