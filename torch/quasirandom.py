"""Sobol sequences: points that fill a cube more evenly than random ones.

The direction numbers are those of S. Joe and F. Y. Kuo, "Constructing Sobol sequences with better two-dimensional
projections" (SIAM J. Sci. Comput. 30, 2008), new-joe-kuo-6.21201 of https://web.maths.unsw.edu.au/~fkuo/sobol; they stand in
_sobol_directions.bin, which tools/sobol/directions.py has written, and _sobol_directions.txt says under which terms.
"""

from __future__ import annotations

import itertools
import pathlib
import zlib

import torch

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from torch import Tensor


__all__ = ["SobolEngine"]


def _directions(dimension):
    """Of the second to the last dimension: polynomials, and a list of m_1 … m_s of each."""
    data = pathlib.Path(__file__).with_name("_sobol_directions.bin").read_bytes()
    length = int.from_bytes(data[:4], "little")
    gaps = zlib.decompress(data[4 : 4 + length])
    polynomials = list(itertools.accumulate((2 * gap for gap in gaps[: dimension - 1]), initial=1))[1:]
    at, numbers = 4 + length, []
    for polynomial in polynomials:
        degree = polynomial.bit_length() - 1
        size = (degree * (degree - 1) // 2 + 7) // 8
        word = int.from_bytes(data[at : at + size], "little")
        numbers.append([(word >> i * (i - 1) // 2 & (1 << i) - 1) << 1 | 1 for i in range(degree)])
        at += size
    return polynomials, numbers


def _initial_state(dimension, bits):
    """(dimension, bits) direction numbers, as integers of so many bits.

    Those after the first s follow by Bratley's and Fox's recurrence (1988): m_j is the exclusive or of m_{j-s} and of
    2^k a_k m_{j-k} for the coefficients a_1 … a_s of the polynomial.
    """
    state = torch.ones(dimension, bits, dtype=torch.long)
    polynomials, numbers = _directions(dimension)
    by_degree = itertools.groupby(range(1, dimension), key=lambda d: polynomials[d - 1].bit_length() - 1)
    for degree, group in by_degree:
        rows = list(group)
        rows = slice(rows[0], rows[-1] + 1)
        known = torch.tensor(numbers[rows.start - 1 : rows.stop - 1], dtype=torch.long)
        polynomial = torch.tensor(polynomials[rows.start - 1 : rows.stop - 1], dtype=torch.long)
        columns = list(known[:, :bits].unbind(1))
        for j in range(len(columns), bits):
            new = columns[j - degree]
            for k in range(1, degree + 1):
                new = new ^ (polynomial >> (degree - k) & 1) * (columns[j - k] << k)
            columns.append(new)
        state[rows] = torch.stack(columns, 1)
    return state << torch.arange(bits - 1, -1, -1)


class SobolEngine:
    """A Sobol sequence, whose points come in the order of Gray's code (Antonov and Saleev, 1979).

    Args:
        dimension (int): of a point, 1 to 21201; ValueError otherwise
        scramble (bool): multiply the direction numbers by random matrices and shift by a random number (Matoušek, "On the
            L2-discrepancy for anchored boxes", 1998), so that every point is uniformly distributed
        seed (int, optional): of the scrambling; default: the default generator's numbers

    Example::

        >>> engine = torch.quasirandom.SobolEngine(dimension=3)
        >>> engine.draw(3)
        tensor([[0.0000, 0.0000, 0.0000],
                [0.5000, 0.5000, 0.5000],
                [0.7500, 0.2500, 0.2500]])
    """

    MAXBIT = 30
    MAXDIM = 21201

    def __init__(self, dimension, scramble=False, seed=None) -> None:
        if dimension > self.MAXDIM or dimension < 1:
            raise ValueError(f"Supported range of dimensionality for SobolEngine is [1, {self.MAXDIM}]")
        self.seed = seed
        self.scramble = scramble
        self.dimension = dimension
        self.sobolstate = _initial_state(dimension, self.MAXBIT)
        self.shift = torch.zeros(dimension, dtype=torch.long)
        if scramble:
            self._scramble()
        self.quasi = self.shift.clone()
        self._first_point = (self.quasi / 2**self.MAXBIT).reshape(1, -1)
        self.num_generated = 0

    def _scramble(self):
        generator = None
        if self.seed is not None:
            generator = torch.Generator()
            generator.manual_seed(self.seed)
        n, bits = self.dimension, self.MAXBIT
        shift = torch.randint(2, (n, bits), generator=generator)
        self.shift = (shift << torch.arange(bits)).sum(-1)
        # A direction number's bits, from the highest, times a lower triangular matrix with ones on its diagonal
        matrices = torch.randint(2, (n, bits, bits), generator=generator).tril()
        matrices.diagonal(dim1=-2, dim2=-1).fill_(1)
        places = torch.arange(bits - 1, -1, -1)
        digits = self.sobolstate.unsqueeze(-1) >> places & 1
        products = (digits.float() @ matrices.float().mT).long() & 1  # sums of at most 30 ones are exact
        self.sobolstate = (products << places).sum(-1)

    def _points(self, first, n):
        """Points first … first + n - 1 as integers.

        Point i is the exclusive or of the direction numbers of the ones in Gray's code of i. The code of the second half of
        2^m numbers is that of the first one backwards, and a one at the front: so a block is made by doubling.
        """
        bits = (n - 1).bit_length()
        state = self.sobolstate.T
        block = torch.zeros(1, self.dimension, dtype=torch.long)
        for b in range(bits):
            block = torch.cat([block, block.flip(0) ^ state[b]])
        found = []
        for high in range(first >> bits, ((first + n - 1) >> bits) + 1):
            # the code of high · 2^m
            code = high << bits ^ high << bits >> 1
            start = self.shift
            for b in range(code.bit_length()):
                if code >> b & 1:
                    start = start ^ state[b]
            low = high << bits
            part = block[max(first - low, 0) : min(first + n - low, 1 << bits)]
            found.append(part ^ start)
        return found[0] if len(found) == 1 else torch.cat(found)

    def draw(self, n: int = 1, out: Tensor | None = None, dtype: torch.dtype | None = None) -> Tensor:
        """The next n points, (n, dimension).

        Args:
            n (int): how many
            out (Tensor, optional): to be filled and returned; it is resized
            dtype (torch.dtype, optional): default: the default dtype
        """
        dtype = torch.get_default_dtype() if dtype is None else dtype
        if self.num_generated + n > 2**self.MAXBIT:
            raise ValueError(f"a Sobol sequence of {self.MAXBIT} bits has no more than 2**{self.MAXBIT} points")
        points = self._points(self.num_generated, n) if n > 0 else self.shift.new_empty(0, self.dimension)
        result = points.to(dtype) * 2.0**-self.MAXBIT
        if n > 0:
            if self.num_generated == 0 and self.scramble:
                result[0] = self._first_point.to(dtype)  # in the default dtype's precision
            self.quasi = points[-1].clone()
            self.num_generated += n
        if out is not None:
            out.resize_as_(result).copy_(result)
            return out
        return result

    def draw_base2(self, m: int, out: Tensor | None = None, dtype: torch.dtype | None = None) -> Tensor:
        """The next 2^m points. ValueError unless all so far are a power of two then: only so are they balanced."""
        n = 2**m
        total = self.num_generated + n
        if total & (total - 1):
            raise ValueError(
                "The balance properties of Sobol' points require n to be a power of 2. "
                f"{self.num_generated} points have been previously generated, then: n={self.num_generated}+2**{m}={total}. "
                "If you still want to do this, please use 'SobolEngine.draw()' instead."
            )
        return self.draw(n=n, out=out, dtype=dtype)

    def reset(self):
        """Back to the first point."""
        self.quasi = self.shift.clone()
        self.num_generated = 0
        return self

    def fast_forward(self, n):
        """Leaves out n points."""
        if n > 0:
            self.num_generated += n
            self.quasi = self._points(self.num_generated - 1, 1)[0].clone()
        return self

    def __repr__(self):
        shown = [f"dimension={self.dimension}"]
        if self.scramble:
            shown.append("scramble=True")
        if self.seed is not None:
            shown.append(f"seed={self.seed}")
        return f"{self.__class__.__name__}({', '.join(shown)})"
