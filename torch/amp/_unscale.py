"""The two updates of a GradScaler's tensors, under PyTorch's names."""

import torch


@torch.no_grad()
def _amp_foreach_non_finite_check_and_unscale_(self, found_inf, inv_scale):
    """Multiply each tensor of a list by `inv_scale`, in place; `found_inf` (1 element) becomes 1 if an element was not
    finite before."""
    for tensor in self:
        if not torch.isfinite(tensor).all():
            found_inf.fill_(1.0)
        tensor.mul_(inv_scale.to(tensor.dtype) if tensor.dtype == torch.float64 else inv_scale)


@torch.no_grad()
def _amp_update_scale_(self, growth_tracker, found_inf, scale_growth_factor, scale_backoff_factor, growth_interval):
    """Shrink the scale `self` (1 element) where `found_inf` is not 0; else count a step in `growth_tracker`, and at
    `growth_interval` of them grow it, unless it would be infinite. Returns `self`."""
    if found_inf.item():
        self.mul_(scale_backoff_factor)
        growth_tracker.fill_(0)
        return self
    steps = growth_tracker.item() + 1
    if steps == growth_interval:
        grown = self * scale_growth_factor
        if torch.isfinite(grown).all():
            self.copy_(grown)
        steps = 0
    growth_tracker.fill_(steps)
    return self
