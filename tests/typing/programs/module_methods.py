import torch
from torch import nn

net = nn.Sequential(nn.Linear(3, 4), nn.ReLU())
for name, parameter in net.named_parameters():
    reveal_type(name)
    reveal_type(parameter)
for child in net.children():
    reveal_type(child)
reveal_type(list(net.parameters()))
reveal_type(net.to("cpu"))
reveal_type(net.eval())
reveal_type(net.training)
reveal_type(net.state_dict())
reveal_type(net.double().requires_grad_(False))
reveal_type(net.load_state_dict(net.state_dict()).missing_keys)
reveal_type(dict(net.named_modules()))
net.apply(lambda m: None)
net.zero_grad(set_to_none=True)
net.load_state_dict("a")  # an error
net.parameters(3, 4)  # an error
