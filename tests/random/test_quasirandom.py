"""torch.quasirandom: the very points that PyTorch gives, and what makes them quasi-random."""

import json
import pathlib

import pytest
import torch
from quasirandom_cases import LINES, told
from torch.quasirandom import SobolEngine

TOLD = json.loads((pathlib.Path(__file__).resolve().parent / "data/quasirandom.json").read_text())


@pytest.mark.parametrize("line", LINES)
def test_line(line):
    assert told(line) == TOLD[line]


@pytest.mark.parametrize("scramble", [False, True])
def test_every_interval_has_its_share(scramble):
    points = SobolEngine(12, scramble=scramble, seed=3).draw_base2(8, dtype=torch.float64)
    cells = (points * 256).long()
    assert all(len(set(column.tolist())) == 256 for column in cells.T)


def test_scrambling():
    a, b, c = (SobolEngine(3, scramble=True, seed=s).draw(16) for s in (1, 1, 2))
    assert torch.equal(a, b) and not torch.equal(a, c)
    assert ((a >= 0) & (a < 1)).all() and (a[0] != 0).any()
    torch.manual_seed(5)
    first = SobolEngine(3, scramble=True).draw(2)
    torch.manual_seed(5)
    assert torch.equal(first, SobolEngine(3, scramble=True).draw(2))


def test_parts_are_the_whole():
    whole = SobolEngine(5, scramble=True, seed=7).draw(300)
    engine = SobolEngine(5, scramble=True, seed=7)
    parts = [engine.draw(n) for n in (1, 2, 64, 33, 100, 1, 99)]
    assert torch.equal(torch.cat(parts), whole)
    assert torch.equal(SobolEngine(5, scramble=True, seed=7).fast_forward(77).draw(20), whole[77:97])


def test_integral():
    """Better than chance: of 4096 points the mean of a product of six variables, 2^-6, to 1e-4."""
    points = SobolEngine(6).draw(4096, dtype=torch.float64)
    assert abs(points.prod(1).mean().item() - 2**-6) < 1e-4


def test_more_points_than_there_are():
    engine = SobolEngine(1).fast_forward(2**30 - 2)
    before = engine.draw(1)
    with pytest.raises(ValueError, match=r"no more than 2\*\*30 points"):
        engine.draw(2)
    assert engine.num_generated == 2**30 - 1 and engine.draw(1) != before
