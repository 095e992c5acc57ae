"""torch.legacy.nn: every module's output by NumPy or torch.nn, gradients by finite differences, mistakes."""

import numpy as np
import pytest
import torch
from finite_differences import slope
from legacy_cases import CRITERIA, MODULES, Case
from torch.legacy import nn


def flat(value):
    return [t for each in value for t in flat(each)] if isinstance(value, (list, tuple)) else [value]


def assert_same(found, expected, tolerance=1e-9):
    if isinstance(expected, list):
        assert isinstance(found, list) and len(found) == len(expected)
        for a, b in zip(found, expected):
            assert_same(a, b, tolerance)
        return
    np.testing.assert_allclose(np.asarray(found), np.asarray(expected), tolerance, tolerance)


def rebuilt(value, tensors):
    if isinstance(value, (list, tuple)):
        return [rebuilt(each, tensors) for each in value]
    return next(tensors)


def check_gradients(module, x):
    """The slope of a random sum of the outputs along random directions of inputs and parameters."""
    output = module.forward(x)
    weights = [torch.randn_like(t) for t in flat(output)]
    module.zeroGradParameters()
    gradients = flat(module.backward(x, rebuilt(output, iter(weights))))
    parameters, sums = module.parameters() or ([], [])
    inputs = flat(x)
    moving = [t.is_floating_point() for t in inputs]
    leaves = [t.clone() for t, moves in zip(inputs, moving) if moves] + [p.clone() for p in parameters]
    found = [g.clone() for g, moves in zip(gradients, moving) if moves] + [g.clone() for g in sums]
    assert [g.shape for g in found] == [t.shape for t in leaves]

    def total(at):
        at = iter(at)
        given = rebuilt(x, iter([next(at) if moves else t for t, moves in zip(inputs, moving)]))
        for parameter in parameters:
            parameter.copy_(next(at))
        return sum(float((o * w).sum()) for o, w in zip(flat(module.forward(given)), weights))

    for _ in range(2):
        along = [torch.randn_like(t) for t in leaves]
        expected, spread = slope(total, leaves, along)
        assert sum(float((g * d).sum()) for g, d in zip(found, along)) == pytest.approx(expected, 1e-5, 1e-6 + spread)


@pytest.mark.parametrize("training", (True, False), ids=("training", "evaluating"))
@pytest.mark.parametrize("case", MODULES, ids=repr)
def test_module(case, training):
    torch.manual_seed(1)
    module, x = case.make(), case.input()
    if not training:
        module.forward(x)
        module.evaluate()
    output = module.forward(x)
    assert_same(output, case.expected(x, module))
    check_gradients(module, x)
    assert repr(module).startswith("nn." + type(module).__name__)


def test_every_module_is_there():
    tested = {case.name for case in MODULES} | {name for name, *_ in CRITERIA}
    apart = """Concat ConcatTable Container Copy Criterion CriterionTable DepthConcat Dropout FlattenTable GradientReversal
        Index L1Penalty MaskedSelect Module MultiCriterion Parallel ParallelCriterion ParallelTable RReLU Sequential
        SpatialConvolutionLocal SpatialConvolutionMap SpatialDropout SpatialFullConvolutionMap VolumetricDropout""".split()
    assert tested | set(apart) == set(nn.__all__)
    assert len(nn.__all__) == 144


# ---- what THNN has kernels for -----------------------------------------------------------------------------
def thnn(name):
    from torch._thnn import _THNN

    return lambda *arguments: getattr(_THNN, f"Double{name}")(None, *arguments)


@pytest.mark.parametrize("table", ("full", "oneToOne", "random"))
@pytest.mark.parametrize("full", (False, True))
def test_connected_planes(table, full):
    torch.manual_seed(2)
    maps = nn.SpatialConvolutionMap.maps
    connections = {"full": maps.full(3, 2), "oneToOne": maps.oneToOne(3), "random": maps.random(3, 4, 2)}[table]
    name = "SpatialFullConvolutionMap" if full else "SpatialConvolutionMap"
    module = getattr(nn, name)(connections, 3, 2, 2, 1).double()
    planes = module.nInputPlane, module.nOutputPlane
    x, expected = torch.randn(planes[0], 6, 7).double(), torch.empty(0).double()
    thnn(f"{name}_updateOutput")(x, expected, module.weight, module.bias, connections.double(), *planes, 2, 1)
    assert_same(module.forward(x), expected)
    check_gradients(module, x)


