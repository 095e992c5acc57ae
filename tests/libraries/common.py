"""What the examples share: weights and data that do not depend on a random stream, and results as numbers of JSON."""

import torch


def wave(*shape, shift=0.0, scale=1.0):
    """Numbers between -scale and scale."""
    count = torch.Size(shape).numel()
    return (torch.sin(torch.arange(count, dtype=torch.float64) * 0.7310585 + shift) * scale).reshape(shape).float()


def fixed(module, scale=1.0):
    """The module with weights that are the same in every torch, about as large as initial ones."""
    with torch.no_grad():
        for number, (name, parameter) in enumerate(module.named_parameters()):
            if parameter.dim() > 1:
                size = scale * (2 / parameter[0].numel()) ** 0.5
                parameter.copy_(wave(*parameter.shape, shift=number, scale=size))
            else:
                parameter.copy_(wave(*parameter.shape, shift=number, scale=0.1) + name.endswith("weight"))
    return module


def numbers(value):
    """A tensor by its shape, its sum and some elements; lists and numbers by their elements."""
    if isinstance(value, torch.Tensor):
        flat = value.detach().double().flatten()
        step = max(1, flat.numel() // 5)
        return {"shape": list(value.shape), "sum": float(flat.sum()), "some": flat[::step][:6].tolist()}
    if isinstance(value, dict):
        return {str(key): numbers(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [numbers(each) for each in value]
    return value


def gradients(module):
    """The sum of the gradients' absolute values."""
    return sum(float(p.grad.abs().sum()) for p in module.parameters() if p.grad is not None)
