"""torch.nn.utils: packed sequences, clipping, parametrisations, pruning, calls with other parameters, fusion."""

import copy

import pytest
import torch
import torch.nn as nn
import torch.nn.utils.parametrize as parametrize
import torch.nn.utils.prune as prune
from torch.nn.utils import rnn


# ---- packed sequences ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("kind", [nn.RNN, nn.GRU, nn.LSTM])
@pytest.mark.parametrize("bidirectional", [False, True])
def test_packed_is_each_by_itself(kind, bidirectional):
    torch.manual_seed(0)
    net = kind(3, 4, 2, bidirectional=bidirectional).double()
    sequences = [torch.randn(n, 3, dtype=torch.float64) for n in (2, 5, 3, 5, 1)]
    packed = rnn.pack_sequence(sequences, enforce_sorted=False)
    output, final = net(packed)
    assert isinstance(output, rnn.PackedSequence)
    for i, (sequence, found) in enumerate(zip(sequences, rnn.unpack_sequence(output))):
        alone, state = net(sequence)
        assert torch.allclose(found, alone)
        for whole, single in zip(final if kind is nn.LSTM else [final], state if kind is nn.LSTM else [state]):
            assert torch.allclose(whole[:, i], single)


def test_packed_state_is_permuted():
    net = nn.GRU(2, 3).double()
    x = torch.randn(4, 2, 2, dtype=torch.float64)
    h = torch.randn(1, 2, 3, dtype=torch.float64)
    packed = rnn.pack_padded_sequence(x, [2, 4], enforce_sorted=False)
    _, final = net(packed, h)
    for i, length in enumerate((2, 4)):
        assert torch.allclose(final[:, i], net(x[:length, i], h[:, i])[1])


def test_packing_round_trip():
    sequences = [torch.arange(n) for n in (3, 1, 4)]
    packed = rnn.pack_sequence(sequences, enforce_sorted=False)
    assert packed.batch_sizes.tolist() == [3, 2, 2, 1]
    padded, lengths = rnn.pad_packed_sequence(packed, batch_first=True, padding_value=-1)
    assert lengths.tolist() == [3, 1, 4] and padded[1].tolist() == [0, -1, -1, -1]
    assert all(torch.equal(a, b) for a, b in zip(rnn.unpack_sequence(packed), sequences))
    assert rnn.invert_permutation(torch.tensor([2, 0, 1])).tolist() == [1, 2, 0]
    assert packed.to(torch.float64).data.dtype == torch.float64 and packed.float().data.dtype == torch.float32
    assert packed.cpu() is packed and not packed.is_cuda
    with pytest.raises(ValueError, match="total_length"):
        rnn.pad_packed_sequence(packed, total_length=2)


def test_dropout_between_layers():
    torch.manual_seed(0)
    net = nn.LSTM(3, 4, 2, dropout=0.5)
    x = torch.randn(5, 2, 3)
    assert not torch.equal(net(x)[0], net(x)[0])
    net.eval()
    assert torch.equal(net(x)[0], net(x)[0])


# ---- gradients ---------------------------------------------------------------------------------------------------------------
def test_clipping():
    parameters = [nn.Parameter(torch.zeros(2)), nn.Parameter(torch.zeros(3)), nn.Parameter(torch.zeros(1))]
    parameters[0].grad = torch.tensor([3.0, 0.0])
    parameters[1].grad = torch.tensor([0.0, 4.0, 0.0])
    assert nn.utils.clip_grad_norm_(parameters, 10).item() == 5
    assert parameters[1].grad[1].item() == 4
    assert nn.utils.clip_grad_norm_(iter(parameters), 1).item() == 5
    assert abs(parameters[0].grad[0].item() - 0.6) < 1e-5
    assert nn.utils.clip_grad_norm_(parameters, 1e9, float("inf")).item() == pytest.approx(0.8, abs=1e-5)
    nn.utils.clip_grad_value_(parameters, 0.5)
    assert parameters[1].grad[1].item() == 0.5
    assert nn.utils.clip_grad_norm_([], 1).item() == 0


def test_vectors():
    layer = nn.Linear(2, 3)
    vector = nn.utils.parameters_to_vector(layer.parameters())
    assert vector.shape == (9,)
    nn.utils.vector_to_parameters(torch.arange(9.0), layer.parameters())
    assert torch.equal(layer.bias, torch.tensor([6.0, 7.0, 8.0]))


# ---- parametrisations ----------------------------------------------------------------------------------------------------------
class Symmetric(nn.Module):
    def forward(self, x):
        return x.triu() + x.triu(1).mT

    def right_inverse(self, x):
        return x.triu()


def test_parametrize():
    layer = nn.Linear(3, 3)
    before = layer.weight.detach().clone()
    parametrize.register_parametrization(layer, "weight", Symmetric())
    assert parametrize.is_parametrized(layer) and not parametrize.is_parametrized(layer, "bias")
    assert torch.equal(layer.weight, layer.weight.mT) and type(layer).__name__ == "ParametrizedLinear"
    assert torch.equal(layer.weight.triu(), before.triu())
    assert isinstance(layer, nn.Linear) and parametrize.type_before_parametrizations(layer) is nn.Linear
    layer(torch.ones(1, 3)).sum().backward()
    assert layer.parametrizations.weight.original.grad is not None
    layer.weight = torch.eye(3)
    assert torch.equal(layer.weight, torch.eye(3))
    other = copy.deepcopy(layer)
    assert torch.equal(other.weight, layer.weight)
    other.load_state_dict(layer.state_dict())
    with parametrize.cached():
        assert layer.weight is layer.weight
    assert layer.weight is not layer.weight
    parametrize.remove_parametrizations(layer, "weight")
    assert type(layer) is nn.Linear and isinstance(layer.weight, nn.Parameter)
    assert list(layer.state_dict()) == ["bias", "weight"] and torch.equal(layer.weight, torch.eye(3))


