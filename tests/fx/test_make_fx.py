"""make_fx: programs as graphs of operators below autograd. What the graphs read as is PyTorch 2.13's."""

import functools
import pickle

import pytest
import torch
from torch import nn
from torch.fx.experimental import proxy_tensor
from torch.fx.experimental.proxy_tensor import make_fx
from torch.nn import functional as F
from torch.utils import _pytree as pytree

X = torch.arange(8.0).view(4, 2) / 10
linear = nn.Linear(2, 3)
W = torch.ones(2, 2)


def written(x):
    y = x.clone()
    y[1:, 0] += 2
    return y.mul_(3)


def constant(x):
    return x + torch.tensor([1.0, 2.0])


def reshaped(x):
    return x.t().reshape(8) + x.reshape(8)


def converted(x):
    return x.to(torch.float64).float()


def largest(x):
    return x.max(1)[0]


def gradient(x):
    return torch.autograd.grad(F.linear(x, W).sin().square().sum(), x)[0]


CODE = {
    "linear": (
        lambda x: linear(x).relu(),
        """
    _param_constant0 = self._param_constant0
    t = torch.ops.aten.t.default(_param_constant0);  _param_constant0 = None
    _param_constant1 = self._param_constant1
    addmm = torch.ops.aten.addmm.default(_param_constant1, x_1, t);  _param_constant1 = x_1 = t = None
    relu = torch.ops.aten.relu.default(addmm);  addmm = None
    detach = torch.ops.aten.detach.default(relu);  detach = None
    return relu""",
    ),
    "constant": (
        constant,
        """
    _tensor_constant0 = self._tensor_constant0
    lift_fresh_copy = torch.ops.aten.lift_fresh_copy.default(_tensor_constant0);  _tensor_constant0 = None
    add = torch.ops.aten.add.Tensor(x_1, lift_fresh_copy);  x_1 = lift_fresh_copy = None
    return add""",
    ),
    "written": (
        lambda x: x.clone().add_(1).mul_(2),
        """
    clone = torch.ops.aten.clone.default(x_1);  x_1 = None
    add_ = torch.ops.aten.add_.Tensor(clone, 1);  clone = None
    mul_ = torch.ops.aten.mul_.Tensor(add_, 2);  add_ = None
    return mul_""",
    ),
    "reshaped": (
        reshaped,
        """
    t = torch.ops.aten.t.default(x_1)
    clone = torch.ops.aten.clone.default(t, memory_format = torch.contiguous_format);  t = None
    _unsafe_view = torch.ops.aten._unsafe_view.default(clone, [8]);  clone = None
    view = torch.ops.aten.view.default(x_1, [8]);  x_1 = None
    add = torch.ops.aten.add.Tensor(_unsafe_view, view);  _unsafe_view = view = None
    return add""",
    ),
    "converted": (
        converted,
        """
    _to_copy = torch.ops.aten._to_copy.default(x_1, dtype = torch.float64);  x_1 = None
    _to_copy_1 = torch.ops.aten._to_copy.default(_to_copy, dtype = torch.float32);  _to_copy = None
    return _to_copy_1""",
    ),
    "largest": (
        largest,
        """
    max_1 = torch.ops.aten.max.dim(x_1, 1);  x_1 = None
    getitem = max_1[0]
    getitem_1 = max_1[1];  max_1 = getitem_1 = None
    return getitem""",
    ),
    "normalised": (
        lambda x: F.layer_norm(x, (2,)),
        """
    native_layer_norm = torch.ops.aten.native_layer_norm.default(x_1, [2], None, None, 1e-05);  x_1 = None
    getitem = native_layer_norm[0]
    getitem_1 = native_layer_norm[1];  getitem_1 = None
    getitem_2 = native_layer_norm[2];  native_layer_norm = getitem_2 = None
    return getitem""",
    ),
}


@pytest.mark.parametrize("name", CODE)
def test_code_is_pytorchs(name):
    program, text = CODE[name]
    assert make_fx(program)(X).code.strip() == "def forward(self, x_1):" + text


def cut(x):
    return torch.autograd.grad(F.max_pool2d(F.conv2d(x, FILTER, padding=1), 2).square().sum(), (x, FILTER))


def normalised(x):
    y = F.batch_norm(x, torch.zeros(2), torch.ones(2), SCALE, None, True)
    return torch.autograd.grad(y.square().sum(), (x, SCALE))


def by_statistics(x):
    return torch.autograd.grad(F.batch_norm(x, MEAN, MEAN + 1, SCALE).square().sum(), (x, SCALE))


FILTER = torch.ones(3, 2, 3, 3, requires_grad=True)
SCALE = torch.full((2,), 2.0, requires_grad=True)
MEAN = torch.tensor([0.25, 0.5])
IMAGE = (torch.arange(128.0).view(2, 2, 4, 8) % 7).requires_grad_()
TARGET = torch.tensor([0, 1, 2, 0])


def entropy(x):
    loss = F.cross_entropy(linear(x), TARGET)
    return loss, *torch.autograd.grad(loss, list(linear.parameters()))


