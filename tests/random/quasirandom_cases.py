"""Lines about Sobol sequences, which PyTorch has answered (generate_quasirandom.py)."""

import zlib

import torch
from torch.quasirandom import SobolEngine


def pattern(high, size, **options):
    """In the place of randint, whose numbers are not PyTorch's: bits of a fixed sequence."""
    n = torch.Size(size).numel()
    return (torch.arange(n) * 7919 % 104729 // 13 % 2).reshape(size)


def of(state):
    """A checksum of integers."""
    return zlib.crc32(bytes(b for x in state.flatten().tolist() for b in x.to_bytes(4, "little")))


def scrambled(dimension):
    before, torch.randint = torch.randint, pattern
    try:
        return SobolEngine(dimension, scramble=True)
    finally:
        torch.randint = before


def drawn(engine, *counts):
    return [engine.draw(n).tolist() for n in counts]


SPACE = {"torch": torch, "S": SobolEngine, "of": of, "scrambled": scrambled, "drawn": drawn}
LINES = [
    *("of(S(1).sobolstate)", "of(S(5).sobolstate)", "of(S(1111).sobolstate)", "of(S(21201).sobolstate[::97])"),
    *(
        "S(1).draw(9).tolist()",
        "S(4).draw(33).tolist()",
        "S(600).draw(5)[:, ::37].tolist()",
        "drawn(S(3), 1, 1, 2, 5, 1)",
    ),
    *(
        "drawn(S(3), 4, 3, 1)",
        "S(2).fast_forward(5).draw(3).tolist()",
        "S(2).fast_forward(1).fast_forward(70).draw(3).tolist()",
    ),
    *(
        "S(2).fast_forward(1000003).draw(3).tolist()",
        "S(2).draw_base2(3).tolist()",
        "S(2).draw(3, dtype=torch.float64).dtype",
    ),
    *(
        "S(2).fast_forward(3).draw_base2(1).tolist()",
        "S(2).fast_forward(4).draw_base2(2).tolist()",
        "S(2).draw(3).dtype",
    ),
    *(
        "(lambda e: (e.draw(5), e.reset().draw(3).tolist())[1])(S(3))",
        "(lambda e: (e.draw(5), e.num_generated)[1])(S(3))",
    ),
    *("(lambda e: (e.draw(5), e.quasi.tolist())[1])(S(3))", "(lambda e: e.fast_forward(5).quasi.tolist())(S(3))"),
    *("S(0)", "S(21202)", "repr(S(3)), repr(S(3, scramble=True, seed=4))", "S.MAXBIT, S.MAXDIM"),
    *("of(scrambled(7).sobolstate)", "scrambled(7).shift.tolist()", "scrambled(4).draw(9).tolist()"),
    *("scrambled(4).draw(9, dtype=torch.float64).tolist()", "drawn(scrambled(3), 1, 2, 1)"),
    *("S(3).draw(2, out=torch.empty(0)).shape", "(lambda o: S(2).draw(3, out=o) is o)(torch.ones(1))"),
]


def told(line):
    try:
        found = eval(line, dict(SPACE))
    except Exception as error:
        return f"!{type(error).__name__}: {error}"
    return found if isinstance(found, (int, list)) else str(found)
