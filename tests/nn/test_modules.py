"""Modules as objects: what they register, store, move, copy and print, and the hooks of their calls."""

import copy
import io
import pickle
import warnings
from collections import OrderedDict

import pytest
import torch
import torch.nn as nn
from torch.nn.modules import module as module_hooks


class Block(nn.Module):
    def __init__(self, width=3):
        super().__init__()
        self.layer = nn.Linear(width, width)
        self.scale = nn.Parameter(torch.ones(width))
        self.register_buffer("seen", torch.zeros(1))
        self.register_buffer("scratch", torch.zeros(1), persistent=False)
        self.norm = nn.BatchNorm1d(width)

    def forward(self, x):
        return self.norm(self.layer(x) * self.scale)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block(), Block()])
        self.head = nn.Linear(3, 2)
        self.tied = self.head

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return self.head(x)


# ---- what is registered -----------------------------------------------------------------------------------------------
def test_names():
    net = Net()
    assert [name for name, _ in net.named_parameters()] == [
        f"blocks.{i}.{name}"
        for i in (0, 1)
        for name in ("scale", "layer.weight", "layer.bias", "norm.weight", "norm.bias")
    ] + ["head.weight", "head.bias"]
    assert [name for name, _ in net.named_parameters(remove_duplicate=False)][-2:] == ["tied.weight", "tied.bias"]
    assert [name for name, _ in net.named_buffers("p")][:3] == [
        "p.blocks.0.seen",
        "p.blocks.0.scratch",
        "p.blocks.0.norm.running_mean",
    ]
    assert [name for name, _ in net.named_children()] == ["blocks", "head"]
    assert [name for name, _ in net.named_modules()][:3] == ["", "blocks", "blocks.0"]
    assert len(list(net.modules())) == 9
    assert len(list(net.modules(remove_duplicate=False))) == 10
    assert [name for name, _ in net.named_parameters(recurse=False)] == []
    assert net.get_submodule("blocks.1.layer") is net.blocks[1].layer
    assert net.get_parameter("blocks.1.layer.bias") is net.blocks[1].layer.bias
    assert net.get_buffer("blocks.0.norm.running_var") is net.blocks[0].norm.running_var
    assert "scratch" not in str(list(net.state_dict()))
    assert sum(p.numel() for p in net.parameters()) == 2 * (9 + 3 + 3 + 6) + 8


def test_attributes_change_kind():
    module = nn.Module()
    module.a = 1
    module.a = nn.Parameter(torch.ones(1))
    assert "a" not in module.__dict__ and "a" in module._parameters
    with pytest.raises(TypeError, match="cannot assign"):
        module.a = nn.Linear(1, 1)
    del module.a
    module.a = nn.Linear(1, 1)
    assert "a" in module._modules
    module.a = nn.Parameter(torch.ones(1))
    assert "a" not in module._modules and "a" in module._parameters
    module.a = None
    assert module.a is None and module._parameters["a"] is None
    del module.a
    module.a = nn.Buffer(torch.ones(1), persistent=False)
    assert "a" in module._buffers and not module.state_dict()
    module.a = torch.zeros(2)
    assert module._buffers["a"].shape == (2,) and not module.state_dict()
    module.a = nn.Parameter(torch.ones(1))
    assert list(module._buffers) == [] and list(module.state_dict()) == ["a"]
    assert "a" in dir(module)
    with pytest.raises(AttributeError, match="has no attribute 'b'"):
        module.b  # noqa: B018
    with pytest.raises(AttributeError):
        del module.b


def test_nothing_before_init():
    class Hasty(nn.Module):
        def __init__(self, value):
            self.a = value

    for value, text in ((nn.Parameter(torch.ones(1)), "parameters"), (nn.ReLU(), "module")):
        with pytest.raises(AttributeError, match=f"cannot assign {text} before Module.__init__"):
            Hasty(value)


def test_init_reaches_the_next_class():
    class Other:
        def __init__(self, word):
            self.word = word

    class Both(nn.Module, Other):
        call_super_init = True

    assert Both(word="x").word == "x"


