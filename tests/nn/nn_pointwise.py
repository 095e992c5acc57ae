"""What is asked of activations and criterions beyond nn_cases.py: gradients of both orders, names of nodes, corners in
float, and refusals."""

_ACTIVATIONS = [
    "F.celu(x, 1.7)",
    "F.elu(x, 0.8)",
    "F.elu(x.clone(), 0.8, inplace=True)",
    "F.selu(x)",
    "F.selu(x.clone(), inplace=True)",
    "F.celu(x.clone(), 1.7, inplace=True)",
    "F.gelu(x)",
    "F.gelu(x, approximate='tanh')",
    "F.silu(x)",
    "F.silu(x.clone(), inplace=True)",
    "F.mish(x)",
    "F.mish(x.clone(), inplace=True)",
    "F.softplus(x, 2, 3)",
    "F.softplus(x, -0.5)",
    "F.logsigmoid(x)",
    "F.hardswish(x)",
    "F.hardswish(x.clone(), inplace=True)",
    "F.hardtanh(x, -0.5, 2)",
    "F.hardtanh(x.clone(), -0.5, 2, inplace=True)",
    "F.relu6(x)",
    "F.relu6(x.clone(), inplace=True)",
    "F.relu(x)",
    "F.leaky_relu(x, 0.3)",
    "F.leaky_relu(x.clone(), 0.3, inplace=True)",
    "F.threshold(x, 0.1, 20.0)",
    "F.threshold(x.clone(), 0.1, 20.0, inplace=True)",
    "F.hardshrink(x, 0.5)",
    "F.softshrink(x, 0.5)",
    "F.glu(x)",
    "F.glu(x.view(4, 2, 2).transpose(0, 1), 1)",
    "torch.tanh(x)",
    "torch.sigmoid(x)",
]
# At 0, PyTorch's second derivative of prelu is for another slope than its first one.
_PRELUS = [
    "F.prelu(x, torch.tensor(0.25, dtype=x.dtype))",
    "F.prelu(x.view(2, 4, 2), torch.tensor([0.25, -1.0, 2.0, 0.5], dtype=x.dtype))",
    "F.prelu(x.view(4, 4).t(), torch.tensor([0.25, -1.0, 2.0, 0.5], dtype=x.dtype))",
    "F.prelu(torch.arange(-8.0, 8.0, dtype=x.dtype).view(4, 4), x[:4])",
    "F.prelu(torch.arange(-8.0, 8.0, dtype=x.dtype), x[:1])",
]
_Z = "torch.arange(16, dtype=x.dtype).sin()"
_P = "torch.arange(16, dtype=x.dtype).sin().abs()"
_C = "torch.tensor([1, 0, 3, 2])"
_W = "torch.tensor([0.5, 1.0, 2.0, 0.25], dtype=x.dtype)"
_REDUCTIONS = ("none", "mean", "sum")
_LOSSES = [
    call.format(f"reduction='{reduction}'")
    for reduction in _REDUCTIONS
    for call in (
        f"F.mse_loss(x, {_Z}, {{}})",
        f"F.mse_loss({_Z}, x, {{}})",
        f"F.l1_loss(x, {_Z}, {{}})",
        f"F.smooth_l1_loss(x, {_Z}, beta=0.7, {{}})",
        f"F.smooth_l1_loss({_Z}, x, {{}})",
        f"F.huber_loss(x, {_Z}, delta=0.7, {{}})",
        f"F.soft_margin_loss(x, {_Z}.sign(), {{}})",
        f"F.kl_div(x, {_P}, {{}})",
        f"F.kl_div(x, -{_P}, log_target=True, {{}})",
        f"F.binary_cross_entropy(x.sigmoid(), {_P}, {{}})",
        f"F.binary_cross_entropy(x.sigmoid(), {_P}, weight={_Z}, {{}})",
        f"F.binary_cross_entropy_with_logits(x, {_P}, {{}})",
        f"F.binary_cross_entropy_with_logits(x, {_P}, weight={_P}, pos_weight={_P} + 1, {{}})",
        f"F.nll_loss(x.view(4, 4), {_C}, {{}})",
        f"F.nll_loss(x.view(4, 4).t(), {_C}, weight={_W}, ignore_index=3, {{}})",
        f"F.nll_loss(x.view(2, 4, 2), {_C}.view(2, 2), weight={_W}, {{}})",
        f"F.nll_loss(x.view(2, 2, 2, 2), {_C}.view(2, 2, 1).expand(2, 2, 2) % 2, {{}})",
        "F.nll_loss(x, torch.tensor(7), {})",
        f"F.cross_entropy(x.view(4, 4), {_C}, weight={_W}, label_smoothing=0.2, ignore_index=1, {{}})",
        f"F.cross_entropy(x.view(2, 4, 2), {_P}.view(2, 4, 2), weight={_W}, label_smoothing=0.1, {{}})",
    )
]
_MARGINS = [
    call.format(f"reduction='{reduction}'")
    for reduction in _REDUCTIONS
    for call in (
        f"F.multi_margin_loss(x.view(4, 4), {_C}, {{}})",
        f"F.multi_margin_loss(x.view(4, 4), {_C}, p=2, margin=0.5, weight={_W}, {{}})",
        "F.multi_margin_loss(x, torch.tensor(3), {})",
        "F.multilabel_margin_loss(x.view(4, 4), "
        "torch.tensor([[1, -1, 0, 0], [0, 3, 2, 1], [2, 2, -1, -1], [-1, 0, 1, 2]]), {})",
        "F.multilabel_margin_loss(x[:4], torch.tensor([1, 3, -1, -1]), {})",
    )
]
_X = "x = edges()"
_NOISE = "x = r(16)"
# PyTorch has no second derivative of these, or (of rrelu) one that is 0.
_SIGMOIDS = ["F.rrelu(x, 0.2, 0.6)", "F.hardsigmoid(x)", "F.hardsigmoid(x.clone(), inplace=True)"]
ONCE = dict.fromkeys(_MARGINS, _NOISE) | dict.fromkeys(_SIGMOIDS, _X)
TWICE = dict.fromkeys(_ACTIVATIONS, _X) | dict.fromkeys(_LOSSES + _PRELUS, _NOISE)
# In float: what overflows, what is not a number, and results of the half types.
FLOATS = {
    f"{call}.{kind}()": "x = torch.tensor([-1e30, -200.0, -89.0, -20.0, -1e-3, -0.0, 0.0, 1e-3, 20.5, 89.0, 200.0, 1e30])"
    for call in (
        "F.gelu(x)",
        "F.gelu(x, approximate='tanh')",
        "F.silu(x)",
        "F.mish(x)",
        "F.softplus(x)",
        "F.logsigmoid(x)",
        "F.elu(x)",
        "F.selu(x)",
        "F.hardtanh(x)",
        "F.hardswish(x)",
        "F.hardsigmoid(x)",
        "F.softshrink(x)",
        "F.hardshrink(x)",
        "torch.tanh(x)",
    )
    for kind in ("float", "bfloat16")
} | {
    f"{call}.double()": "x = torch.tensor([float('nan'), float('inf'), -float('inf')])"
    for call in (
        "F.gelu(x[:1])",
        "F.silu(x)",
        "F.mish(x[:2])",
        "F.softplus(x)",
        "F.logsigmoid(x)",
        "F.elu(x)",
        "F.celu(x)",
        "F.hardtanh(x)",
        "F.leaky_relu(x)",
        "F.threshold(x, 0.0, 1.0)",
        "F.hardshrink(x)",
        "F.softshrink(x)",
        "torch.tanh(x)",
    )
}

