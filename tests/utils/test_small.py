"""Small doors of torch.utils: swap_tensors, ThroughputBenchmark, what is refused by name."""

import weakref

import pytest
import torch
from torch import nn
from torch.utils import mobile_optimizer, swap_tensors
from torch.utils.throughput_benchmark import ThroughputBenchmark, format_time


# ---- swap_tensors ------------------------------------------------------------------------------------------------
def test_swap_exchanges_everything_but_identity():
    a, b = torch.ones(2), torch.zeros(3)
    a.note = 1
    before = id(a)
    assert swap_tensors(a, b) is None
    assert id(a) == before and a.tolist() == [0, 0, 0] and b.tolist() == [1, 1]
    assert not hasattr(a, "note") and b.note == 1


def test_swap_of_a_parameter():
    p, c = nn.Parameter(torch.ones(2)), torch.zeros(1)
    swap_tensors(p, c)
    assert type(p) is torch.Tensor and type(c) is nn.Parameter
    assert not p.requires_grad and c.requires_grad and c.tolist() == [1, 1]
    (c * 2).sum().backward()
    assert c.grad.tolist() == [2, 2] and p.grad is None


def test_swap_keeps_histories():
    z = torch.ones(2, requires_grad=True)
    u, d = z * 2, torch.ones(4)
    swap_tensors(d, u)
    assert d.grad_fn.name() == "MulBackward0" and u.grad_fn is None
    d.sum().backward()
    assert z.grad.tolist() == [2, 2]


def test_swap_of_a_module_s_parameter_is_seen_by_the_optimizer():
    module = nn.Linear(2, 1, bias=False)
    optimizer = torch.optim.SGD(module.parameters(), lr=1)
    swap_tensors(module.weight, nn.Parameter(torch.zeros(1, 2)))
    module(torch.ones(1, 2)).sum().backward()
    optimizer.step()
    assert module.weight.tolist() == [[-1, -1]]


def test_swap_refuses():
    a, b = torch.ones(2), torch.zeros(2)
    reference = weakref.ref(b)
    with pytest.raises(RuntimeError, match="Cannot swap t2 because it has weakref associated with it"):
        swap_tensors(a, b)
    with pytest.raises(TypeError, match="t1 has to be a tensor, not int"):
        swap_tensors(1, a)

    class Slotted(torch.Tensor):
        __slots__ = ["q"]

    with pytest.raises(RuntimeError, match="different slots"):
        swap_tensors(a, torch.ones(1).as_subclass(Slotted))
    assert a.tolist() == [1, 1] and reference() is b and b.tolist() == [0, 0]


# ---- throughput --------------------------------------------------------------------------------------------------
def test_throughput():
    calls = []

    def module(x, scale=1):
        calls.append(scale)
        return x * scale

    benchmark = ThroughputBenchmark(module)
    assert benchmark.run_once(torch.ones(1), scale=3).item() == 3
    with pytest.raises(RuntimeError, match="Did you forget to call add_input"):
        benchmark.benchmark()
    benchmark.add_input(torch.ones(1), scale=2)
    calls.clear()
    stats = benchmark.benchmark(num_calling_threads=2, num_warmup_iters=2, num_iters=20)
    assert len(calls) == 24 and set(calls) == {2} and stats.num_iters == 20
    assert stats.iters_per_second == pytest.approx(20 / stats.total_time_seconds)
    assert stats.latency_avg_ms == pytest.approx(stats.total_time_seconds * 1000 * 2 / 20)
    assert "Average latency per example: " in str(stats)


def test_throughput_raises_what_the_module_raises():
    def module(x):
        raise ValueError("broken")

    benchmark = ThroughputBenchmark(module)
    benchmark.add_input(1)
    with pytest.raises(ValueError, match="broken"):
        benchmark.benchmark(num_calling_threads=2)


def test_format_time():
    assert [format_time(time_us=5.1), format_time(time_us=5100), format_time(time_s=3)] == [
        "5.100us",
        "5.100ms",
        "3.000s",
    ]
    with pytest.raises(AssertionError, match="Expected only one"):
        format_time(1, 2)


# ---- what is not there -------------------------------------------------------------------------------------------
def test_refused_by_name():
    with pytest.raises(TypeError, match="no TorchScript"):
        mobile_optimizer.optimize_for_mobile(nn.Linear(1, 1))
    for name in ("rename_privateuse1_backend", "generate_methods_for_privateuse1_backend"):
        with pytest.raises(NotImplementedError, match=name):
            getattr(torch.utils, name)(*["x"] * (name[0] == "r"))


def test_names():
    class Thing:
        pass

    torch.utils.set_module(Thing, "somewhere")
    assert Thing.__module__ == "somewhere"
    assert "frame #0: " in torch.utils.get_cpp_backtrace()
    assert torch.utils.ThroughputBenchmark is ThroughputBenchmark