def test_set_submodule():
    net = Net()
    net.set_submodule("blocks.0.layer", nn.Identity())
    assert isinstance(net.blocks[0].layer, nn.Identity)
    net.set_submodule("new", nn.ReLU())
    assert isinstance(net.new, nn.ReLU)
    with pytest.raises(AttributeError, match="has no attribute `other`"):
        net.set_submodule("other", nn.ReLU(), strict=True)
    with pytest.raises(ValueError, match="without a target name"):
        net.set_submodule("", nn.ReLU())


# ---- modes and gradients ------------------------------------------------------------------------------------------------
def test_modes():
    net = Net()
    assert net.eval() is net
    assert not any(m.training for m in net.modules())
    net.train()
    assert all(m.training for m in net.modules())
    net.requires_grad_(False)
    assert not any(p.requires_grad for p in net.parameters())


def test_zero_grad():
    layer = nn.Linear(2, 2)
    layer(torch.ones(1, 2)).sum().backward()
    layer.zero_grad(set_to_none=False)
    assert torch.equal(layer.weight.grad, torch.zeros(2, 2))
    layer.zero_grad()
    assert layer.weight.grad is None


# ---- conversions -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "call",
    [
        lambda m: m.to("cpu", copy=True),
        lambda m: m.to("cpu", copy=False),
        lambda m: m.to(copy=True),
        lambda m: m.to(torch.ones(1), copy=True),
        lambda m: m.to("cpu", torch.float64, True, True),
        lambda m: m.to(torch.float64, False, False),
    ],
)
def test_a_module_is_never_copied(call):
    module = nn.Linear(2, 2)
    with pytest.raises(RuntimeError, match=r"\.to\(\) does not accept copy argument"):
        call(module)
    with pytest.raises(TypeError, match="invalid combination of arguments"):
        module.to("cpu", copy=0)
    with pytest.raises(TypeError, match="invalid combination of arguments"):
        module.to("cpu", 1)
    assert module.weight.dtype == torch.float32


def test_an_embedding_without_rows():
    for row in (1, -1, 5):
        with pytest.raises(IndexError):
            nn.functional.embedding(torch.tensor([0]), torch.tensor(1.0), padding_idx=row)
    for row in (0, None):
        with pytest.raises(RuntimeError, match="'weight' must be 2-D"):
            nn.functional.embedding(torch.tensor([0]), torch.tensor(1.0), padding_idx=row)
    none = nn.functional.embedding(torch.zeros(0, dtype=torch.int64), torch.ones(0, 3), padding_idx=0)
    assert none.shape == (0, 3)


def test_to_keeps_parameters_and_integers():
    net = Net()
    weight = net.head.weight
    net.head(torch.ones(1, 3)).sum().backward()
    net.to(torch.float64)
    assert net.head.weight is weight and weight.dtype == torch.float64
    assert weight.grad.dtype == torch.float64
    assert net.blocks[0].norm.num_batches_tracked.dtype == torch.int64
    assert net.half().head.bias.dtype == torch.float16
    assert net.float().head.bias.dtype == torch.float32
    assert net.bfloat16().head.bias.dtype == torch.bfloat16
    assert net.type(torch.float32).blocks[0].seen.dtype == torch.float32
    assert net.to(torch.ones(1, dtype=torch.float64)).head.bias.dtype == torch.float64
    assert net.to("cpu", torch.float32).head.bias.dtype == torch.float32
    assert net.to(device="cpu", dtype=torch.float64, non_blocking=True).head.bias.dtype == torch.float64
    assert net.cpu() is net
    with pytest.raises(TypeError, match="to\\(\\)"):
        net.to(3.5, 4, 5, 6, 7)


def test_meta():
    layer = nn.Linear(2, 3, device="meta")
    assert layer.weight.is_meta and isinstance(layer.weight, nn.Parameter)
    assert layer(torch.empty(4, 2, device="meta")).shape == (4, 3)
    with pytest.raises(NotImplementedError, match="to_empty"):
        layer.to("cpu")
    layer.to_empty(device="cpu")
    assert not layer.weight.is_meta and isinstance(layer.weight, nn.Parameter)
    skipped = nn.utils.skip_init(nn.Linear, 2, 3)
    assert skipped.weight.shape == (3, 2)


