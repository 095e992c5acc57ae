"""What a program is, and how many are written as one line."""

import dataclasses
import itertools


@dataclasses.dataclass(frozen=True)
class Program:
    source: str
    says: str = ""
    bad: bool = False
    wrt: tuple | None = None
    dense: str | None = None  # the program for dense operands, where it is not the same

    @property
    def key(self):
        return f"{self.source} # gradient of {', '.join(self.wrt)}" if self.wrt else self.source


def each(template, dense=None, **words):
    lists = {name: value.split() if isinstance(value, str) else value for name, value in words.items()}
    rows = (dict(zip(lists, row)) for row in itertools.product(*lists.values()))
    return [Program(template.format(**row), dense=dense and dense.format(**row)) for row in rows]


def plain(text):
    """One program in each line."""
    return [Program(line.strip()) for line in text.strip().splitlines()]


def bad(text):
    """In each line a program and, after " ! ", words of the message."""
    rows = (line.strip().partition(" ! ") for line in text.strip().splitlines())
    return [Program(source.strip(), says=says.strip(), bad=True) for source, _, says in rows]


def gradient(text):
    """In each line a program and, after " ; ", the operands whose gradients are asked for; after " | " what `instead` says."""
    programs = []
    for line in text.strip().splitlines():
        rest, _, dense = line.strip().partition(" | ")
        source, _, names = rest.rpartition(" ; ")
        programs.append(Program(source.strip(), wrt=tuple(names.split()), dense=dense.strip() or None))
    return programs


def instead(text):
    """In each line a program and, after " | ", what it is of dense operands."""
    rows = (line.strip().partition(" | ") for line in text.strip().splitlines())
    return [Program(source.strip(), dense=dense.strip()) for source, _, dense in rows]


# Operands: sparse_inputs.py says what they are.
COO = "a u e ex h hu v vu t tu g gu o z"
COMPRESSED = "r re rb rh c ce cb m mb q qb"
KINDS = "a u r c m q"  # one of each layout, and one that is not coalesced
DTYPES = "f32 f16 bf16 i64 i32 u8 bool c128 c64"
