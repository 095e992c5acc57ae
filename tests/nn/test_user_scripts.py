"""What scripts written for PyTorch meet beside the functions themselves: which module is an instance of which, what a star
import brings, names that they import, losses' dtypes, padding in encoders."""

import warnings

import pytest
import torch
from torch import nn
from torch.nn import functional as F


@pytest.mark.parametrize(
    ("module", "of", "expected"),
    [
        (nn.LogSoftmax(1), nn.Softmax, False),
        (nn.Softmin(1), nn.Softmax, False),
        (nn.CELU(), nn.ELU, False),
        (nn.Softshrink(), nn.Hardshrink, False),
        (nn.ZeroPad1d(1), nn.ConstantPad1d, True),
        (nn.ZeroPad2d(1), nn.ConstantPad2d, True),
        (nn.ZeroPad3d(1), nn.ConstantPad3d, True),
        (nn.ZeroPad2d(1), nn.modules.padding._ConstantPadNd, True),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_instances(module, of, expected):
    assert isinstance(module, of) is expected


def test_zero_padding_pads():
    x = torch.ones(1, 1, 2, 2, 2)
    assert nn.ZeroPad3d(1)(x).shape == (1, 1, 4, 4, 4) and nn.ZeroPad3d((1, 0, 0, 0, 0, 0))(x).sum() == 8


def test_star_import():
    names = {"init": 3}
    exec("from torch.nn.utils import *", names)
    assert names["init"] == 3 and "clip_grad_norm_" in names and "parametrize" in names


@pytest.mark.parametrize(
    "statement",
    [
        "from torch.nn.common_types import _size_2_t, _ratio_any_t, _maybe_indices_t",
        "from torch.nn.modules.transformer import _get_clones, _get_activation_fn",
        "from torch._VF import lstm",
        "import torch; torch._VF.rnn_tanh",
        "import torch; torch.nn.functional.grad.conv2d_input",
    ],
)
def test_names(statement):
    exec(statement, {})


def test_assertions():
    torch._assert(torch.ones(()), "is true")
    with pytest.raises(AssertionError, match="^was false$"):
        torch._assert(torch.zeros(()) > 1, "was false")


def test_dtypes_of_targets():
    p = torch.rand(3)
    for target in (torch.ones(3, dtype=torch.long), torch.ones(3).double()):
        with pytest.raises(RuntimeError, match="^Found dtype (Long|Double) but expected Float$"):
            F.binary_cross_entropy(p, target)
    with pytest.raises(RuntimeError, match="result type Float can't be cast to the desired output type Long"):
        F.binary_cross_entropy_with_logits(p, torch.ones(3, dtype=torch.long))
    assert F.binary_cross_entropy_with_logits(p, torch.ones(3).double()).dtype == torch.float64


@pytest.mark.parametrize("search", [None, "strong_wolfe"])
def test_lbfgs_warns_of_nothing(search):
    x = nn.Parameter(torch.ones(2))
    optimizer = torch.optim.LBFGS([x], line_search_fn=search)

    def closure():
        optimizer.zero_grad()
        loss = (x * x).sum()
        loss.backward()
        return loss

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        optimizer.step(closure)


def test_einsum_in_autocast():
    scores, values = torch.rand(2, 4, 4), torch.rand(2, 4, 3).bfloat16()
    with torch.autocast("cpu"):
        assert torch.einsum("bij,bjd->bid", scores, values).dtype == torch.bfloat16
    with pytest.raises(RuntimeError, match="expected scalar type Float but found BFloat16"):
        torch.einsum("bij,bjd->bid", scores, values)


@pytest.mark.parametrize("cell", [nn.RNNCell, nn.GRUCell, nn.LSTMCell])
def test_cells_in_autocast(cell):
    with torch.autocast("cpu"):
        state = cell(4, 3)(nn.Linear(3, 4)(torch.rand(2, 3)))
        first = state[0] if cell is nn.LSTMCell else state
        first.sum().backward()
        assert first.dtype == torch.bfloat16 and first.requires_grad


def test_a_cell_goes_on_in_autocast():
    cell, layer, h = nn.GRUCell(4, 3), nn.Linear(3, 4), torch.zeros(2, 3)
    expected = cell(layer(torch.ones(2, 3)), h)
    with torch.autocast("cpu"):
        found = cell(layer(torch.ones(2, 3)), h)
    assert found.dtype == torch.float32 and torch.allclose(found, expected, atol=0.02)


def encoder(**options):
    torch.manual_seed(0)
    layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
    return nn.TransformerEncoder(layer, 2, **options).eval()


def zero_places(model, padding, **options):
    y = model(torch.rand(2, 4, 8), src_key_padding_mask=torch.tensor(padding, dtype=torch.bool), **options)
    return (y == 0).all(-1).tolist()


NONE = [[False] * 4] * 2
END = [[0, 0, 0, 0], [0, 0, 1, 1]]


@pytest.mark.parametrize(
    ("padding", "left_out"),
    [
        (END, True),
        ([[0, 0, 0, 1], [0, 0, 1, 1]], True),
        ([[1, 1, 1, 1], [0, 0, 1, 1]], True),
        ([[0, 0, 0, 0], [1, 1, 0, 0]], False),
        ([[0, 1, 0, 0], [0, 0, 0, 0]], False),
    ],
)
def test_padding_in_encoders(padding, left_out):
    with torch.no_grad():
        found = zero_places(encoder(), padding)
    assert found == ([[bool(place) for place in row] for row in padding] if left_out else NONE)


def test_padding_that_is_computed():
    with torch.no_grad():
        assert zero_places(encoder(enable_nested_tensor=False), END) == NONE
        assert zero_places(encoder().train(), END) == NONE
        assert zero_places(encoder(), END, mask=torch.zeros(4, 4)) == NONE
        assert zero_places(encoder(mask_check=False), [[0, 1, 0, 0], [0] * 4])[0][1]
    assert zero_places(encoder(), END) == NONE  # is recorded
    assert zero_places(encoder().requires_grad_(False), END) != NONE
    normalised = encoder(norm=nn.LayerNorm(8))
    nn.init.constant_(normalised.norm.bias, 3)
    with torch.no_grad():
        y = normalised(torch.rand(2, 4, 8), src_key_padding_mask=torch.tensor(END, dtype=torch.bool))
    assert torch.equal(y[1, 2:], torch.full((2, 8), 3.0))


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"batch_first": False}, "batch_first was not True"),
        ({"norm_first": True}, "norm_first was True"),
        ({"bias": False}, "bias=False"),
        ({"activation": torch.tanh}, "activation_relu_or_gelu was not True"),
        ({"nhead": 1}, "num_head is odd"),
    ],
)
def test_encoders_that_leave_nothing_out(options, reason):
    layer = nn.TransformerEncoderLayer(**{"d_model": 8, "nhead": 2, "batch_first": True, **options})
    with pytest.warns(UserWarning, match=f"enable_nested_tensor is True, .* because .*{reason}"):
        assert not nn.TransformerEncoder(layer, 1).use_nested_tensor


@pytest.mark.parametrize(("given", "place"), [(("x", torch.ones(2, 2)), 1), ((torch.ones(2, 2), 3), 2)])
def test_linear_of_what_is_no_tensor(given, place):
    with pytest.raises(
        TypeError, match=rf"^linear\(\): argument '\w+' \(position {place}\) must be Tensor, not (str|int)$"
    ):
        F.linear(*given)
