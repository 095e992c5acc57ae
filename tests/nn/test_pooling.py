"""Pooling beyond its golden cases: samples that are drawn, the meta device."""

import torch


def test_samples_are_drawn_as_torch_rand_draws_them():
    x = torch.arange(72.0).view(2, 1, 6, 6)
    torch.manual_seed(0)
    drawn = torch.nn.functional.fractional_max_pool2d(x, 2, 3)
    torch.manual_seed(0)
    samples = torch.rand(2, 1, 2)
    again = torch.nn.functional.fractional_max_pool2d(x, 2, 3, _random_samples=samples)
    assert torch.equal(drawn, again)


def test_without_elements_on_meta():
    x = torch.empty(2, 3, 6, 7, device="meta")
    values, indices = torch.nn.functional.max_pool2d(x, 2, return_indices=True)
    assert (values.shape, indices.dtype, values.device.type) == ((2, 3, 3, 3), torch.int64, "meta")
    assert torch.nn.functional.adaptive_avg_pool2d(x, (4, 2)).shape == (2, 3, 4, 2)
