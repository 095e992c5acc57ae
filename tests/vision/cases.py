"""Calls of torchvision's operators, the same in PyTorch and here, and what they gave there.

`python tests/vision/cases.py LIBRARY > tests/vision/expected.json` in an environment with PyTorch, LIBRARY being
torchvision's _C.so, wrote what is recorded.
"""

import json
import sys

import torch

ROIS = [[0, 0.5, 1, 4, 5], [1, 0, 1, 3.5, 4], [0, -1, 2, 2, 9.0]]


def numbers(*shape, step=7919, dtype=torch.float64):
    """Numbers from 0 to 1 that look like chance, by arithmetic that is the same everywhere."""
    count = torch.Size(shape).numel()
    return (torch.arange(count) * step % 1009).to(dtype).div(1009).reshape(shape)


def boxes(dtype):
    found = numbers(24, 4) * 20
    found[:, 2:] += found[:, :2]
    return found.to(dtype), numbers(24, step=6007).to(dtype)


def results(ops):
    """{name: tensor}. Gradients are those of the sum of squares, by the operators that compute them."""
    x, deep, rois = numbers(2, 2, 5, 6), numbers(2, 8, 5, 6), torch.tensor(ROIS, dtype=torch.float64)
    found = {}
    for dtype in (torch.float64, torch.float32):
        for limit in (0.1, 0.5):
            found[f"nms {dtype} {limit}"] = ops.nms(*boxes(dtype), limit)
    for aligned in (False, True):
        y = found[f"roi_align {aligned}"] = ops.roi_align(x, rois, 0.8, 3, 2, 2, aligned)
        found[f"roi_align {aligned} x.grad"] = ops._roi_align_backward(2 * y, rois, 0.8, 3, 2, *x.shape, 2, aligned)
    y, places = ops.roi_pool(x, rois, 0.8, 2, 2)
    found["roi_pool"], found["roi_pool places"] = y, places
    found["roi_pool x.grad"] = ops._roi_pool_backward(2 * y, rois, places, 0.8, 2, 2, *x.shape)
    y, channels = ops.ps_roi_align(deep, rois, 0.8, 2, 2, 2)
    found["ps_roi_align"] = y
    found["ps_roi_align x.grad"] = ops._ps_roi_align_backward(2 * y, rois, channels, 0.8, 2, 2, 2, *deep.shape)
    y, channels = ops.ps_roi_pool(deep, rois, 0.8, 2, 2)
    found["ps_roi_pool"] = y
    found["ps_roi_pool x.grad"] = ops._ps_roi_pool_backward(2 * y, rois, channels, 0.8, 2, 2, *deep.shape)
    tensors, settings = convolution()
    y = found["deform_conv2d"] = ops.deform_conv2d(*tensors, *settings)
    grads = ops._deform_conv2d_backward(2 * y, *tensors, *settings)
    for name, grad in zip(("x", "weight", "offset", "mask", "bias"), grads, strict=True):
        found[f"deform_conv2d {name}.grad"] = grad
    return found


def convolution():
    """Tensors and numbers that deform_conv2d is called with."""
    x, weight = numbers(1, 4, 4, 5), numbers(2, 2, 3, 3, step=31)
    offset, mask = numbers(1, 36, 4, 5, step=53) * 2 - 1, numbers(1, 18, 4, 5, step=71)
    return (x, weight, offset, mask, numbers(2)), (1, 1, 1, 1, 1, 1, 2, 2, True)


if __name__ == "__main__":
    torch.ops.load_library(sys.argv[1])
    found = results(torch.ops.torchvision)
    rows = [f"{json.dumps(name)}: {json.dumps([list(t.shape), t.flatten().tolist()])}" for name, t in found.items()]
    print("{\n" + ",\n".join(rows) + "\n}")
