"""Memory is given back, and several Python threads may calculate at once."""

import gc
import os
import subprocess
import sys
import threading

import memory
import pytest
import torch
from memory import megabytes


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


class Derived(torch.Tensor):
    """For what derived types cost."""


def operations(times):
    """Many kinds of work, two hundred operations a round or so, with errors among them."""
    import copy
    import io
    import pickle

    base = torch.arange(24.0).view(2, 3, 4)
    index = torch.tensor([1, 0])
    result = torch.zeros(2, 3, 4)
    for i in range(times):
        for _ in range(4):
            (base + 1) * 2 - base / 3
            base[0, :, 1:].t().contiguous().sum(0, keepdim=True)
            base[index].unsqueeze(0).expand(2, 2, 3, 4).reshape(-1)
            torch.cat([base, base]).clone().add_(1).mul_(2).clamp_(0, 5)
            torch.zeros(5).resize_(700).resize_(3).tolist()
            base.numpy().sum()
            torch.tensor([[1, 2], [3, 4]]).float().max().item()
            torch.add(base, 1, out=result), 2 - base, base.ge(3), -base, base**2, 1.5 in base, float(base[0, 0, 0])
            result.copy_(base)[0, 1] = 3
            result[result > 5] = 0
            result += 1
            base.as_subclass(Derived) + 1, base[0].as_subclass(Derived).T, torch.max(base, 0), base.split(1)
            base[..., None, 1:, :], base[index, 1], base[[1, 0]], [*base[0]], base.numpy()[0, 0]
            for wrong in (
                lambda: base + index,
                lambda: base[7],
                lambda: torch.exp("x"),
                lambda: base.view(5),
                lambda: torch.cat([base, "y"]),
                lambda: torch.add(base, 1, out=index),
                lambda: base.__setitem__(0, torch.ones(7)),
                lambda: torch.tensor([[1], [2, 3]]),
                lambda: bool(base),
                lambda: torch.empty(2**62),
            ):
                try:
                    wrong()
                except (RuntimeError, IndexError, TypeError, ValueError):
                    pass
                else:
                    raise AssertionError("no error")
            str(base.shape), base.storage_offset(), base.untyped_storage().nbytes()
        if i % 50 == 0:
            copy.deepcopy(pickle.loads(pickle.dumps(base[1])))
            torch.save([base, base[0]], file := io.BytesIO())
            torch.load(io.BytesIO(file.getvalue()))
            torch.from_dlpack(base).untyped_storage().resizable()


def test_nothing_piles_up():
    """100,000 operations; `PYTHONPATH=tests python tests/tensor/test_memory.py` does a million and prints what the process occupies."""
    operations(200)
    before = megabytes()
    operations(500)
    assert megabytes() - before < 3


def test_huge_tensors_go_back_to_the_system():
    """Large blocks are mapped by themselves: memory that is not written is not occupied, and it is returned at once."""
    before = megabytes()
    tensor = torch.empty(2**28)  # a gigabyte
    assert megabytes() - before < 50
    tensor[: 2**24] = 1
    assert 60 < megabytes() - before < 200
    del tensor
    assert megabytes() - before < 20


STEPS = """
import ctypes, resource, torch
from memory import megabytes

ctypes.CDLL(None).prctl(41, 1, 0, 0, 0)  # no pages of 2 MiB: faults count what is touched first
used = torch.ones(2**25)  # 128 MiB

def step():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    first = torch.ones(2**24)
    second = first + 1
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

step()
print(max(step() for _ in range(3)))
before = megabytes()
other = torch.ones(2**24 + 2**21)  # no block of that size is there: one that is kept must go
print(megabytes() - before)
"""


def test_what_one_step_frees_serves_the_next():
    """128 MiB of results a step, beside as much in use: no page is new, and no peak is passed."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([os.path.dirname(memory.__file__), *sys.path])}
    done = subprocess.run([sys.executable, "-c", STEPS], env=environment, capture_output=True, text=True, check=True)
    faults, more = map(float, done.stdout.split())
    assert faults < 2000  # of 32,768
    assert more < 20


@pytest.mark.parametrize("count", [2**45, 2**60, 2**62, 2**63 - 1])
def test_more_than_there_is(count):
    with pytest.raises((RuntimeError, MemoryError)):
        torch.empty(count)
    with pytest.raises((RuntimeError, MemoryError)):
        torch.zeros(3).resize_(count)
    assert torch.zeros(3).tolist() == [0, 0, 0]


if __name__ == "__main__":
    operations(500)
    start = megabytes()
    for done in range(10):
        operations(833)
        print(f"{(done + 1) * 160_000} operations: {megabytes() - start:+.2f} MB")