def test_apply():
    seen = []
    net = Net()
    assert net.apply(seen.append) is net
    assert seen[-1] is net and len(seen) == 9


# ---- copies and pickles ----------------------------------------------------------------------------------------------------
def test_deepcopy():
    net = Net()
    other = copy.deepcopy(net)
    assert other.tied is other.head and other.head is not net.head
    assert isinstance(other.head.weight, nn.Parameter)
    assert torch.equal(other.head.weight, net.head.weight)
    other.head.weight.data.zero_()
    assert not torch.equal(other.head.weight, net.head.weight)


def test_pickle():
    net = Net()
    other = pickle.loads(pickle.dumps(net))
    x = torch.randn(4, 3)
    assert torch.equal(other.eval()(x), net.eval()(x))
    parameter = nn.Parameter(torch.ones(2), requires_grad=False)
    parameter.word = "x"
    back = pickle.loads(pickle.dumps(parameter))
    assert isinstance(back, nn.Parameter) and not back.requires_grad and back.word == "x"


def test_save_and_load_of_a_whole_module():
    file = io.BytesIO()
    torch.save(nn.Sequential(nn.Linear(2, 2), nn.ReLU()), file)
    file.seek(0)
    assert isinstance(torch.load(file, weights_only=False)[0], nn.Linear)


# ---- state dicts -------------------------------------------------------------------------------------------------------------
def test_state_dict():
    net = Net()
    state = net.state_dict()
    assert isinstance(state, OrderedDict)
    assert not state["head.weight"].requires_grad
    assert state["head.weight"].data_ptr() == net.head.weight.data_ptr()
    assert net.state_dict(keep_vars=True)["head.weight"] is net.head.weight
    assert list(net.head.state_dict(prefix="p.")) == ["p.weight", "p.bias"]
    assert state._metadata["blocks.0.norm"] == {"version": 2}
    other = Net()
    assert str(other.load_state_dict(state)) == "<All keys matched successfully>"
    assert all(torch.equal(a, b) for a, b in zip(net.state_dict().values(), other.state_dict().values()))


def test_not_strict():
    net = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 3))
    result = net.load_state_dict({"0.weight": torch.zeros(2, 2), "x.y": torch.ones(1)}, strict=False)
    assert result.missing_keys == ["0.bias", "1.weight", "1.bias"] and result.unexpected_keys == ["x.y"]
    assert torch.equal(net[0].weight, torch.zeros(2, 2))
    with pytest.raises(RuntimeError, match="size mismatch for 0.weight"):
        net.load_state_dict({"0.weight": torch.zeros(2, 3)}, strict=False)


def test_assign():
    layer = nn.Linear(2, 2)
    state = {"weight": torch.zeros(2, 2, dtype=torch.float64), "bias": nn.Parameter(torch.zeros(2))}
    layer.load_state_dict(state, assign=True)
    assert layer.weight.dtype == torch.float64 and layer.weight.data_ptr() == state["weight"].data_ptr()
    assert isinstance(layer.weight, nn.Parameter) and layer.weight.requires_grad
    assert layer.bias is state["bias"]
    meta = nn.Linear(2, 2, device="meta")
    meta.load_state_dict(layer.state_dict(), assign=True)
    assert not meta.weight.is_meta


def test_extra_state():
    class Counting(nn.Linear):
        count = 0

        def get_extra_state(self):
            return {"count": self.count}

        def set_extra_state(self, state):
            self.count = state["count"]

    first, second = Counting(1, 1), Counting(1, 1)
    first.count = 7
    state = first.state_dict()
    assert state["_extra_state"] == {"count": 7}
    second.load_state_dict(state)
    assert second.count == 7
    with pytest.raises(RuntimeError, match='Missing key\\(s\\) in state_dict: "_extra_state"'):
        second.load_state_dict(nn.Linear(1, 1).state_dict())
    with pytest.raises(RuntimeError, match='Unexpected key\\(s\\) in state_dict: "_extra_state"'):
        nn.Linear(1, 1).load_state_dict(state)


