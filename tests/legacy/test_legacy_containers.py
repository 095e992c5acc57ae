"""Containers of torch.legacy.nn: what they compute, whom they ask, how they look; a net that learns."""

import pytest
import torch
from torch.legacy import nn, optim


def build():
    return (
        nn.Sequential()
        .add(nn.Concat(1).add(nn.Linear(2, 5)).add(nn.Linear(2, 5)))
        .add(nn.ReLU())
        .add(nn.Linear(10, 20))
    )


def test_texts():
    assert (
        repr(build())
        == """nn.Sequential {
  [input -> (0) -> (1) -> (2) -> output]
  (0): nn.Concat {
    input
      |`-> (0): nn.Linear(2 -> 5)
      |`-> (1): nn.Linear(2 -> 5)
       +. -> output
  }
  (1): nn.ReLU
  (2): nn.Linear(10 -> 20)
}"""
    )
    assert repr(nn.SpatialConvolution(3, 4, 3, 2, 2, 1, 1)) == "nn.SpatialConvolution(3 -> 4, 3x2, 2, 1, 1, 1)"
    assert repr(nn.SpatialConvolution(3, 4, 3, 2).noBias()) == "nn.SpatialConvolution(3 -> 4, 3x2) without bias"
    text = "nn.VolumetricFullConvolution(2 -> 3, 2x3x2, 2, 2, 2, 0, 0, 0, 1, 0, 0)"
    assert repr(nn.VolumetricFullConvolution(2, 3, 2, 3, 2, 2, 2, 2, adjT=1)) == text
    assert repr(nn.SpatialMaxPooling(2, 3)) == "nn.SpatialMaxPooling(2x3, 2, 3)"
    assert repr(nn.Reshape(4, 5)) == "nn.Reshape(4x5)" and repr(nn.View(4, 5)) == "nn.View(4, 5)"


def test_parameters():
    net = build()
    parameters, gradients = net.parameters()
    layers = [*net.get(0).modules, net.get(2)]
    assert all(a is b for a, b in zip(parameters, [t for layer in layers for t in (layer.weight, layer.bias)]))
    assert all(a is b for a, b in zip(gradients, [t for layer in layers for t in (layer.gradWeight, layer.gradBias)]))
    assert nn.Sequential().add(nn.Tanh()).parameters() is None and nn.Tanh().flattenParameters() is None


def test_flat_parameters():
    net = build()
    before = [p.clone() for p in net.parameters()[0]]
    vector, gradient = net.flattenParameters()
    assert vector.size() == gradient.size() == (250,)
    assert torch.equal(vector, torch.cat([p.flatten() for p in before]))
    vector.fill_(3)
    assert all((p == 3).all() for p in net.parameters()[0])
    x = torch.randn(4, 2)
    net.backward(x, torch.ones_like(net.forward(x)))
    assert gradient.any() and torch.equal(gradient[:10].view(5, 2), net.get(0).get(0).gradWeight)
    again, _ = net.flattenParameters()
    assert torch.equal(again, vector)


def test_flat_parameters_that_are_shared():
    first = nn.Linear(2, 3)
    net = nn.Sequential().add(first).add(nn.Linear(3, 2)).add(first.clone("weight", "bias", "gradWeight", "gradBias"))
    vector, _ = net.flattenParameters()
    assert vector.numel() == 9 + 8
    vector.zero_()
    assert not net.get(2).weight.any()
    wide = nn.Linear(4, 2)
    wide.weight = torch.zeros(2, 8)[:, ::2]
    with pytest.raises(ValueError, match=r"\(2, 4\) and strides \(8, 2\)"):
        nn.Sequential().add(wide).flattenParameters()
    assert wide.weight.size() == (2, 4)


def test_who_is_asked():
    net = build()
    modules, containers = net.findModules(nn.Linear)
    assert len(modules) == 3 and containers == [net.get(0), net.get(0), net]
    assert all(m in c.modules for m, c in zip(modules, containers))
    seen = []
    net.apply(seen.append)
    assert seen == net.listModules() and len(seen) == 6
    net.evaluate()
    assert not any(m.train for m in seen)
    net.training()
    assert all(m.train for m in seen)
    assert net.replace(lambda m: nn.Tanh() if isinstance(m, nn.ReLU) else m) is net
    assert type(net.get(1)) is nn.Tanh
    net.insert(nn.Identity(), 1)
    assert len(net) == 4 and type(net[1]) is nn.Identity and len(net.remove(1)) == 3 and net.size() == 3


def test_concat():
    x = torch.randn(4, 2)
    module = nn.Concat(0)
    for _ in range(3):
        layer = nn.Linear(2, 5)
        layer.weight.fill_(1)
        layer.bias.fill_(0)
        module.add(layer)
    module.zeroGradParameters()
    torch.testing.assert_close(module.forward(x), x.sum(1, True).expand(4, 5).repeat(3, 1))
    assert torch.equal(module.backward(x, torch.ones(12, 5)), torch.full((4, 2), 15.0))
    for layer in module.modules:
        torch.testing.assert_close(layer.gradWeight, x.sum(0, True).expand(5, 2))
    weight = module.get(0).weight.clone()
    module.accUpdateGradParameters(x, torch.ones(12, 5), 0.1)
    torch.testing.assert_close(module.get(0).weight, weight - 0.1 * x.sum(0, True))
    with pytest.raises(RuntimeError, match=r"\[4, 4, 4\] elements along dimension 0.*\(4, 5\)"):
        module.backward(x, torch.ones(4, 5))


