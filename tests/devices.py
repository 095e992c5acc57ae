"""Devices, and what a tensor on any of them has, for the tests of devices."""

import torch

META, CPU = torch.device("meta"), torch.device("cpu")


def geometry(tensor):
    return tuple(tensor.shape), tensor.stride(), tensor.dtype, tensor.device