def test_random_connections_use_every_plane_in_turn():
    table = nn.SpatialConvolutionMap.maps.random(6, 6, 2)
    assert table[:, 1].tolist() == [i // 2 for i in range(12)]
    assert sorted(table[:6, 0].tolist()) == sorted(table[6:, 0].tolist()) == list(range(6))


def test_local_convolution():
    torch.manual_seed(3)
    module = nn.SpatialConvolutionLocal(3, 2, 6, 5, 2, 3, 2, 1, 1, 0).double()
    x, weight = torch.randn(2, 3, 5, 6).double(), module.weight.view(3, 4, 2, 3, 3, 2)
    padded = torch.nn.functional.pad(x, (1, 1, 0, 0))
    expected = torch.empty(2, 2, 3, 4).double()
    for i in range(3):
        for j in range(4):
            patch = padded[:, :, i : i + 3, 2 * j : 2 * j + 2]
            expected[:, :, i, j] = torch.einsum("nckl,ockl->no", patch, weight[i, j]) + module.bias[:, i, j]
    assert_same(module.forward(x), expected)
    assert_same(module.forward(x[0]), expected[0])
    check_gradients(module, x)
    with pytest.raises(RuntimeError, match=r"5 x 6.*\(2, 3, 6, 6\)"):
        module.forward(torch.randn(2, 3, 6, 6).double())


# ---- criteria ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name, arguments, shape, draw, expected", CRITERIA)
def test_criterion(name, arguments, shape, draw, expected):
    torch.manual_seed(4)
    criterion = getattr(nn, name)(*arguments).double()
    if shape == "probabilities":
        x = torch.rand(3, 4).double() * 0.8 + 0.1
    else:
        x = Case(name, shape=shape).input()
    target = draw()
    if isinstance(target, torch.Tensor) and target.is_floating_point():
        target = target.double()
    loss = criterion.forward(x, target)
    assert isinstance(loss, float) and loss == criterion.output
    if expected is not None:
        assert loss == pytest.approx(float(expected(x, target)), 1e-9)
    leaves = flat(x)
    gradients = [g.clone() for g in flat(criterion.backward(x, target))]
    along = [torch.randn_like(t) for t in leaves]
    wanted, spread = slope(lambda at: criterion.forward(rebuilt(x, iter(at)), target), leaves, along)
    assert sum(float((g * d).sum()) for g, d in zip(gradients, along)) == pytest.approx(wanted, 1e-5, 1e-7 + spread)
    assert repr(criterion) == f"nn.{name}"


def test_simplex():
    criterion = nn.ClassSimplexCriterion(4).double()
    corners = criterion.simplex.numpy()
    expected = np.full((4, 4), -1 / 3) + np.eye(4) * 4 / 3
    np.testing.assert_allclose(corners @ corners.T, expected, atol=1e-6)
    assert criterion.getTopPrediction(criterion.simplex).tolist() == [0, 1, 2, 3]
    assert criterion.forward(criterion.simplex, torch.arange(4)) == 0


def test_targets_that_change_are_seen():
    criterion = nn.L1HingeEmbeddingCriterion(50)
    x = [torch.ones(2), torch.zeros(2)]
    criterion.forward(x, 1)
    assert criterion.backward(x, -1)[0].tolist() == [-1, -1]


def test_sums_of_criteria():
    torch.manual_seed(5)
    x, target = torch.rand(2, 10), torch.tensor([1, 8])
    first, second = nn.ClassNLLCriterion(), nn.CrossEntropyCriterion()
    both = nn.MultiCriterion().add(first, 0.5).add(second)
    assert both.forward(x, target) == first.forward(x, target) / 2 + second.forward(x, target)
    assert_same(both.backward(x, target), first.backward(x, target) / 2 + second.backward(x, target), 1e-6)
    inputs, targets = [x, [x, torch.randn(2, 10)]], [target, [target, torch.randn(2, 10)]]
    inner = nn.ParallelCriterion().add(nn.ClassNLLCriterion(), 0.5).add(nn.MSECriterion())
    outer = nn.ParallelCriterion().add(first, 0.4).add(inner)
    mse = nn.MSECriterion()
    nll = first.forward(x, target)
    assert outer.forward(inputs, targets) == pytest.approx(
        nll * 0.4 + nll / 2 + mse.forward(inputs[1][1], targets[1][1])
    )
    gradients = outer.backward(inputs, targets)
    assert_same(gradients[0], first.backward(x, target) * 0.4, 1e-6)
    assert_same(gradients[1][1], mse.backward(inputs[1][1], targets[1][1]), 1e-6)
    one = nn.ParallelCriterion(True).add(nn.MSECriterion()).add(nn.MSECriterion())
    assert one.forward([x, x], x + 1) == pytest.approx(2)
    table = nn.CriterionTable(nn.MSECriterion())
    assert table.forward([x, x + 1]) == pytest.approx(1)
    assert_same(table.backward([x, x + 1], None)[0], torch.full((2, 10), -0.1), 1e-5)
    with pytest.raises(RuntimeError, match="3 inputs for 2 criteria"):
        one.forward([x, x, x], x)


# ---- what has a gradient of its own, or noise --------------------------------------------------------------
def test_reversed_and_penalised():
    x, g = torch.tensor([1.0, -2, 0]), torch.tensor([3.0, 4, 5])
    reversal = nn.GradientReversal(2)
    assert reversal.forward(x).tolist() == [1, -2, 0] and reversal.backward(x, g).tolist() == [-6, -8, -10]
    penalty = nn.L1Penalty(0.5)
    assert penalty.forward(x).tolist() == [1, -2, 0] and penalty.loss == 1.5
    assert penalty.backward(x, g).tolist() == [3.5, 3.5, 5]
    assert nn.L1Penalty(0.5, True, False).backward(x, g).tolist() == pytest.approx([0.5 / 3, -0.5 / 3, 0])


@pytest.mark.parametrize("name, planes", [("Dropout", 0), ("SpatialDropout", 2), ("VolumetricDropout", 3)])
def test_dropout(name, planes):
    torch.manual_seed(6)
    x = torch.ones(20, 50, *([3] * planes))
    module = getattr(nn, name)(0.2)
    output = module.forward(x).clone()
    assert sorted(output.unique().tolist()) == [0, 1.25] and abs(output.mean() - 1) < 0.05
    assert torch.equal(module.backward(x, x), output)
    assert torch.equal(module.backward(x.clone(), x), output)  # another tensor, the same noise
    if planes:
        assert torch.equal(output, output[:, :, :1, :1].expand_as(output) if planes == 2 else output)
    module.evaluate()
    assert torch.equal(module.forward(x), x) and torch.equal(module.backward(x, x), x)
    assert repr(module) == f"nn.{name}(0.2000)"
    with pytest.raises(ValueError, match="1.5"):
        getattr(nn, name)(1.5)


def test_random_slopes():
    torch.manual_seed(7)
    module, x = nn.RReLU(0.1, 0.3), -torch.ones(1000)
    output = module.forward(x).clone()
    assert -0.3 <= output.min() < -0.29 and -0.11 < output.max() <= -0.1
    assert_same(module.backward(x, torch.ones(1000)), -output, 1e-6)
    module.evaluate()
    assert_same(module.forward(x), torch.full((1000,), -0.2), 1e-6)


def test_statistics_move_once():
    """A gradient for another input computes the output again, and leaves running means as they were."""
    module, x = nn.BatchNormalization(3), torch.randn(8, 3)
    module.forward(x)
    before = module.running_mean.clone()
    module.backward(x.clone(), x)
    assert torch.equal(module.running_mean, before)
    module.forward(x)
    assert not torch.equal(module.running_mean, before)


def test_rows_are_shortened():
    module = nn.LookupTable(4, 3, maxNorm=1)
    module.weight.fill_(2)
    module.forward(torch.tensor([1, 3]))
    assert module.weight.norm(2, 1).tolist() == pytest.approx([12**0.5, 1, 12**0.5, 1])


def test_padding_rows_collect_nothing():
    module = nn.LookupTable(4, 2, 1)
    module.backward(torch.tensor([1, 2, 2]), torch.ones(3, 2))
    assert module.gradWeight.tolist() == [[0, 0], [0, 0], [2, 2], [0, 0]]
    module.scaleGradByFreq().zeroGradParameters()
    module.backward(torch.tensor([1, 2, 2]), torch.ones(3, 2))
    assert module.gradWeight[2].tolist() == [1, 1]


# ---- tables ------------------------------------------------------------------------------------------------
def test_flatten_table():
    x = [torch.rand(1), [torch.rand(2), [torch.rand(3)]], torch.rand(4)]
    module = nn.FlattenTable()
    output = module.forward(x)
    assert [t.numel() for t in output] == [1, 2, 3, 4] and module.input_map == [0, [1, [2]], 3]
    gradients = [torch.rand(i) for i in range(1, 5)]
    assert_same(module.backward(x, gradients), [gradients[0], [gradients[1], [gradients[2]]], gradients[3]])
    x[1].append(torch.rand(5))
    assert len(module.forward(x)) == 5


def test_chosen_elements():
    module = nn.Index(0)
    x = [torch.tensor([10.0, 20, 30]), torch.tensor([0, 1, 1, 2])]
    assert module.forward(x).tolist() == [10, 20, 20, 30]
    assert module.backward(x, torch.tensor([1.0, 1, 1, 3]))[0].tolist() == [1, 2, 3]
    module, x = nn.MaskedSelect(), [torch.tensor([[10.0, 20], [30, 40]]), torch.tensor([[1, 0], [0, 1]]).byte()]
    assert module.forward(x).tolist() == [10, 40]
    assert module.backward(x, torch.tensor([20.0, 80]))[0].tolist() == [[20, 0], [0, 80]]


def test_copy_converts():
    module = nn.Copy("torch.DoubleTensor", "torch.FloatTensor")
    x = torch.randn(3).double()
    assert module.forward(x).dtype == torch.float32
    assert module.backward(x, torch.ones(3)).dtype == torch.float64
    assert nn.Copy(torch.FloatTensor, torch.DoubleTensor).forward(torch.ones(2)).dtype == torch.float64
    module.dontCast = True
    assert module.double() is module and module.outtype == "torch.FloatTensor"


@pytest.mark.parametrize("name, arguments", [("ReLU", ()), ("ELU", ()), ("Dropout", (0.5,)), ("Threshold", (0.5, 0.1)),
    ("AddConstant", (1.0,)), ("MulConstant", (2.0,)), ("HardTanh", ()), ("LeakyReLU", (0.1,)), ("ReLU6", ()), ("RReLU", ())])  # fmt: skip
def test_in_place(name, arguments):
    x = torch.randn(4, 5)
    torch.manual_seed(8)
    module = getattr(nn, name)(*arguments)
    expected, gradient = module.forward(x).clone(), module.backward(x, torch.ones(4, 5)).clone()
    torch.manual_seed(8)
    module = getattr(nn, name)(*arguments, inplace=True)
    output = module.forward(x)
    assert torch.equal(output, expected) and output.data_ptr() == x.data_ptr() and torch.equal(x, expected)
    assert torch.equal(module.backward(x, torch.ones(4, 5)), gradient)


@pytest.mark.parametrize("module", (nn.Select(0, 1), nn.Narrow(0, 1, -1), nn.Max(0), nn.CAddTable(), nn.CMulTable()))
def test_outputs_of_their_own(module):
    """What is written into the output in place is not in the input."""
    x = torch.randn(3, 4)
    before, given = x.clone(), [x] if "Table" in repr(module) else x
    net = nn.Sequential().add(module).add(nn.MulConstant(0, True))
    assert not net.forward(given).any() and torch.equal(x, before)


def test_leaky_in_place():
    x = torch.tensor([-1.0, 1])
    assert nn.LeakyReLU(True).forward(x).data_ptr() == x.data_ptr() and x.tolist() == pytest.approx([-0.01, 1])


def test_narrow_to_the_last():
    x = torch.arange(6).float()
    assert nn.Narrow(0, 2, -1).forward(x).tolist() == [2, 3, 4, 5] and nn.Narrow(0, 2, -2).forward(x).tolist() == [
        2,
        3,
        4,
    ]


def test_sum_in_place():
    x = [torch.ones(3), torch.ones(3)]
    module = nn.CAddTable(True)
    assert module.forward(x).tolist() == [2, 2, 2] and x[0].tolist() == [2, 2, 2]
    assert [g.tolist() for g in module.backward(x, torch.ones(3))] == [[1, 1, 1]] * 2


# ---- mistakes ----------------------------------------------------------------------------------------------
MISTAKES = [
    ("Linear", (3, 4), lambda: torch.ones(2, 2, 3), r"nn.Linear\(3 -> 4\): expected .* 1 or 2 dim.* got 3: \(2, 2, 3\)"),
    ("Linear", (3, 4), lambda: torch.ones(2, 5), "2x5.*3x4|5"),
    ("SpatialConvolution", (3, 4, 3, 3), lambda: torch.ones(2, 2), r"3 or 4 dimensions, got 2: \(2, 2\)"),
    ("SpatialConvolution", (3, 4, 3, 3), lambda: torch.ones(2, 4, 5, 5), r"expected 3 input planes, got 4"),
    ("TemporalConvolution", (3, 4, 3), lambda: torch.ones(2, 3), r"at least 3 frames of 3, got .*\(2, 3\)"),
    ("SpatialMaxPooling", (2, 2), lambda: torch.ones(2, 3), r"3 or 4 dimensions, got 2"),
    ("VolumetricMaxPooling", (2, 2, 2), lambda: torch.ones(2, 3), r"4 or 5 dimensions, got 2"),
    ("BatchNormalization", (3,), lambda: torch.ones(2, 4), "got 4-feature tensor, expected 3"),
    ("BatchNormalization", (3,), lambda: torch.ones(2, 3, 4), r"only mini-batch supported \(2D tensor\), got 3D"),
    ("SoftMax", (), lambda: torch.ones(1, 1, 1, 1, 1), "got 5"),
    ("Normalize", (2,), lambda: torch.ones(1, 1, 1), "1 or 2 dimensions, got 3"),
    ("LookupTable", (3, 4), lambda: torch.zeros(1, 1, 1).long(), "vector or matrix, got a 3D"),
    ("CSubTable", (), lambda: torch.ones(2), "expected a list of 2 tensors, got Tensor"),
    ("CDivTable", (), lambda: [torch.ones(2)] * 3, "expected a list of 2 tensors, got 3 of them"),
    ("MM", (), lambda: [torch.ones(2), torch.ones(2)], "1D and 1D"),
    ("MV", (), lambda: [torch.ones(2, 2), torch.ones(2, 2)], "2D and 2D"),
    ("Reshape", (2, 3), lambda: torch.ones(2, 5), r"\(2, 5\) has not 6 elements"),
    ("Padding", (0, 1, 0, 5), lambda: torch.ones(2), "index 5 .* size 2"),
    ("NarrowTable", (1, 3), lambda: [torch.ones(1)] * 3, "3 from 1 on .* table of 3"),
    ("SelectTable", (4,), lambda: [torch.ones(1)] * 3, "index 4 .* table of 3"),
    ("CMul", (3,), lambda: torch.ones(2, 2), r"3 factors for an input of size \(2, 2\)"),
    ("Add", (3,), lambda: torch.ones(2, 2), r"3 numbers .* size \(2, 2\)"),
    ("MixtureTable", (), lambda: [torch.ones(2, 3), torch.ones(2, 4, 5)], "3 gates for 4 experts"),
    ("SpatialSubtractiveNormalization", (3,), lambda: torch.ones(1, 2, 4, 4), "expected 3 planes, got 2"),
]  # fmt: skip


@pytest.mark.parametrize("name, arguments, draw, message", MISTAKES)
def test_mistakes(name, arguments, draw, message):
    module = getattr(nn, name)(*arguments)
    output = module.output
    with pytest.raises(RuntimeError, match=message):
        module.forward(draw())
    assert module.output is output and output.numel() == 0


@pytest.mark.parametrize("make, message", [
    (lambda: nn.Power(), "nn.Power: missing a required argument: 'pow'"),
    (lambda: nn.HardTanh(1, 0).forward(torch.ones(1)), "max_value \\(0\\)"),
    (lambda: nn.SpatialFullConvolution(1, 1, 2, 2, adjW=3), "adjW \\(3\\) must be smaller than dW \\(1\\)"),
    (lambda: nn.SpatialFractionalMaxPooling(2, 2, 0.5, 3), "0.5 and 3"),
    (lambda: nn.SpatialConvolutionMap(torch.ones(3, 3), 1, 1), r"2 columns.*\(3, 3\)"),
    (lambda: nn.SpatialDivisiveNormalization(1, torch.ones(4, 3)), r"ODD dimensions, not \(4, 3\)"),
    (lambda: nn.SpatialDivisiveNormalization(1, torch.ones(3, 3, 3)), "2D or 1D, not 3D"),
    (lambda: nn.Linear(2, 2).type("torch.StringTensor"), "torch.StringTensor"),
    (lambda: nn.MSECriterion().forward(torch.ones(3), torch.ones(4)), r"\(3,\).*\(4,\)"),
])  # fmt: skip
def test_mistakes_of_other_kinds(make, message):
    with pytest.raises((RuntimeError, ValueError, TypeError), match=message):
        make()


def test_a_gradient_of_another_shape_changes_nothing():
    module = nn.Linear(3, 2)
    x = torch.ones(4, 3)
    module.forward(x)
    with pytest.raises(RuntimeError, match=r"\[4, 3\].*\[4, 2\]"):
        module.backward(x, torch.ones(4, 3))
    assert module.gradInput.numel() == 0 and not module.gradWeight.any()
