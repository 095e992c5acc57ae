import torch

a = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
b = torch.zeros(2, 3, dtype=torch.float64)
c = torch.randn((4, 5), device="cpu", generator=torch.Generator())
reveal_type(a)
reveal_type(b)
reveal_type(torch.arange(10))
reveal_type(torch.as_tensor([1, 2]))
reveal_type(torch.full((2, 2), 7))
reveal_type(torch.linspace(0, 1, steps=5))
reveal_type(torch.eye(3))
reveal_type(torch.empty_like(a))
reveal_type(torch.rand(3, 4).to(torch.float16))
reveal_type(a.new_zeros(3))
torch.zeros("3")  # an error
torch.arange(10, dtype="float32")  # an error
torch.randn(2, sized=3)  # an error
torch.full((2, 2))  # an error
reveal_type(torch.manual_seed(0))