_ONE = "torch.ones(2, 2, requires_grad=True)"
_TWO = "(torch.ones(2, 2, requires_grad=True) * 1)"
_HALF = "torch.full((2, 2), 0.5)"
_ZERO = "torch.zeros(2).long()"
NODES = (
    [
        f"F.{name}({_ONE})"
        for name in (
            "celu elu gelu glu hardshrink hardsigmoid hardswish hardtanh leaky_relu logsigmoid mish relu relu6 selu silu "
            "softplus softshrink rrelu tanhshrink softsign"
        ).split()
    ]
    + [
        f"F.{name}({_TWO}, inplace=True)"
        for name in "celu elu hardtanh leaky_relu selu silu mish hardsigmoid hardswish relu6".split()
    ]
    + [
        f"F.threshold({_ONE}, 0.1, 0.0)",
        f"F.threshold({_TWO}, 0.1, 0.0, inplace=True)",
        f"F.rrelu({_ONE}, training=True)",
        f"F.prelu({_ONE}, {_ONE}[0])",
        f"F.binary_cross_entropy({_ONE}, {_HALF})",
        f"F.binary_cross_entropy_with_logits({_ONE}, {_HALF})",
        f"F.nll_loss({_ONE}, {_ZERO})",
        f"F.nll_loss({_ONE}.view(2, 1, 2), {_ZERO}.view(2, 1).expand(2, 2))",
        f"F.cross_entropy({_ONE}, {_ZERO})",
        f"F.multi_margin_loss({_ONE}, {_ZERO})",
        f"F.multilabel_margin_loss({_ONE}, {_ZERO}.expand(2, 2))",
    ]
    + [
        f"F.{name}({_ONE}, {_HALF}, reduction='{reduction}')"
        for name in "mse_loss l1_loss smooth_l1_loss huber_loss soft_margin_loss kl_div".split()
        for reduction in _REDUCTIONS
    ]
)

