import torch

x = torch.eye(3)
reveal_type(x.max(dim=0))
reveal_type(torch.sort(x))
reveal_type(torch.topk(x, 1))
reveal_type(torch.mode(x))
reveal_type(x.kthvalue(1))
reveal_type(torch.cummin(x, 0))
reveal_type(x.slogdet())
reveal_type(torch.geqrf(x))
reveal_type(x.sort(stable=True, dim=0)[1])
reveal_type(torch.frexp(x).mantissa)
reveal_type(torch.frexp(x).exponent)
reveal_type(x.slogdet().logabsdet)
reveal_type(torch.unique(x))
reveal_type(torch.split(x, 1))
reveal_type(x.chunk(2))
reveal_type(torch.meshgrid(x[0], x[1], indexing="ij"))
torch.topk(x)  # an error
torch.sort(x).keys  # an error