def test_hooks_of_states():
    layer = nn.Sequential(nn.Linear(1, 1))
    calls = []
    layer.register_state_dict_pre_hook(lambda module, prefix, keep: calls.append(("pre", prefix, keep)))
    layer.register_state_dict_post_hook(lambda module, state, prefix, meta: state.update(more=torch.ones(1)))
    state = layer.state_dict()
    assert calls == [("pre", "", False)] and "more" in state

    def rename(module, state, prefix, meta, strict, missing, unexpected, errors):
        calls.append(strict)
        state[prefix + "0.weight"] = state.pop(prefix + "w")

    layer.register_load_state_dict_pre_hook(rename)
    layer.register_load_state_dict_post_hook(lambda module, keys: keys.unexpected_keys.clear())
    layer.load_state_dict({"w": torch.full((1, 1), 5.0), "0.bias": torch.ones(1), "y": torch.ones(1)})
    assert layer[0].weight.item() == 5 and calls[-1] is True
    with pytest.raises(RuntimeError, match="state_dict post-hook must return None"):
        layer.register_state_dict_post_hook(lambda *a: {})
        layer.state_dict()


def test_old_batch_norm_states():
    norm = nn.BatchNorm1d(2)
    state = norm.state_dict()
    del state["num_batches_tracked"]
    with pytest.raises(RuntimeError, match="num_batches_tracked"):
        norm.load_state_dict(state)
    state._metadata[""]["version"] = 1
    norm.load_state_dict(state)


# ---- hooks of calls --------------------------------------------------------------------------------------------------------------
def test_forward_hooks():
    layer = nn.Identity()
    calls = []

    def before(module, args):
        calls.append("a")
        return args[0] + 1

    def with_kwargs(module, args, kwargs):
        calls.append("b")
        return args, {**kwargs, "y": 2}

    first = layer.register_forward_pre_hook(before)
    layer.register_forward_pre_hook(with_kwargs, with_kwargs=True, prepend=True)
    layer.forward = lambda x, y=0: x * 10 + y
    assert layer(torch.tensor(1.0)).item() == 22 and calls == ["b", "a"]
    first.remove()
    layer.register_forward_hook(lambda module, args, output: output + 100)
    layer.register_forward_hook(lambda module, args, kwargs, output: output + kwargs["y"] * 1000, with_kwargs=True)
    assert layer(torch.tensor(1.0), y=3).item() == 10 + 2 + 100 + 2000
    layer.register_forward_pre_hook(lambda module, args, kwargs: 3, with_kwargs=True)
    with pytest.raises(RuntimeError, match="forward pre-hook must return None or a tuple"):
        layer(torch.tensor(1.0))


def test_always_called_hooks():
    class Failing(nn.Module):
        def forward(self, x):
            raise ValueError("no")

    failing, seen = Failing(), []
    failing.register_forward_hook(lambda *a: seen.append("plain"))
    failing.register_forward_hook(lambda *a: seen.append("always"), always_call=True)
    with pytest.raises(ValueError, match="no"):
        failing(1)
    assert seen == ["always"]


def test_global_hooks():
    seen = []
    handles = [
        module_hooks.register_module_forward_pre_hook(lambda module, args: seen.append("pre")),
        module_hooks.register_module_forward_hook(lambda module, args, output: seen.append("post")),
        module_hooks.register_module_parameter_registration_hook(lambda module, name, p: seen.append(name)),
        module_hooks.register_module_buffer_registration_hook(lambda module, name, b: seen.append(name)),
        module_hooks.register_module_module_registration_hook(lambda module, name, m: seen.append(name)),
        module_hooks.register_module_full_backward_hook(lambda module, gi, go: seen.append("backward")),
        module_hooks.register_module_full_backward_pre_hook(lambda module, go: seen.append("backward pre")),
    ]
    try:
        nn.Linear(1, 1)(torch.ones(1, 1, requires_grad=True)).backward()
        nn.Sequential(nn.ReLU()).register_buffer("b", torch.ones(1))
    finally:
        for handle in handles:
            handle.remove()
    assert seen == ["weight", "bias", "pre", "post", "backward pre", "backward", "0", "b"]
    nn.Linear(1, 1)(torch.ones(1))
    assert len(seen) == 8


