import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = nn.Linear(10, width)
        self.register_buffer("scale", torch.ones(1))
        self.bias = nn.Parameter(torch.zeros(width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.first(x).relu() + self.bias


net = Net(5)
reveal_type(net(torch.ones(2, 10)))
reveal_type(net.first.weight)
reveal_type(net.bias)
reveal_type(net.train())
Net("5")  # an error
