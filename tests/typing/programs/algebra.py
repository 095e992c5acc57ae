import torch

a = torch.eye(3)
reveal_type(torch.linalg.inv(a))
reveal_type(torch.linalg.norm(a))
reveal_type(torch.linalg.svd(a).S)
reveal_type(torch.linalg.eigh(a).eigenvalues)
reveal_type(torch.linalg.qr(a))
reveal_type(torch.fft.fft(a))
reveal_type(torch.fft.rfft(a, n=4))
reveal_type(torch.special.erf(a))
reveal_type(torch.einsum("ij,jk->ik", a, a))
reveal_type(torch.matmul(a, a))
reveal_type(torch.bmm(a[None], a[None]))
reveal_type(torch.cdist(a, a))
reveal_type(torch.nn.init.xavier_uniform_(a))
reveal_type(torch.nn.utils.clip_grad_norm_([a], 1.0))
torch.matmul(a)  # an error
torch.linalg.inverse(a)  # an error
torch.bmm(a, 3)  # an error
