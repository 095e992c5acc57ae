"""Grids, and what lies on them."""

import torch
from torch.autograd._functions._made import classes
from torch.nn import functional as F


def affine_grid_generator(theta, size):
    return torch.affine_grid_generator(theta, size, True)


def grid_sampler(input, grid, padding_mode="zeros"):
    return F.grid_sample(input, grid, "bilinear", padding_mode, True)


globals().update(classes(__name__, {"AffineGridGenerator": affine_grid_generator, "GridSampler": grid_sampler}))
