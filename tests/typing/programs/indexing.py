import torch

x = torch.randn(4, 5)
reveal_type(x[0])
reveal_type(x[1:, None])
reveal_type(x[..., -1])
reveal_type(x[x > 0])
reveal_type(x[[0, 2]])
reveal_type(x[torch.tensor([1, 2]), :])
x[0] = 1.0
x[:, 1] = x[:, 2]
x[x < 0] = 0
for row in x:
    reveal_type(row)
reveal_type(len(x))
first, second = x.unbind(1)[:2]
reveal_type(first)
reveal_type([v for v in x])
x["a"]  # an error
x[1.5]  # an error
reveal_type(x.gather(1, torch.zeros(4, 1, dtype=torch.int64)))
