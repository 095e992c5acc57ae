import torch

x = torch.zeros(2, 3, 4)
reveal_type(x.shape)
reveal_type(x.size())
reveal_type(x.size(0))
reveal_type(x.shape[0])
reveal_type(x.shape[1:])
n, c, _ = x.shape
reveal_type(n)
reveal_type(x.view(2, -1))
reveal_type(x.view(-1, *x.shape[1:]))
reveal_type(x.reshape(6, 4).t())
reveal_type(x.permute(2, 0, 1).contiguous())
reveal_type(x.stride())
reveal_type(x.stride(1))
reveal_type(torch.cat([x, x], dim=0))
reveal_type(torch.stack((x, x)))
reveal_type(x.T)
torch.cat(x, x)  # an error
x.view("a")  # an error
x.transpose(0)  # an error
