"""Forward mode: none of it is there."""


def __getattr__(name):
    raise AttributeError(f"module 'torch.autograd.forward_ad' has no attribute '{name}': there is no forward mode")
