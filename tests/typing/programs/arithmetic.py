import torch
from torch import Tensor

x = torch.ones(3)
reveal_type(x + 1)
reveal_type(2 * x)
reveal_type(x @ x)
reveal_type(-x)
reveal_type(x**2)
reveal_type(2**x)
reveal_type(1 / x)
reveal_type(x // 2)
reveal_type(x % 2)
reveal_type(x > 0)
reveal_type(x == x)
reveal_type((x > 0) & (x < 1))
reveal_type(~(x > 0))
reveal_type(torch.where(x > 0, x, 0.0))
reveal_type(x.add_(1).mul_(2))
x += 1
y: Tensor = x.clamp(min=0)
z: int = x.sum()  # an error
x.add("1")  # an error
