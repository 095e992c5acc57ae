"""torchvision's operators in C++, of its own sources, compiled against torch's headers.

TORCHVISION_SOURCE names the folder of the sources (0.21); nix/checks/torchvision.nix sets it. What PyTorch gives is
recorded: cases.py.
"""

import json
import os
from pathlib import Path

import pytest
import torch
from torch.utils import cpp_extension
from vision import cases

SOURCE = os.environ.get("TORCHVISION_SOURCE")
pytestmark = pytest.mark.skipif(not SOURCE, reason="TORCHVISION_SOURCE names no folder of torchvision's sources")
EXPECTED = json.loads((Path(__file__).parent / "expected.json").read_text())


@pytest.fixture(scope="module")
def ops(tmp_path_factory):
    csrc = Path(SOURCE) / "torchvision/csrc"
    folders = [csrc, csrc / "ops", csrc / "ops/cpu", csrc / "ops/autograd"]
    files = [str(file) for folder in folders for file in sorted(folder.glob("*.cpp"))]
    path = cpp_extension.load(
        "torchvision_operators",
        files,
        extra_include_paths=[str(csrc)],
        build_directory=str(tmp_path_factory.mktemp("build")),
        is_python_module=False,
    )
    torch.ops.load_library(path)
    return torch.ops.torchvision


@pytest.fixture(scope="module")
def found(ops):
    return cases.results(ops)


@pytest.mark.parametrize("name", EXPECTED)
def test_results_are_those_of_pytorch(found, name):
    shape, values = EXPECTED[name]
    expected = torch.tensor(values, dtype=found[name].dtype).reshape(shape)
    torch.testing.assert_close(found[name], expected, rtol=1e-12, atol=1e-12)


def test_all_results_are_compared(found):
    assert found.keys() == EXPECTED.keys()


def squared(result):
    return (result[0] if isinstance(result, tuple) else result).square().sum()


@pytest.mark.parametrize("name", ["roi_align False", "roi_align True", "roi_pool", "ps_roi_align", "ps_roi_pool"])
def test_recorded_gradients(ops, name):
    """Those that autograd's kernels record are those that the operators for them compute."""
    operator, _, aligned = name.partition(" ")
    x = cases.numbers(2, 8 if operator.startswith("ps") else 2, 5, 6).requires_grad_()
    rois = torch.tensor(cases.ROIS, dtype=torch.float64)
    size = (3, 2) if operator == "roi_align" else (2, 2)
    more = {"roi_align": (2, aligned == "True"), "ps_roi_align": (2,)}.get(operator, ())
    squared(getattr(ops, operator)(x, rois, 0.8, *size, *more)).backward()
    shape, values = EXPECTED[f"{name} x.grad"]
    torch.testing.assert_close(x.grad, torch.tensor(values, dtype=x.dtype).reshape(shape), rtol=1e-12, atol=1e-12)


def test_recorded_gradients_of_a_convolution(ops):
    tensors, settings = cases.convolution()
    tensors = [tensor.requires_grad_() for tensor in tensors]
    squared(ops.deform_conv2d(*tensors, *settings)).backward()
    for name, tensor in zip(("x", "weight", "offset", "mask", "bias"), tensors, strict=True):
        shape, values = EXPECTED[f"deform_conv2d {name}.grad"]
        torch.testing.assert_close(
            tensor.grad, torch.tensor(values, dtype=tensor.dtype).reshape(shape), rtol=1e-12, atol=1e-12
        )


def test_what_is_wrong_is_said(ops):
    with pytest.raises(RuntimeError, match="boxes should have 4 elements in dimension 1, got 3"):
        ops.nms(torch.ones(2, 3), torch.ones(2), 0.5)
    with pytest.raises(RuntimeError, match="Expected a value of type 'Tensor' for argument 'scores'"):
        ops.nms(torch.ones(2, 4), 1, 0.5)
    with pytest.raises(NotImplementedError, match="torchvision._meta_registrations may register more"):
        ops.nms(torch.ones(2, 4, device="meta"), torch.ones(2, device="meta"), 0.5)
