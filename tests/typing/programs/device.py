import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
reveal_type(device)
reveal_type(device.type)
reveal_type(device.index)
x = torch.ones(2, device=device)
reveal_type(x.device)
reveal_type(x.dtype)
reveal_type(x.is_cuda)
reveal_type(x.to(device))
reveal_type(x.to("cpu", torch.float64, non_blocking=True))
reveal_type(x.cpu().numpy())
reveal_type(x.half())
reveal_type(torch.cuda.device_count())
reveal_type(torch.get_default_dtype())
reveal_type(x.element_size())
torch.device(1.5)  # an error
x.to(dtype="float")  # an error
x.devices  # an error
