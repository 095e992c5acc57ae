"""Modules of torch.legacy.nn as objects: buffers that are kept, sums of gradients, types, copies, THNN's functions."""

import pickle
import sys

import pytest
import torch
from torch.legacy import nn


def assert_same(found, expected, tolerance):
    torch.testing.assert_close(found, expected, rtol=tolerance, atol=tolerance)


def test_outputs_are_kept():
    """The output and the gradient are the same objects from call to call, of whatever size."""
    module = nn.Linear(3, 2)
    output, gradInput = module.output, module.gradInput
    for rows in (4, 2, 7):
        x = torch.randn(rows, 3)
        assert module.forward(x) is output and output.size() == (rows, 2)
        assert module.backward(x, torch.ones(rows, 2)) is gradInput and gradInput.size() == (rows, 3)


def test_gradients_accumulate_with_a_scale():
    module, x = nn.Linear(3, 2), torch.randn(4, 3)
    module.forward(x)
    module.zeroGradParameters()
    module.backward(x, torch.ones(4, 2))
    once = module.gradWeight.clone()
    module.accGradParameters(x, torch.ones(4, 2), 2)
    assert_same(module.gradWeight, once * 3, 1e-6)
    module.updateParameters(0)
    before = module.weight.clone()
    module.updateParameters(0.5)
    assert_same(module.weight, before - once * 1.5, 1e-6)
    # after a step the gradient is of the new weights
    assert_same(module.updateGradInput(x, torch.ones(4, 2)), module.weight.sum(0).expand(4, 3), 1e-6)


def test_steps_without_collecting():
    module, x = nn.LookupTable(5, 3), torch.tensor([1, 3])
    module.weight.fill_(2)
    output = module.forward(x)
    module.backwardUpdate(x, output, 0.1)
    assert module.weight[0, 0] == 2 and module.weight[3, 0] == pytest.approx(1.8) and not module.gradWeight.any()
    module = nn.Linear(2, 1)
    module.sharedAccUpdateGradParameters(torch.ones(1, 2), torch.ones(1, 1), 0.5)
    assert module.gradBias.tolist() == [1]


def test_no_gradient_of_the_input_where_none_is_wanted():
    module, x = nn.Linear(3, 2), torch.randn(4, 3)
    module.gradInput = None
    module.forward(x)
    assert module.backward(x, torch.ones(4, 2)) is None and module.gradWeight.any()


def test_inputs_that_were_written():
    module, x = nn.Square(), torch.ones(3)
    module.forward(x)
    x.fill_(5)
    assert module.backward(x, torch.ones(3)).tolist() == [10, 10, 10]


def test_modes():
    """Gradients are there whatever autograd's mode is; inference mode computes outputs alone."""
    module, x = nn.Linear(3, 2), torch.randn(4, 3, requires_grad=True)
    assert not module.forward(x).requires_grad
    with torch.no_grad():
        module.forward(x)
        assert torch.equal(module.backward(x, torch.ones(4, 2)), module.weight.sum(0).expand(4, 3))
    with torch.inference_mode():
        assert torch.equal(module.forward(torch.ones(1, 3)), module.weight.sum(1) + module.bias[None])


def test_types():
    net = nn.Sequential().add(nn.Linear(3, 2)).add(nn.BatchNormalization(2))
    assert net.type() == "torch.FloatTensor" and net.double() is net
    assert net.type() == "torch.DoubleTensor" and net.get(1).running_mean.dtype == torch.float64
    assert net.forward(torch.ones(2, 3).double()).dtype == torch.float64
    assert net.type(torch.float32).get(0).weight.dtype == torch.float32
    flat_parameters, _ = net.flattenParameters()
    net.double()
    assert net.get(0).weight.untyped_storage().data_ptr() == net.get(0).bias.untyped_storage().data_ptr()
    partial = nn.PartialLinear(3, 2).double()
    assert partial.partition.dtype == torch.int64


def test_copies():
    net = nn.Sequential().add(nn.Linear(3, 2)).add(nn.Tanh())
    x = torch.randn(4, 3)
    expected = net.forward(x).clone()
    for copy in (net.clone(), pickle.loads(pickle.dumps(net))):
        assert torch.equal(copy.forward(x), expected)
        copy.get(0).weight.zero_()
        assert net.get(0).weight.any()
    shared = net.clone("weight", "bias")
    shared.get(0).weight.zero_()
    assert not net.get(0).weight.any()
    criterion = nn.MSECriterion()
    criterion.forward(x, x)
    assert criterion.clone().forward(x, x) == 0


def test_clear_state():
    net = nn.Sequential().add(nn.Linear(3, 2)).add(nn.Dropout())
    x = torch.randn(4, 3)
    net.forward(x)
    net.backward(x, torch.ones(4, 2))
    assert net.clearState() is net
    assert not any(m.output.numel() or m.gradInput.numel() for m in net.listModules())
    assert net.get(1).noise.numel() == 0 and x.numel() == 12
    nn.Identity().forward(x)


def test_backend():
    """What a module of one's own calls: THNN's functions for its type."""

    class Twice(nn.Module):
        def updateOutput(self, input):
            self._backend.Square_updateOutput(self._backend.library_state, input, self.output)
            return self.output

        def updateGradInput(self, input, gradOutput):
            self._backend.Square_updateGradInput(self._backend.library_state, input, gradOutput, self.gradInput)
            return self.gradInput

    for module in (Twice(), Twice().double()):
        x = torch.tensor([1.0, 2, 3], dtype=module.output.dtype)
        assert module.forward(x).tolist() == [1, 4, 9]
        assert module.backward(x, torch.ones_like(x)).tolist() == [2, 4, 6]
    assert module.parameters() is None and module.training() is None
    from torch._thnn import type2backend

    assert type2backend["torch.FloatTensor"] is type2backend[torch.FloatTensor] is type2backend[torch.float32]
    with pytest.raises(ValueError, match="invalid type: 'torch.Tensor'"):
        type2backend["torch.Tensor"]
    with pytest.raises(AttributeError, match="FloatNothing"):
        type2backend["torch.FloatTensor"].Nothing  # noqa: B018


def test_not_loaded_with_torch():
    import subprocess

    code = "import sys, torch; print([m for m in sys.modules if 'legacy' in m and m.startswith('torch.')]); torch.legacy.nn"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