def transformed(x):
    layer = nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0)
    return layer(x.view(1, 2, 4)).sum() * 0 + F.scaled_dot_product_attention(*[x.view(1, 1, 4, 2)] * 3)


REPLAYED = {
    "cut": (cut, IMAGE),
    "normalised": (normalised, IMAGE),
    "by_statistics": (by_statistics, IMAGE),
    "entropy": (entropy, X),
    "gradient": (gradient, X.clone().requires_grad_()),
    "written": (written, X),
    "transformed": (transformed, X),
    "masked": (lambda x: x[x > 0.2].sum() + x[torch.tensor([0, 2])][:, None].sum(), X),
    "columns": (lambda x: x.clone().index_put_((torch.tensor([1]),), x[0])[:, torch.tensor([1, 0])], X),
    "spectrum": (lambda x: torch.stft(x.flatten(), 4, window=torch.ones(4), return_complex=True).abs(), X),
    "eigenvalues": (lambda x: torch.linalg.eigvals(x.t() @ x).abs().sort()[0], X),
    "quantile": (lambda x: x.quantile(0.3) + torch.unique(x).sum(), X),
    "given": (lambda x: torch.mul(x, 2, out=torch.empty(4, 2)), X),
    "recurrent": (nn.LSTM(2, 3), X.view(4, 1, 2)),
    "resized": (
        lambda x: torch.autograd.grad(F.interpolate(x, scale_factor=2.0, mode="bilinear").sin().sum(), x),
        IMAGE,
    ),
    "losses": (
        lambda x: torch.autograd.grad(
            F.binary_cross_entropy_with_logits(x, x.detach().round())
            + F.huber_loss(x, x.detach() + 1)
            + F.gelu(x).sum(),
            x,
        ),
        X.clone().requires_grad_(),
    ),
    "inverse": (
        lambda x: torch.autograd.grad(torch.linalg.solve(x.t() @ x, x.t()).sum(), x),
        X.clone().requires_grad_(),
    ),
    "attended": (
        lambda x: torch.autograd.grad(F.scaled_dot_product_attention(x, x, x).square().sum(), x),
        X.view(1, 1, 4, 2).clone().requires_grad_(),
    ),
}


@pytest.mark.parametrize("name", REPLAYED)
def test_graph_computes_the_same_of_other_inputs(name):
    program, x = REPLAYED[name]
    module = make_fx(program)(x)
    other = (x.detach().roll(1, 0) + 0.125).requires_grad_(x.requires_grad)
    torch.manual_seed(1)
    expected = pytree.tree_leaves(program(other))
    torch.manual_seed(1)
    for got, wanted in zip(pytree.tree_leaves(module(other)), expected, strict=True):
        torch.testing.assert_close(got.detach(), wanted.detach(), atol=1e-5, rtol=1e-4)
    assert all(node.meta["val"].device.type == "meta" for node in module.graph.find_nodes(op="placeholder"))


def test_structures_and_numbers():
    module = make_fx(lambda d: {"a": d["x"] + 1, "b": [d["y"], 3]})({"x": X, "y": X * 2})
    got = module({"x": X + 1, "y": X})
    assert torch.equal(got["a"], X + 2)
    assert torch.equal(got["b"][0], X)
    assert got["b"][1] == 3
    assert [n.name for n in module.graph.find_nodes(op="placeholder")] == ["d_1", "d_2"]
    assert make_fx(lambda x, n: x * n)(X, 3).code.strip().startswith("def forward(self, x_1, n_1):")
    assert make_fx(linear)(X).code.strip().startswith("def forward(self, arg0_1):")
    with pytest.raises(RuntimeError, match="Tracing expected 2 arguments but got 1 concrete arguments"):
        make_fx(lambda x, y: x)(X)


@pytest.mark.parametrize(
    "program", [lambda x: x if x.sum() > 0 else -x, lambda x: x * x.sum().item(), lambda x: F.one_hot(x.long())]
)
def test_elements_are_refused(program):
    with pytest.raises(RuntimeError, match="trying to get value out of a tracing tensor"):
        make_fx(program)(X)
    assert proxy_tensor.get_proxy_mode() is None
    assert torch.equal(make_fx(torch.sin)(X)(X), X.sin())


def test_what_cannot_be_recorded_is_refused():
    with pytest.raises(NotImplementedError, match="sizes are numbers"):
        make_fx(torch.sin, tracing_mode="symbolic")(X)
    with pytest.raises(AssertionError, match="tracing_mode must be real/fake/symbolic, got odd"):
        make_fx(torch.sin, tracing_mode="odd")(X)
    with pytest.raises(NotImplementedError, match="pre_dispatch=True"):
        make_fx(torch.sin, pre_dispatch=True)(X)
    x = X.clone().requires_grad_()
    y = x.sin() * x
    with pytest.raises(NotImplementedError, match="its forward pass ran outside"):
        make_fx(lambda g: torch.autograd.grad(y, x, g))(X)


