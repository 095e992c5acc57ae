"""torch.utils.backcompat: the two warnings for programs of PyTorch 0.1."""

import threading
import warnings

import pytest
import torch
from torch.overrides import TorchFunctionMode
from torch.utils.backcompat import broadcast_warning, keepdim_warning


@pytest.fixture(autouse=True)
def off():
    yield
    broadcast_warning.enabled = keepdim_warning.enabled = False
    assert torch._C._len_torch_function_stack() == 0


def said(call):
    """The texts of the warnings of a call, and the file that they point at."""
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        call()
    assert all(warning.filename == __file__ and warning.category is UserWarning for warning in seen)
    return [str(warning.message) for warning in seen]


ROW, COLUMN, SQUARE = torch.ones(1, 4), torch.ones(4, 1), torch.ones(2, 2)
BROADCAST = {
    "+": lambda: ROW + COLUMN,
    "torch.mul": lambda: torch.mul(ROW, COLUMN),
    "method": lambda: ROW.sub(COLUMN),
    "in place": lambda: torch.ones(1, 4).add_(torch.ones(4)),
    "<": lambda: ROW < COLUMN,
    "max": lambda: torch.max(ROW, COLUMN),
    "keyword": lambda: torch.atan2(ROW, other=COLUMN),
}
KEEPDIM = {
    "torch.sum": lambda: torch.sum(SQUARE, 1),
    "method": lambda: SQUARE.mean(0),
    "keyword": lambda: SQUARE.prod(dim=0),
    "max": lambda: SQUARE.max(1),
    "median": lambda: SQUARE.median(dim=-1),
    "mode": lambda: SQUARE.mode(),
    "kthvalue": lambda: SQUARE.kthvalue(1),
    "norm": lambda: SQUARE.norm(2, 1),
    "std": lambda: SQUARE.std(1),
}
QUIET = {
    "equal shapes": lambda: SQUARE + SQUARE,
    "other numbers of elements": lambda: ROW + SQUARE.reshape(2, 2, 1).new_ones(3, 1),
    "a number": lambda: ROW + 1,
    "no dimensions": lambda: torch.ones(1) + torch.tensor(1.0),
    "no operator": lambda: torch.cat([ROW.reshape(4), COLUMN.reshape(4)]),
    "keepdim": lambda: SQUARE.sum(1, keepdim=True),
    "keepdim in its place": lambda: torch.sum(SQUARE, 1, False),
    "everything": lambda: SQUARE.sum(),
    "an error": lambda: pytest.raises(RuntimeError, lambda: torch.ones(6) + torch.ones(3, 2)),
}


@pytest.mark.parametrize("name", BROADCAST)
def test_broadcasting_of_equally_many_elements(name):
    assert said(BROADCAST[name]) == []
    broadcast_warning.enabled = True
    (text,) = said(BROADCAST[name])
    assert "(1, 4)" in text and "broadcast" in text
    broadcast_warning.enabled = False
    assert said(BROADCAST[name]) == []


@pytest.mark.parametrize("name", KEEPDIM)
def test_reductions_without_keepdim(name):
    assert said(KEEPDIM[name]) == []
    keepdim_warning.enabled = True
    (text,) = said(KEEPDIM[name])
    assert "keepdim" in text
    keepdim_warning.enabled = False
    assert said(KEEPDIM[name]) == []


@pytest.mark.parametrize("name", QUIET)
def test_what_has_not_changed(name):
    broadcast_warning.enabled = keepdim_warning.enabled = True
    assert said(QUIET[name]) == []


def test_one_does_not_switch_the_other():
    assert (broadcast_warning.enabled, keepdim_warning.enabled) == (False, False)
    keepdim_warning.enabled = True
    assert (broadcast_warning.enabled, keepdim_warning.enabled) == (False, True)
    assert said(BROADCAST["+"]) == []
    broadcast_warning.enabled = True
    keepdim_warning.enabled = False
    assert said(KEEPDIM["method"]) == [] and len(said(BROADCAST["+"])) == 1
    broadcast_warning.enabled = True
    assert len(said(BROADCAST["+"])) == 1


def test_results_and_errors_stay_what_they_are():
    want = ROW + COLUMN
    broadcast_warning.enabled = True
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning):
            torch.add(ROW, COLUMN)
        warnings.simplefilter("ignore")
        assert torch.equal(torch.add(ROW, COLUMN), want)


def test_switched_inside_another_mode():
    """It goes below the modes that are there, so that they end as they began."""
    heard = []

    class Mode(TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs=None):
            heard.append(func.__name__)
            return func(*args, **(kwargs or {}))

    with Mode():
        broadcast_warning.enabled = True
        with Mode():
            assert torch._C._len_torch_function_stack() == 3
            torch.neg(ROW)
        broadcast_warning.enabled = False
        assert torch._C._len_torch_function_stack() == 1
        torch.neg(ROW)
    assert heard.count("neg") == 3


def test_another_thread_is_not_watched():
    broadcast_warning.enabled = True
    thread = threading.Thread(target=BROADCAST["+"])
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        thread.start()
        thread.join()
    assert seen == []
