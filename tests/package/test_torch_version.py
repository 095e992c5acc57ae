"""torch.__version__, and how versions compare; the answers are PyTorch's."""

import copy
import pickle

import pytest
import torch
from torch.torch_version import TorchVersion

OURS = TorchVersion("2.13.0+th1")


def test_this_torch():
    assert isinstance(torch.__version__, TorchVersion) and isinstance(torch.__version__, str)
    assert torch.torch_version.__version__ is torch.__version__ and type(torch.version.__version__) is str
    assert torch.version.__version__ == torch.__version__
    assert "2.0" <= torch.__version__ and torch.__version__ >= (2, 13) and not torch.__version__ < "2.9"
    assert torch.__version__.split("+")[0] == "2.13.0" and torch.version.th == "1"
    assert torch.__version__.partition("+")[2].split(".")[0] == "th" + torch.version.th
    assert torch.version.hip is None and isinstance(torch.version.debug, bool) and torch.version.git_version


@pytest.mark.parametrize(
    "other,order",
    [
        ("2.13", 1),
        ("2.13.0", 1),
        ("2.13.0+th1", 0),
        ("2.13.0+TH1", 0),
        ("2.13.0+th1.5e6e2cb", -1),
        ("2.13.0+th2", -1),
        ("2.14", -1),
        ("2.13.1.dev1", -1),
        ("2.9", 1),
        ("1.4.0a", 1),
        ("1!1.0", -1),
        ("v2.13.0-1", -1),
        ((2,), 1),
        ((2, 13, 0), 1),
        ((2, 13, 1), -1),
        ((2, 13, "0+th1"), 0),
        ([2, 14], -1),
        ("parrot", -1),
        ("", 1),
    ],
)
def test_comparisons(other, order):
    assert (OURS < other, OURS <= other, OURS == other, OURS >= other, OURS > other, OURS != other) == (
        order < 0,
        order <= 0,
        order == 0,
        order >= 0,
        order > 0,
        order != 0,
    )


def test_order_of_pep_440():
    ordered = (
        "1.dev1 1.0a1.dev2 1a1 1.0alpha2 1-beta.1 1.0rc1 1c2 1.0 1+a 1+a.b 1+1 1+1.2 1.post1.dev3 1-1 1.r2 1.0.1 1.10"
    )
    versions = [TorchVersion(text) for text in ordered.split()]
    for i, one in enumerate(versions):
        for j, two in enumerate(versions):
            assert (one < two, one == two, one > two) == (i < j, i == j, i > j), (one, two)
    packaging = pytest.importorskip("packaging.version")
    assert all(packaging.Version(one) < packaging.Version(two) for one, two in zip(versions, versions[1:]))
    assert OURS > packaging.Version("2.12") and OURS == packaging.Version("2.13.0+th1")


@pytest.mark.parametrize("other", [2, 2.13, None, ("a",), object()])
def test_what_is_no_version(other):
    assert OURS != other and not OURS == other
    with pytest.raises(TypeError, match="not supported between instances of 'TorchVersion' and"):
        OURS < other  # noqa: B015


def test_it_is_text():
    assert hash(OURS) == hash("2.13.0+th1") and {OURS: 1}["2.13.0+th1"] == 1 and f"{OURS}" == "2.13.0+th1"
    assert repr(OURS) == "'2.13.0+th1'" and type(copy.deepcopy(OURS)) is TorchVersion
    assert type(pickle.loads(pickle.dumps(OURS))) is TorchVersion
