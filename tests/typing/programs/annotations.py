import torch
from torch import FloatTensor, LongTensor, Tensor
from torch.types import Device, Number


def move(x: Tensor, to: Device, dtype: torch.dtype | None = None) -> Tensor:
    return x.to(to) if dtype is None else x.to(to, dtype)


def total(x: Tensor) -> Number:
    return x.sum().item()


reveal_type(move(torch.ones(2), None))
reveal_type(total(torch.ones(2)))
reveal_type(torch.float32)
reveal_type(torch.Size([1, 2]))
reveal_type(torch.strided)
reveal_type(torch.nn.Parameter(torch.ones(2)))
move(torch.ones(2), "cpu", "float32")  # an error
move([1.0], "cpu")  # an error
total(1.0)  # an error