def test_orthogonal():
    for shape, kind in (((3, 3), "matrix_exp"), ((4, 2), "householder"), ((2, 4), "cayley"), ((2, 4), "householder")):
        layer = nn.utils.parametrizations.orthogonal(nn.Linear(*shape[::-1]).double(), orthogonal_map=kind)
        w = layer.weight if shape[0] >= shape[1] else layer.weight.mT
        assert torch.allclose(w.mT @ w, torch.eye(min(shape), dtype=torch.float64))
        target = nn.init.orthogonal_(torch.empty(*shape, dtype=torch.float64))
        layer.weight = target
        assert torch.allclose(layer.weight, target)


def test_weight_norm_reads_old_states():
    old = nn.Linear(3, 2)
    with pytest.warns(FutureWarning):
        nn.utils.weight_norm(old)
    new = nn.utils.parametrizations.weight_norm(nn.Linear(3, 2))
    new.load_state_dict(old.state_dict())
    assert torch.allclose(new.weight, old.weight)
    nn.utils.remove_weight_norm(old)
    assert torch.allclose(new.weight, old.weight) and list(old.state_dict()) == ["bias", "weight"]


def test_spectral_norm():
    torch.manual_seed(0)
    layer = nn.utils.parametrizations.spectral_norm(nn.Linear(4, 3), n_power_iterations=50)
    layer(torch.ones(1, 4))
    assert torch.linalg.matrix_norm(layer.weight, 2).item() == pytest.approx(1, abs=1e-4)
    layer = nn.utils.spectral_norm(nn.Linear(4, 3), n_power_iterations=50)
    layer(torch.ones(1, 4))
    assert torch.linalg.matrix_norm(layer.weight, 2).item() == pytest.approx(1, abs=1e-4)
    nn.utils.remove_spectral_norm(layer)
    assert list(layer.state_dict()) == ["bias", "weight"] and not layer._forward_pre_hooks


# ---- pruning -----------------------------------------------------------------------------------------------------------------------
def test_pruning():
    torch.manual_seed(0)
    layer = nn.Linear(4, 5)
    original = layer.weight
    prune.l1_unstructured(layer, "weight", 5)
    assert (layer.weight == 0).sum() == 5 and prune.is_pruned(layer)
    assert set(layer.state_dict()) == {"bias", "weight_orig", "weight_mask"} and layer.weight_orig is original
    assert layer.weight.abs()[layer.weight != 0].min() >= original.abs()[layer.weight == 0].max()
    prune.random_unstructured(layer, "weight", 0.2)
    assert (layer.weight == 0).sum() == 5 + 3
    prune.ln_structured(layer, "weight", 2, n=2, dim=0)
    assert (layer.weight.abs().sum(1) == 0).sum() >= 2
    assert len(next(iter(layer._forward_pre_hooks.values()))) == 3
    layer(torch.ones(1, 4)).sum().backward()
    assert torch.equal(original.grad == 0, layer.weight_mask == 0)
    zeros = (layer.weight == 0).sum()
    prune.remove(layer, "weight")
    assert not prune.is_pruned(layer) and isinstance(layer.weight, nn.Parameter) and (layer.weight == 0).sum() == zeros
    prune.custom_from_mask(layer, "bias", torch.tensor([1, 0, 1, 0, 1]))
    assert (layer.bias != 0).tolist() == [True, False, True, False, True]


def test_global_pruning():
    net = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 4))
    net[0].weight.data.fill_(1.0)
    net[1].weight.data.fill_(0.1)
    prune.global_unstructured([(net[0], "weight"), (net[1], "weight")], prune.L1Unstructured, amount=16)
    assert (net[0].weight == 0).sum() == 0 and (net[1].weight == 0).sum() == 16


# ---- others --------------------------------------------------------------------------------------------------------------------------
def test_functional_call():
    layer = nn.Linear(2, 2)
    own = layer.weight
    given = {"weight": torch.eye(2, requires_grad=True), "bias": torch.zeros(2)}
    x = torch.tensor([[1.0, 2.0]])
    result = nn.utils.stateless.functional_call(layer, given, x)
    assert torch.equal(result, x) and layer.weight is own
    result.sum().backward()
    assert given["weight"].grad is not None and own.grad is None
    net = nn.Module()
    net.a, net.forward = nn.Linear(2, 2), None
    net.b = net.a
    net.forward = lambda x: net.b(x)
    tied = nn.utils.stateless.functional_call(net, {"a.weight": torch.zeros(2, 2), "a.bias": torch.ones(2)}, (x,))
    assert torch.equal(tied, torch.ones(1, 2))


def test_fusion():
    linear, norm = nn.Linear(3, 4), nn.BatchNorm1d(4)
    norm(torch.randn(10, 4))
    linear.eval(), norm.eval()
    x = torch.randn(5, 3)
    assert torch.allclose(nn.utils.fuse_linear_bn_eval(linear, norm)(x), norm(linear(x)), atol=1e-6)
    with pytest.raises(AssertionError):
        nn.utils.fuse_linear_bn_eval(linear.train(), norm)
