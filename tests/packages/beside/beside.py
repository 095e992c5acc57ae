"""A package that requires torch."""

import torch

value = torch.ones(3).sum().item()
