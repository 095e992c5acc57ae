import torch

x = torch.randn(3, 4)
reveal_type(x.sum())
reveal_type(x.mean(dim=0))
reveal_type(x.max())
reveal_type(x.max(dim=0).values)
reveal_type(x.max(dim=0).indices)
reveal_type(torch.min(x, 1).values)
values, indices = torch.sort(x, dim=1, descending=True)
reveal_type(values)
reveal_type(x.topk(2).indices)
reveal_type(torch.median(x, dim=-1).values)
reveal_type(torch.std_mean(x))
reveal_type(x.any().item())
reveal_type(torch.kthvalue(x, 2).values)
reveal_type(x.cummax(0).indices)
reveal_type(torch.aminmax(x).min)
x.max(dim=0).value  # an error
x.sum(axes=1)  # an error
a, b, c = x.max(dim=0)  # an error
