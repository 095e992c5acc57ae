"""LSTMs and others of packed sequences under autocast: as PyTorch 2.13 gives them on the CPU."""

import pytest
import torch
from torch.nn.utils.rnn import pack_padded_sequence


@pytest.mark.parametrize(
    ("kind", "given", "packed", "found"),
    [
        ("LSTM", torch.float32, False, torch.bfloat16),
        ("LSTM", torch.float32, True, torch.float32),
        ("LSTM", torch.bfloat16, True, torch.bfloat16),
        ("GRU", torch.float32, True, torch.float32),
        ("RNN", torch.float32, True, torch.bfloat16),
    ],
)
def test_dtype(kind, given, packed, found):
    model = getattr(torch.nn, kind)(4, 5, batch_first=True)
    x = torch.ones(2, 3, 4, dtype=given)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        output, final = model(pack_padded_sequence(x, [3, 2], batch_first=True) if packed else x)
    assert {t.dtype for t in (*(final if kind == "LSTM" else (final,)), output.data)} == {found}


def test_a_float_lstm_is_computed_as_without():
    model = torch.nn.LSTM(4, 5, batch_first=True)
    x = pack_padded_sequence(torch.randn(2, 3, 4), [3, 2], batch_first=True)
    expected = model(x)[0].data
    with torch.autocast("cpu", dtype=torch.bfloat16):
        found = model(x)[0].data
        assert torch.is_autocast_enabled("cpu")
    assert torch.equal(found, expected)
