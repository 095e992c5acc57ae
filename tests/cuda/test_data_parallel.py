"""torch.nn.DataParallel and its parts on two devices."""

import collections

import pytest
import torch
from torch import nn
from torch.nn.parallel import DataParallel, data_parallel, gather, parallel_apply, replicate, scatter
from torch.nn.parallel.scatter_gather import scatter_kwargs

pytestmark = pytest.mark.usefixtures("second")
Pair = collections.namedtuple("Pair", "a b")


class Model(nn.Module):
    """Weights that are shared, a frozen one, a buffer, and a child."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 2)
        self.again = self.linear
        self.frozen = nn.Parameter(torch.full((2,), 2.0), requires_grad=False)
        self.register_buffer("shift", torch.tensor([1.0, -1.0]))
        self.register_buffer("nothing", None)
        self.seen = []

    def forward(self, x, scale=1.0):
        self.seen.append((x.get_device(), torch.cuda.current_device(), torch.is_grad_enabled()))
        return self.again(self.linear(x)[:, :1].expand(-1, 3)) * self.frozen * scale + self.shift


@pytest.fixture
def model():
    torch.manual_seed(0)
    return Model().cuda(0)


def gradients(module):
    result = [None if p.grad is None else p.grad.cpu().clone() for p in module.parameters()]
    module.zero_grad()
    return result


def test_results_and_gradients_are_those_of_one_device(model):
    x = torch.randn(5, 3, device="cuda:0", requires_grad=True)
    expected = model(x, scale=2.0)
    expected.square().sum().backward()
    by_one, of_x = gradients(model), x.grad.cpu()
    x.grad = None
    model.seen.clear()
    result = DataParallel(model)(x, scale=2.0)
    assert result.get_device() == 0
    torch.testing.assert_close(result.cpu(), expected.cpu())
    assert sorted(model.seen) == [(0, 0, True), (1, 1, True)]
    result.square().sum().backward()
    torch.testing.assert_close(gradients(model), by_one)
    torch.testing.assert_close(x.grad.cpu(), of_x)


def test_without_gradients_and_to_another_device(model):
    model.seen.clear()
    with torch.no_grad():
        result = DataParallel(model, output_device=1)(torch.ones(4, 3))
    assert result.get_device() == 1 and not result.requires_grad
    assert sorted(model.seen) == [(0, 0, False), (1, 1, False)]


def test_a_batch_smaller_than_the_devices(model):
    model.seen.clear()
    assert DataParallel(model)(torch.ones(1, 3)).shape == (1, 2)
    assert [device for device, _, _ in model.seen] == [0]


def test_function_form_and_one_device(model):
    x = torch.randn(4, 3)
    expected = model(x.cuda()).cpu()
    for ids in ([0, 1], [0], None):
        torch.testing.assert_close(data_parallel(model, x.cuda(), ids).cpu(), expected)
    alone = DataParallel(model.cpu(), device_ids=[1])
    assert next(model.parameters()).get_device() == 1
    torch.testing.assert_close(alone(x).cpu(), expected)


def test_replicas_share_nothing_but_the_first_devices_buffers(model):
    first, second = replicate(model, [0, 1])
    assert first.shift.data_ptr() == model.shift.data_ptr() and second.shift.get_device() == 1
    assert second.linear is second.again and second.linear.weight.get_device() == 1
    assert not list(second.parameters()) and not second.linear.weight.is_leaf
    assert second.frozen.requires_grad is False and second.nothing is None
    for replica in replicate(model, [0, 1], detach=True):
        assert not replica.linear.weight.requires_grad


def test_scatter_of_trees():
    x = torch.arange(4.0, requires_grad=True)
    first, second = scatter({"x": [x, 3], "pair": Pair(x, "s"), "empty": ()}, [0, 1])
    assert first["x"][0].tolist() == [0, 1] and second["x"][0].get_device() == 1 and second["x"][1] == 3
    assert isinstance(second["pair"], Pair) and second["pair"].b == "s" and second["empty"] == ()
    (second["x"][0] * torch.tensor([1.0, 10.0], device="cuda:1")).sum().backward()
    assert x.grad.tolist() == [0, 0, 1, 10]
    positional, named = scatter_kwargs((x,), {"k": 1}, [0, 1])
    assert len(positional) == 2 and named == ({"k": 1}, {"k": 1})
    assert scatter_kwargs((), {}, [0, 1]) == ((), ())


def test_gather_of_trees():
    parts = [torch.full((2,), float(i), device=f"cuda:{i}", requires_grad=True) for i in range(2)]
    whole = gather([{"a": part, "n": None, "p": Pair(part, part)} for part in parts], 1)
    assert whole["a"].tolist() == [0, 0, 1, 1] and whole["a"].get_device() == 1 and whole["n"] is None
    assert isinstance(whole["p"], Pair) and gather(parts, "cpu").device.type == "cpu"
    (whole["a"] * torch.arange(4.0, device="cuda:1")).sum().backward()
    assert [part.grad.tolist() for part in parts] == [[0, 1], [2, 3]]
    with pytest.raises(ValueError, match="same number of keys"):
        gather([{"a": parts[0]}, {}], 0)
    with pytest.raises(AssertionError, match="Gather function not implemented for CPU tensors"):
        gather([torch.ones(1)], 0)


def test_gather_of_numbers_warns():
    numbers = [torch.tensor(float(i), device=f"cuda:{i}", requires_grad=True) for i in range(2)]
    with pytest.warns(UserWarning, match="Was asked to gather along dimension 0"):
        whole = gather(numbers, 0)
    whole.prod().backward()
    assert whole.tolist() == [0, 1] and [n.grad.item() for n in numbers] == [1, 0]


def test_errors_in_threads_say_where():
    class Bad(nn.Module):
        def forward(self, x):
            raise ValueError("no answer")

    parts = [torch.ones(1, device=f"cuda:{i}") for i in range(2)]
    with pytest.raises(ValueError, match="(?s)Caught ValueError in replica 0 on device 0.*no answer"):
        parallel_apply([Bad(), Bad()], parts)
    with pytest.raises(RuntimeError, match="in replica 1 on device None"):
        parallel_apply([nn.Identity(), nn.Identity()], [parts[0], 3])


def test_mistakes(model):
    with pytest.raises(RuntimeError, match=r"device cuda:1 \(device_ids\[0\]\) but found one .* on device: cuda:0"):
        DataParallel(model, device_ids=[1, 0])(torch.ones(2, 3))
    with pytest.raises(RuntimeError, match="no available devices were found"):
        DataParallel(model, device_ids=[])
    with pytest.raises(ValueError, match="Expected a non cpu device"):
        replicate(model, ["cpu"])
    with pytest.raises(AssertionError, match="Broadcast function not implemented for CPU tensors"):
        replicate(nn.Linear(1, 1), [0, 1])
