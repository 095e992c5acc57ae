"""Writes torch/_sobol_directions.bin: direction numbers of Sobol sequences in 21201 dimensions.

    python tools/sobol/directions.py FILE.npz

FILE.npz has what S. Joe and F. Y. Kuo published as new-joe-kuo-6.21201 (https://web.maths.unsw.edu.au/~fkuo/sobol;
"Constructing Sobol sequences with better two-dimensional projections", SIAM J. Sci. Comput. 30, 2008), as SciPy has it
(scipy/stats/_sobol_direction_numbers.npz): `poly`, primitive polynomials over GF(2), one bit for each coefficient, and
`vinit`, the numbers m_1 … m_s of each, s its degree.

What is written: from the second dimension on, half of what each polynomial is greater than the one before, a byte each,
deflated; then for each the m_i, which are odd and less than 2^i, without their last bits, one after the other from the
lowest bit on, filled up to bytes. The first four bytes say how long the first part is.
"""

import pathlib
import sys
import zlib

import numpy

OUT = pathlib.Path(__file__).resolve().parents[2] / "torch/_sobol_directions.bin"


def packed(numbers, degree):
    """m_1 … m_s as bytes."""
    word = at = 0
    for i, m in enumerate(numbers[:degree]):
        assert m % 2 and m < 2 ** (i + 1)
        word |= (m >> 1) << at
        at += i
    return word.to_bytes((at + 7) // 8, "little")


def main(path):
    data = numpy.load(path)
    polynomials = [int(p) for p in data["poly"]]
    gaps = bytes((b - a) // 2 for a, b in zip(polynomials, polynomials[1:]))
    rows = zip(polynomials[1:], data["vinit"][1:].tolist())
    directions = b"".join(packed(row, p.bit_length() - 1) for p, row in rows)
    first = zlib.compress(gaps, 9)
    OUT.write_bytes(len(first).to_bytes(4, "little") + first + directions)


if __name__ == "__main__":
    main(sys.argv[1])
