import torch

x = torch.ones(2, requires_grad=True)
y = (x * x).sum()
reveal_type(y.backward())
reveal_type(x.grad)
reveal_type(y.grad_fn)
reveal_type(x.is_leaf)
reveal_type(torch.autograd.grad(y, [x]))
reveal_type(x.detach())
reveal_type(x.requires_grad_())
with torch.no_grad():
    x.copy_(torch.zeros(2))
with torch.enable_grad(), torch.inference_mode():
    pass


@torch.no_grad()
def evaluate(scale: float) -> torch.Tensor:
    return x * scale


reveal_type(evaluate(2.0))
reveal_type(torch.is_grad_enabled())
evaluate("2")  # an error
x.grad.zero_()  # an error: it may be None
y.backward(retain=True)  # an error
