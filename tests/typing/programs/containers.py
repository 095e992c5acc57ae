import torch
from torch import nn

layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(2)])
for layer in layers:
    reveal_type(layer)
reveal_type(layers[0])
reveal_type(len(layers))
layers.append(nn.ReLU())
named = nn.ModuleDict({"a": nn.Linear(3, 3)})
reveal_type(named["a"])
for key, value in named.items():
    reveal_type(key)
    reveal_type(value)
seq = nn.Sequential(nn.Linear(3, 3), nn.Tanh())
reveal_type(seq[0])
reveal_type(seq[:1])
reveal_type(nn.ParameterList([nn.Parameter(torch.ones(2))])[0])
nn.Sequential(3)  # an error
layers.append(torch.ones(2))  # an error
nn.ModuleList(3)  # an error
