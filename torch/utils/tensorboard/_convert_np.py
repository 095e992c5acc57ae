"""Values of any kind as arrays."""

import numpy as np
import torch


def make_np(x):
    """An array: of a tensor its elements, of a number an array of one."""
    if isinstance(x, np.ndarray):
        return x
    if np.isscalar(x):
        return np.array([x])
    if isinstance(x, torch.Tensor):
        return _prepare_pytorch(x)
    raise NotImplementedError(f"Got {type(x)}, but numpy array or torch tensor are expected.")


def _prepare_pytorch(x):
    if x.dtype == torch.bfloat16:  # which NumPy has not
        x = x.to(torch.float16)
    return x.detach().cpu().numpy()
