import torch
from torch import nn, optim

net = nn.Linear(3, 1)
sgd = optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
adam = optim.Adam([{"params": net.weight, "lr": 0.1}, {"params": [net.bias]}], betas=(0.9, 0.99))
adamw: optim.Optimizer = torch.optim.AdamW(net.parameters(), weight_decay=0.1)
sgd.zero_grad()
reveal_type(sgd.step())
reveal_type(sgd.param_groups[0]["lr"])
reveal_type(sgd.state_dict())
reveal_type(adam)
scheduler = optim.lr_scheduler.StepLR(sgd, step_size=10, gamma=0.5)
scheduler.step()
reveal_type(scheduler.get_last_lr())
optim.lr_scheduler.CosineAnnealingLR(adam, T_max=10)
optim.SGD(net, lr=0.1)  # an error
optim.Adam(net.parameters(), learning_rate=0.1)  # an error
optim.SGD(net.parameters(), lr="0.1")  # an error
optim.lr_scheduler.StepLR(sgd)  # an error
optim.lr_scheduler.StepLR(net, 10)  # an error
