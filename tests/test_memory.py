"""Memory is given back, and several Python threads may calculate at once."""

import gc
import pathlib
import resource
import threading

import pytest
import torch


def megabytes():
    """What the process occupies now."""
    gc.collect()
    pages = int(pathlib.Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


def test_large_tensors_are_freed():
    def work(times):
        for _ in range(times):
            a = torch.ones(4_000_000)
            a = (a + 1)[::2].contiguous()

    work(5)
    before = megabytes()
    work(60)
    assert megabytes() - before < 60  # sixty of them would be a gigabyte


def test_small_tensors_and_views_do_not_pile_up():
    base = torch.arange(100.0)

    def work(times):
        for i in range(times):
            view = base[1:50].view(7, 7).t()
            view = view.unsqueeze(0).expand(3, 7, 7)
            value = (view + i).sum().item()
            parts = base.split(10)
            base.max(0)
            list(base[:5])
        return value, parts

    work(2000)
    before = megabytes()
    work(20_000)
    assert megabytes() - before < 20


def test_failing_calls_do_not_leak():
    a, b = torch.ones(200_000), torch.ones(3)

    def fail(times):
        for _ in range(times):
            for call in (
                lambda: a + b,
                lambda: torch.cat([a.clone(), b.view(1, 3)]),
                lambda: torch.add(a, 1, out=a[None].expand(2, -1)),
                lambda: a[b > 0],
            ):
                with pytest.raises((RuntimeError, IndexError)):
                    call()

    fail(20)
    before = megabytes()
    fail(200)
    assert megabytes() - before < 60


def test_a_view_keeps_its_storage():
    view = torch.arange(1000)[990:]
    gc.collect()
    others = [torch.zeros(1000, dtype=torch.int64) for _ in range(50)]
    assert view.tolist() == list(range(990, 1000)) and len(others) == 50


def test_python_threads():
    torch.manual_seed(0)
    a = torch.randint(-4, 5, (120, 120)).double()  # exact in any order
    expected = (a @ a).sum().item(), a.sort(1).values.sum(0)[3].item(), (a * 2 + a).abs().sum().item()
    failures = []

    def work():
        for _ in range(20):
            got = (a @ a).sum().item(), a.sort(1).values.sum(0)[3].item(), (a * 2 + a).abs().sum().item()
            if got != expected:
                failures.append(got)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_python_threads_share_one_generator():
    torch.manual_seed(0)
    drawn = []

    def draw():
        drawn.extend(torch.rand(100, dtype=torch.float64) for _ in range(30))

    threads = [threading.Thread(target=draw) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    values = torch.cat(drawn)
    assert len(set(values.tolist())) > 11_990  # nobody has been given the same numbers
    assert abs(values.mean().item() - 0.5) < 0.02