def test_depth_concat():
    x = torch.randn(2, 3, 12, 12)
    module = nn.DepthConcat(1)
    for planes, size in ((5, 1), (6, 3), (7, 4), (8, 5)):
        module.add(nn.SpatialConvolution(3, planes, size, size))
    expected = torch.zeros(2, 26, 12, 12)
    places = [
        (slice(0, 5), slice(0, 12)),
        (slice(5, 11), slice(1, 11)),
        (slice(11, 18), slice(1, 10)),
        (slice(18, 26), slice(2, 10)),
    ]
    for (planes, side), convolution in zip(places, module.modules):
        expected[:, planes, side, side] = convolution.forward(x)
    assert torch.equal(module.forward(x), expected)
    gradOutput = torch.randn(2, 26, 12, 12)
    gradient = module.backward(x, gradOutput).clone()
    total = sum(
        convolution.updateGradInput(x, gradOutput[:, planes, side, side])
        for (planes, side), convolution in zip(places, module.modules)
    )
    torch.testing.assert_close(gradient, total)


def test_parallel():
    x = torch.randn(3, 4, 5)
    module = nn.Parallel(0, 2).add(nn.View(4, 5, 1)).add(nn.View(4, 5, 1)).add(nn.View(4, 5, 1))
    assert torch.equal(module.forward(x), x.permute(1, 2, 0))
    assert torch.equal(module.backward(x, module.output), x)
    table = nn.ParallelTable().add(nn.View(4, 5, 1)).add(nn.View(4, 5, 1)).add(nn.View(4, 5, 1))
    net = nn.Sequential().add(nn.SplitTable(0)).add(table).add(nn.JoinTable(2))
    assert torch.equal(net.forward(x), x.permute(1, 2, 0)) and torch.equal(net.backward(x, net.output), x)
    with pytest.raises(RuntimeError, match=r"3 modules for an input of size \(4, 4, 5\)"):
        module.forward(torch.ones(4, 4, 5))
    with pytest.raises(RuntimeError, match="2 inputs for 3 modules"):
        table.forward([x, x])


def test_concat_table():
    module = nn.ConcatTable().add(nn.Identity()).add(nn.Identity())
    x = [torch.randn(2), [torch.randn(3)]]
    assert module.forward(x) == [x, x]
    gradients = [[torch.ones(2), [torch.ones(3)]], [torch.ones(2) * 2, [torch.ones(3) * 3]]]
    found = module.backward(x, gradients)
    assert found[0].tolist() == [3, 3] and found[1][0].tolist() == [4, 4, 4]
    assert gradients[0][0].tolist() == [1, 1]
    assert len(module.backward([x[0]], [[x[0]], [x[0]]])) == 1
    module = nn.ConcatTable().add(nn.Linear(2, 3)).add(nn.Linear(2, 1))
    x = torch.randn(4, 2)
    module.forward(x)
    found = module.backward(x, [torch.ones(4, 3), torch.ones(4, 1)])
    torch.testing.assert_close(found, (module.get(0).weight.sum(0) + module.get(1).weight.sum(0)).expand(4, 2))
    with pytest.raises(RuntimeError, match="1 gradients for 2 modules"):
        module.backward(x, [torch.ones(4, 3)])


def test_in_place_after_linear():
    """The gradient of a chain that writes into its own outputs."""
    torch.manual_seed(1)
    x, plain = torch.randn(4, 2), build()
    net = plain.clone()
    net.modules[1] = nn.ReLU(True)
    expected = plain.backward(x, torch.ones_like(plain.forward(x))).clone()
    torch.testing.assert_close(net.backward(x, torch.ones_like(net.forward(x))), expected)
    torch.testing.assert_close(net.get(0).get(0).gradWeight, plain.get(0).get(0).gradWeight)


@pytest.mark.parametrize("how", ("module", "optim"))
def test_learns_exclusive_or(how):
    torch.manual_seed(3)
    net = nn.Sequential().add(nn.Linear(2, 8)).add(nn.Tanh()).add(nn.Linear(8, 1)).add(nn.Sigmoid())
    criterion = nn.BCECriterion()
    x = torch.tensor([[0.0, 0], [0, 1], [1, 0], [1, 1]])
    target = torch.tensor([[0.0], [1], [1], [0]])
    parameters, gradient = net.flattenParameters()
    state = {"learningRate": 0.05}

    def closure(_):
        gradient.zero_()
        loss = criterion.forward(net.forward(x), target)
        net.backward(x, criterion.backward(net.output, target))
        return loss, gradient

    for _ in range(300):
        if how == "optim":
            optim.adam(closure, parameters, state)
        else:
            closure(None)
            net.updateParameters(2)
    assert criterion.forward(net.forward(x), target) < 0.05
    net.evaluate()
    assert net.forward(x).round().equal(target)


def test_learns_images():
    """Planes with a stripe across or down, told apart by a convolution."""
    torch.manual_seed(4)
    x, target = torch.randn(40, 1, 6, 6) * 0.1, torch.arange(40) % 2
    for i, label in enumerate(target.tolist()):
        row = x[i, 0] if label else x[i, 0].t()
        row[i % 6] += 1
    net = nn.Sequential().add(nn.SpatialConvolution(1, 4, 3, 3)).add(nn.SpatialBatchNormalization(4)).add(nn.ReLU(True))
    net.add(nn.SpatialMaxPooling(2, 2)).add(nn.Reshape(16)).add(nn.Linear(16, 2)).add(nn.LogSoftMax())
    criterion = nn.ClassNLLCriterion()
    for _ in range(60):
        criterion.forward(net.forward(x), target)
        net.zeroGradParameters()
        net.backward(x, criterion.backward(net.output, target))
        net.updateParameters(0.3)
    net.evaluate()
    assert torch.equal(net.forward(x).max(1)[1], target)