def test_full_backward_hooks():
    net = nn.Sequential(nn.Linear(2, 2), nn.Tanh())
    seen = []
    net.register_full_backward_pre_hook(lambda module, grad_output: (grad_output[0] * 2,))
    net.register_full_backward_hook(lambda module, grad_input, grad_output: seen.append((grad_input, grad_output)))
    handle = net.register_full_backward_hook(lambda module, grad_input, grad_output: (grad_input[0] * 3,))
    x = torch.randn(4, 2, requires_grad=True)
    net(x).sum().backward()
    (grad_input,), (grad_output,) = seen[0]
    assert torch.equal(grad_output, torch.full((4, 2), 2.0))
    assert torch.allclose(x.grad, grad_input * 3)
    handle.remove()
    plain = x.grad.clone()
    x.grad = None
    net(x).sum().backward()
    assert torch.allclose(x.grad * 3, plain)
    with pytest.raises(RuntimeError, match="both regular backward hooks and full backward hooks"):
        net.register_backward_hook(lambda *a: None)


def test_old_backward_hooks():
    layer, seen = nn.Linear(2, 2), []
    layer.register_backward_hook(lambda module, grad_input, grad_output: seen.append(grad_output[0]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        layer(torch.ones(1, 2)).sum().backward()
    assert torch.equal(seen[0], torch.ones(1, 2))


# ---- lazy modules ------------------------------------------------------------------------------------------------------------------
@pytest.mark.filterwarnings("ignore:Lazy modules")
def test_lazy():
    layer = nn.LazyLinear(3)
    assert layer.has_uninitialized_params() and nn.parameter.is_lazy(layer.weight)
    copied = copy.deepcopy(layer)
    assert nn.parameter.is_lazy(copied.weight)
    with pytest.raises(ValueError, match="Attempted to use an uninitialized parameter"):
        layer.weight * 2
    layer.double()
    assert layer(torch.ones(4, 2, dtype=torch.float64)).shape == (4, 3)
    assert type(layer) is nn.Linear and layer.in_features == 2 and layer.weight.dtype == torch.float64
    assert type(layer.weight) is nn.Parameter
    copied.load_state_dict({"weight": torch.ones(3, 5), "bias": torch.ones(3)})
    assert copied.weight.shape == (3, 5)
    assert torch.equal(copied(torch.ones(1, 5)), torch.full((1, 3), 6.0))
    with pytest.raises(RuntimeError, match="uninitialized"):
        nn.Linear(2, 3).load_state_dict(nn.LazyLinear(3).state_dict())


@pytest.mark.filterwarnings("ignore:Lazy modules")
def test_lazy_norms():
    norm = nn.LazyBatchNorm2d()
    norm(torch.randn(2, 3, 4, 4))
    assert type(norm) is nn.BatchNorm2d and norm.num_features == 3 and int(norm.num_batches_tracked) == 1
    norm = nn.LazyInstanceNorm1d(affine=False, track_running_stats=False)
    norm(torch.randn(2, 3, 4))
    assert type(norm) is nn.InstanceNorm1d and norm.weight is None


@pytest.mark.filterwarnings("ignore:Lazy modules")
def test_lazy_convolutions():
    conv = nn.LazyConv2d(4, 3, groups=2, bias=False)
    assert conv(torch.randn(1, 6, 5, 5)).shape == (1, 4, 3, 3)
    assert type(conv) is nn.Conv2d and conv.in_channels == 6 and conv.weight.shape == (4, 3, 3, 3)
    conv = nn.LazyConvTranspose1d(4, 3)
    assert conv(torch.randn(6, 5)).shape == (4, 7) and type(conv) is nn.ConvTranspose1d
    with pytest.raises(RuntimeError, match="Expected 2D \\(unbatched\\) or 3D"):
        nn.LazyConv1d(2, 1)(torch.ones(3))
