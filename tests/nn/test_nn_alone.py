"""What torch.nn does here and not in PyTorch: a state dict with errors loads nothing, and what is still to come says so."""

from collections import OrderedDict

import pytest
import torch
import torch.nn as nn


def test_nothing_is_loaded_on_an_error():
    net = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 3))
    before = {name: value.clone() for name, value in net.state_dict().items()}
    for change in (
        lambda state: state.pop("1.weight"),
        lambda state: state.update(extra=torch.ones(1)),
        lambda state: state.update({"1.bias": torch.ones(7)}),
        lambda state: state.update({"1.bias": "text"}),
    ):
        state = OrderedDict((name, torch.zeros_like(value)) for name, value in before.items())
        change(state)
        with pytest.raises(RuntimeError, match="Error\\(s\\) in loading state_dict for Sequential"):
            net.load_state_dict(state)
        assert all(torch.equal(value, before[name]) for name, value in net.state_dict().items())


def test_names_that_are_still_to_come():
    with pytest.raises(NotImplementedError, match="quantized.*Linear: this torch does not quantize"):
        nn.quantized.Linear(1, 1)
    with pytest.raises(AttributeError, match="has no attribute 'Foo'"):
        nn.Foo  # noqa: B018