def test_decompositions():
    aten = torch.ops.aten
    table = {aten.sin.default: lambda x: x * 7, aten.addmm.default: lambda b, x, y: x.mm(y) + b}
    module = make_fx(lambda x: linear(x.sin()), decomposition_table=table)(X)
    targets = [n.target for n in module.graph.find_nodes(op="call_function", target=aten.mul.Tensor)]
    assert targets == [aten.mul.Tensor]
    assert not {n.target for n in module.graph.nodes} & table.keys()
    torch.testing.assert_close(module(X), linear(X * 7))
    only = proxy_tensor.selective_decompose(
        make_fx(lambda x: x.sin() + x.sin())(X),
        X,
        decomposition=table,
        should_decompose=lambda node: node.name == "sin",
        trace_joint_graph=False,
    )
    torch.testing.assert_close(only(X), X * 7 + X.sin())
    graph = torch.fx.Graph()
    proxy_tensor.DecompositionInterpreter(make_fx(torch.sin)(X), graph, table).run(X)
    assert [n.target for n in graph.nodes if n.op == "call_function"] == [aten.mul.Tensor]
    with pytest.raises(RuntimeError, match="call their own operators"):
        make_fx(torch.sin, {aten.sin.default: torch.sin})(X)


def test_mode_is_known_and_can_be_left():
    seen = []

    def program(x):
        seen.append(proxy_tensor.get_proxy_mode())
        with proxy_tensor.disable_proxy_modes_tracing():
            seen.append(proxy_tensor.get_innermost_proxy_mode())
            hidden = torch.ones(2)
        return x.sin() + hidden

    module = make_fx(program)(X)
    assert isinstance(seen[0].tracer, proxy_tensor.PythonKeyTracer)
    assert seen[1] is None
    assert [n.name for n in module.graph.nodes] == ["x_1", "sin", "_tensor_constant0", "add", "output"]
    inner = make_fx(lambda x: make_fx(lambda y: y.sin() * 2)(x)(x) + 1)(X)
    assert torch.equal(inner(X), X.sin() * 2 + 1)


def test_inputs_stay_as_they_are_where_that_is_said():
    x = X.clone()
    module = make_fx(lambda x: x.add_(1), tracing_mode="fake")(x)
    assert torch.equal(x, X)
    assert torch.equal(module(x), X + 1)
    assert torch.equal(x, X + 1)


def test_graphs_are_saved():
    module = pickle.loads(pickle.dumps(make_fx(lambda x: F.softmax(linear(x), -1))(X)))  # noqa: S301 - made here
    torch.testing.assert_close(module(X), F.softmax(linear(X), -1))


def compared(loss, x):
    return loss(x / 2 + 0.1, (X > 0.3).float())


ACTIVATIONS = "elu celu selu leaky_relu gelu silu mish softplus hardtanh hardshrink hardsigmoid hardswish softshrink "
LOSSES = "mse_loss l1_loss smooth_l1_loss huber_loss soft_margin_loss binary_cross_entropy poisson_nll_loss"
OTHERS = {
    "logsigmoid": F.logsigmoid,
    "sigmoid": torch.sigmoid,
    "tanh": torch.tanh,
    "glu": F.glu,
    "softmax": lambda x: x.softmax(-1),
    "log_softmax": lambda x: x.log_softmax(-1),
    "threshold": lambda x: F.threshold(x, 0.5, 0.1),
    "prelu": lambda x: F.prelu(x, torch.full((1,), 0.25)),
    "rms_norm": lambda x: F.rms_norm(x, (2,), SCALE),
    "group_norm": lambda x: F.group_norm(x.view(2, 2, 2), 2, SCALE),
    "embedding": lambda x: F.embedding(TARGET, x),
    "reflected": lambda x: F.pad(x.view(1, 4, 2), (1, 1), "reflect"),
    "adaptive": lambda x: F.adaptive_avg_pool2d(x.view(1, 1, 4, 2), (3, 2)),
    "averaged": lambda x: F.avg_pool2d(x.view(1, 1, 4, 2), 2, 1),
    "nearest": lambda x: F.interpolate(x.view(1, 4, 2), size=3),
    "kl_div": lambda x: F.kl_div(x, X, reduction="sum"),
    "multi_margin": lambda x: F.multi_margin_loss(x, TARGET % 2),
    "determinant": lambda x: torch.linalg.det(x.t() @ x),
}
FUNCTIONS = OTHERS | {name: getattr(F, name) for name in ACTIVATIONS.split()}
FUNCTIONS |= {name: functools.partial(compared, getattr(F, name)) for name in LOSSES.split()}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_gradients_are_computed_by_graphs(name):
    def gradient(x):
        return torch.autograd.grad(FUNCTIONS[name](x).sin().sum(), x)[0]

    x = (X - 0.05 if name in ACTIVATIONS else X + 0.05).requires_grad_()
    other = x.detach().roll(1, 0).requires_grad_()
    torch.testing.assert_close(make_fx(gradient)(x)(other), gradient(other), atol=1e-5, rtol=1e-4)
