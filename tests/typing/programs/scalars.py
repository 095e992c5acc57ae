import torch

x = torch.tensor(3.5)
reveal_type(x.item())
reveal_type(float(x))
reveal_type(int(x))
reveal_type(bool(x))
reveal_type(x.tolist())
reveal_type(x.numel())
reveal_type(x.dim())
reveal_type(x.ndim)
reveal_type(x.is_floating_point())
reveal_type(torch.is_tensor(x))
reveal_type(torch.allclose(x, x))
reveal_type(torch.equal(x, x))
total = 0.0
total += x.item()
average: float = x.item() / 3
reveal_type(torch.finfo(torch.float32).eps)
reveal_type(torch.iinfo(torch.int8).max)
name: str = x.item()  # an error
