"""torch.utils.flop_counter. Counts are those of PyTorch 2.13, but for attention, which it does not count on the CPU."""

import pytest
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.flop_counter import FlopCounterMode, register_flop_formula, sdpa_backward_flop_count, sdpa_flop_count

ones = torch.ones


def counted(function, **options):
    mode = FlopCounterMode(display=False, **options)
    with mode:
        function()
    return {name: {str(op): n for op, n in counts.items()} for name, counts in mode.get_flop_counts().items()}, mode


def backward(module, *shape, requires_grad=True):
    return lambda: module(ones(*shape, requires_grad=requires_grad)).sum().backward()


@pytest.mark.parametrize(
    "function, counts",
    [
        (lambda: ones(2, 3) @ ones(3, 4), {"aten.mm": 48}),
        (lambda: ones(5, 2, 3) @ ones(5, 3, 4), {"aten.bmm": 240}),
        (lambda: torch.einsum("bij,bjk->bik", ones(5, 2, 3), ones(5, 3, 4)), {"aten.bmm": 240}),
        (lambda: torch.addmm(ones(2, 4), ones(2, 3), ones(3, 4)), {"aten.addmm": 48}),
        (lambda: torch.baddbmm(ones(5, 2, 4), ones(5, 2, 3), ones(5, 3, 4)), {"aten.baddbmm": 240}),
        (lambda: F.linear(ones(2, 5, 3), ones(4, 3), ones(4)), {"aten.addmm": 240}),
        (lambda: ones(2, 3) @ ones(3), {}),
        (lambda: F.conv2d(ones(2, 3, 8, 8), ones(6, 3, 3, 3), padding=1), {"aten.convolution": 41472}),
        (lambda: F.conv_transpose2d(ones(2, 3, 8, 8), ones(3, 6, 3, 3)), {"aten.convolution": 41472}),
        (lambda: F.conv1d(ones(2, 4, 8), ones(6, 2, 3), groups=2), {"aten.convolution": 864}),
        (backward(nn.Conv2d(4, 8, 3), 2, 4, 8, 8), {"aten.convolution": 41472, "aten.convolution_backward": 82944}),
        (
            backward(nn.Conv2d(4, 8, 3), 2, 4, 8, 8, requires_grad=False),
            {"aten.convolution": 41472, "aten.convolution_backward": 41472},
        ),
        (
            backward(nn.Conv2d(4, 8, 3, groups=2), 2, 4, 8, 8),
            {"aten.convolution": 20736, "aten.convolution_backward": 62208},
        ),
        (
            backward(nn.ConvTranspose2d(4, 8, 3), 2, 4, 8, 8),
            {"aten.convolution": 73728, "aten.convolution_backward": 147456},
        ),
    ],
)
def test_counts(function, counts):
    found, mode = counted(function)
    assert found.get("Global", {}) == counts
    assert mode.get_total_flops() == sum(counts.values())


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Sequential(nn.Linear(4, 8), nn.ReLU())
        self.b = nn.Linear(8, 2)

    def forward(self, x):
        return self.b(self.a(x))


def test_modules():
    found, mode = counted(backward(Net(), 3, 4))
    assert found == {
        "Global": {"aten.addmm": 288, "aten.mm": 576},
        "Net": {"aten.addmm": 288, "aten.mm": 576},
        "Net.a": {"aten.addmm": 192, "aten.mm": 384},
        "Net.a.0": {"aten.addmm": 192, "aten.mm": 384},
        "Net.b": {"aten.addmm": 96, "aten.mm": 192},
    }
    lines = [line.split() for line in mode.get_table().splitlines()]
    assert lines[0] == ["Module", "FLOP", "%", "Total"]
    assert lines[2] == ["Net", "864", "100.00%"] and ["-", "aten.mm", "576", "66.67%"] in lines
    assert ["Net.b", "288", "33.33%"] in lines and not any("Net.a.0" in line for line in lines)
    assert "Net.a.0" in mode.get_table(depth=3)


def test_attention_and_its_gradient():
    q, k, v = (ones(2, 4, 8, 16, requires_grad=True) for _ in range(3))
    found, _ = counted(lambda: F.scaled_dot_product_attention(q, k, v).sum().backward())
    assert sum(found["Global"].values()) == sdpa_flop_count(*[(2, 4, 8, 16)] * 3) + sdpa_backward_flop_count(
        *[(2, 4, 8, 16)] * 4
    )
    assert sdpa_flop_count(*[(2, 4, 8, 16)] * 3) == 32768
    assert sdpa_backward_flop_count(*[(2, 4, 8, 16)] * 4) == 81920


def test_formulas_of_ones_own(capsys):
    add = torch.ops.aten.add
    with FlopCounterMode(custom_mapping={add: lambda a, b, *_, out_shape=None: out_shape.numel()}) as mode:
        ones(2, 3) + ones(3)
    assert mode.get_flop_counts() == {"Global": {add: 6}}
    assert "Global" in capsys.readouterr().out

    from torch.utils.flop_counter import flop_registry

    register_flop_formula(torch.ops.aten.exp, get_raw=True)(lambda x, out_val: x.numel() * 10)
    try:
        assert counted(lambda: ones(3).exp())[0] == {"Global": {"aten.exp": 30}}
        with pytest.raises(RuntimeError, match="duplicate registrations for aten.exp"):
            register_flop_formula(torch.ops.aten.exp)(lambda x, out_shape: 0)
    finally:
        del flop_registry[torch.ops.aten.exp]