# The whole text is PyTorch's where None stands, and begins as its own does where there is a text.
_I = "torch.arange(4)"
_IN_PLACE = "calculation is triggered with a negative slope which is not supported"
REFUSED = {
    f"F.{name}({_I})": None
    for name in (
        "elu selu celu gelu hardshrink hardsigmoid hardswish leaky_relu logsigmoid mish silu softplus softshrink".split()
    )
} | {
    f"F.glu({_ONE}[:1], 0)": None,
    "F.glu(torch.tensor(1.0))": None,
    f"F.softshrink({_ONE}, -1)": None,
    f"F.celu({_ONE}, 0.0)": None,
    f"F.gelu({_ONE}, approximate='exact')": "approximate argument must be either none or tanh.",
    f"F.rrelu({_ONE}, 0.5, 0.1)": None,
    f"F.prelu({_ONE}, torch.ones(3))": None,
    f"F.prelu({_ONE}, torch.ones(1, 1))": None,
    f"F.prelu({_ONE}, torch.ones(1).double())": None,
    "F.prelu(torch.tensor(1.0), torch.ones(3))": None,
    "F.hardtanh(torch.arange(4).byte(), -1, 1)": None,
    f"F.leaky_relu({_TWO}, -0.1, inplace=True).sum().backward()": f"In-place leakyReLu backward {_IN_PLACE}",
    f"F.elu({_TWO}, -0.1, inplace=True).sum().backward()": f"In-place elu backward {_IN_PLACE}",
    f"F.mse_loss({_I}, {_I})": None,
    f"F.smooth_l1_loss({_I}, {_I})": None,
    f"F.huber_loss({_I}, {_I})": None,
    f"F.huber_loss({_ONE}, {_ONE}, delta=0.0)": "huber_loss does not support non-positive values for delta.",
    f"F.smooth_l1_loss({_ONE}, {_ONE}, beta=-1.0)": "smooth_l1_loss does not support negative values for beta.",
    f"F.binary_cross_entropy({_ONE} + 1, {_HALF})": None,
    f"F.nll_loss({_ONE}, torch.tensor([0, 9]))": None,
    f"F.nll_loss({_ONE}, torch.tensor([0, 1]).int())": None,
    f"F.nll_loss({_ONE}, torch.tensor([0, 1, 1]))": None,
    f"F.nll_loss({_ONE}, torch.tensor([0, 1]), weight=torch.ones(3))": None,
    f"F.nll_loss({_ONE}.view(1, 2, 2), torch.tensor([0, 1]).view(2, 1))": None,
    f"F.nll_loss({_ONE}.view(1, 2, 2), torch.tensor([[0, 1, 1]]))": None,
    f"F.cross_entropy({_ONE}, torch.zeros(2, 2).long())": None,
    f"F.cross_entropy({_ONE}, torch.zeros(2).long(), label_smoothing=1.5)": "label_smoothing must be between 0.0 and 1.0.",
    f"F.multi_margin_loss({_ONE}, torch.tensor([0, 9]))": None,
    f"F.multi_margin_loss({_ONE}, torch.tensor([0]))": None,
    f"F.multilabel_margin_loss({_ONE}, torch.tensor([0]))": None,
    f"F.multilabel_margin_loss({_ONE}, torch.tensor([[0, 9], [0, 0]]))": "",
}
