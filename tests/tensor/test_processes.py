"""Threads and processes: several Python threads at once, forked children, and a system that gives no memory."""

import pathlib
import subprocess
import sys
import threading

import pytest
import torch

HOME = str(pathlib.Path(torch.__file__).parents[1])
ours = pytest.mark.skipif(
    not hasattr(torch._C, "_storage_filename"), reason="PyTorch hangs here, in OpenMP or the allocator of its BLAS"
)


def run(program, timeout=120):
    """What a fresh interpreter prints."""
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {HOME!r})\nimport torch\n{program}"],
        capture_output=True,
        text=True,
        timeout=timeout,
    )
    assert done.returncode == 0, (done.returncode, done.stdout, done.stderr)
    return done.stdout.split()


# ---- threads -----------------------------------------------------------------------------------------------
def together(work, count=6):
    """Runs work(number) in that many threads at once; their errors are the test's."""
    start, errors = threading.Barrier(count), []

    def body(number):
        start.wait()
        try:
            work(number)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=body, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors, errors


def test_everything_at_once():
    """Allocation, views, generators, in-place work, errors and big operations with the lock released."""
    shared = torch.arange(20_000.0)
    expected = (shared * 2 + 1).sum().item()
    handed_over = []

    def work(number):
        mine = torch.Generator().manual_seed(number)
        first = torch.rand(50, generator=mine)
        for i in range(60):
            assert (shared * 2 + 1).sum().item() == expected
            small = [torch.ones(j % 40) + i for j in range(60)]
            handed_over.append(small[number:])  # freed by whoever drops them
            if len(handed_over) > 5:
                handed_over.pop(0)
            view = shared[i:].view(-1)[::3]
            assert view[0].item() == i and view.clone().add_(1)[0].item() == i + 1
            try:
                shared + torch.ones(3)
            except RuntimeError:
                pass
            else:
                raise AssertionError("shapes differ")
            assert torch.sort(shared.flip(0)).values[-1].item() == 19_999
            torch.rand(3)
        assert torch.rand(50, generator=mine.manual_seed(number)).equal(first)

    together(work)
    assert shared.equal(torch.arange(20_000.0))


def test_tables_made_at_first_use():
    """In a fresh process, all threads reach what is made lazily at the same time."""
    program = """
import threading
import numpy
start = threading.Barrier(8)
def work():
    start.wait()
    a = torch.arange(6.0).view(2, 3)
    results.append((str(a.max(0)), repr(a), a.numpy().sum(), torch.eye(2).inverse().sum().item(),
                    torch.mm(a, a.t()).sum().item(), torch.sort(a).values.tolist(), str(torch.float32), a.type(),
                    float(torch.get_num_threads() > 0), torch.rand(3).shape))
results = []
threads = [threading.Thread(target=work) for _ in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
assert len(results) == 8 and all(r == results[0] for r in results), results
print("same")
"""
    assert run(program) == ["same"]


def test_the_generator_is_shared_out_without_gaps():
    """Threads that draw from one generator get other numbers each, and seeding it meanwhile breaks nothing."""
    generator = torch.Generator().manual_seed(3)
    drawn = [[] for _ in range(6)]
    together(lambda number: drawn[number].extend(torch.rand(8, generator=generator).tolist() for _ in range(200)))
    blocks = [tuple(block) for part in drawn for block in part]
    assert len(set(blocks)) == len(blocks) == 1200
    together(lambda number: [generator.manual_seed(i) and torch.rand(100, generator=generator) for i in range(300)])


def test_number_of_threads():
    before = torch.get_num_threads()
    try:
        for n in (1, 2, 3, before):
            torch.set_num_threads(n)
            assert torch.get_num_threads() == n
            assert torch.ones(100_000).sum().item() == 100_000
        for wrong in (0, -1):
            with pytest.raises(RuntimeError, match="positive"):
                torch.set_num_threads(wrong)
        for wrong in (1.5, "2", None):
            with pytest.raises((RuntimeError, TypeError)):
                torch.set_num_threads(wrong)
        assert torch.get_num_threads() == before
    finally:
        torch.set_num_threads(before)


# ---- fork --------------------------------------------------------------------------------------------------
WORK = """
def work():
    a = torch.arange(300_000.0)
    m = torch.ones(300, 300)
    return (a * 2 + 1).sum().item(), a.sort(descending=True).values[0].item(), (m @ m).sum().item(), a.var().item()
"""


@ours
def test_a_forked_child_computes():
    """The parent has used several threads, which the child does not have."""
    program = f"""
import os
{WORK}
torch.set_num_threads(4)
expected = work()
for again in range(2):
    child = os.fork()
    if child == 0:
        ok = work() == expected
        torch.rand(100_000), torch.zeros(1_000_000)
        os._exit(0 if ok else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert work() == expected  # and the parent goes on
print(torch.get_num_threads())
"""
    assert run(program) == ["4"]


@ours
def test_a_forked_child_may_ask_for_threads():
    program = f"""
import os
{WORK}
torch.set_num_threads(4)
expected = work()
child = os.fork()
if child == 0:
    torch.set_num_threads(3)
    os._exit(0 if work() == expected else 1)
assert os.waitpid(child, 0)[1] == 0
print("done")
"""
    assert run(program) == ["done"]


@ours
def test_multiprocessing_by_fork():
    program = f"""
import multiprocessing
{WORK}
def square(n):
    return (torch.arange(100_000.0) * n).sum().item()
torch.set_num_threads(3)
work()
with multiprocessing.get_context("fork").Pool(2) as pool:
    assert pool.map(square, range(6)) == [square(n) for n in range(6)]
print("done")
"""
    assert run(program) == ["done"]


def test_fork_in_a_thread():
    program = f"""
import os, threading
{WORK}
torch.set_num_threads(3)
expected = work()
status = []
def fork():
    child = os.fork()
    if child == 0:
        os._exit(0 if work() == expected else 1)
    status.append(os.waitpid(child, 0)[1])
for _ in range(2):
    thread = threading.Thread(target=fork)
    thread.start()
    thread.join()
print(*status)
"""
    assert run(program) == ["0", "0"]


# ---- no memory ---------------------------------------------------------------------------------------------
@ours
@pytest.mark.parametrize("megabytes", [8, 60])
def test_products_without_memory_for_blas(megabytes):
    program = f"""
import resource
torch.set_num_threads(1)
a = torch.ones(100, 100) + torch.eye(100)
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + {megabytes} * 2**20,) * 2)
for call in (lambda: a @ a, lambda: torch.linalg.inv(a)):
    try:
        call()
    except RuntimeError as error:
        print("refused" if "can't allocate memory" in str(error) else error)
print((a + 1).sum().item())
"""
    assert run(program) == ["refused", "refused", "20100.0"]


def test_a_limit_of_the_system_is_an_exception():
    """Under ulimit -v, with what can be large: an error each, and the process goes on."""
    program = """
import resource
torch.set_num_threads(1)
a = torch.ones(1000, 1000)
(a @ a).sum().item(), a.sort()
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 2**28, used + 2**28))
big = torch.ones(1).expand(2**28)
wide = torch.ones(1).expand(30_000, 30_000)
calls = [
    lambda: torch.empty(2**28), lambda: torch.zeros(2**30), lambda: torch.ones(2**27, 3), lambda: big + 1,
    lambda: big.contiguous(), lambda: big.clone(), lambda: torch.cat([big, big]), lambda: big.double(),
    lambda: torch.arange(2**28), lambda: torch.rand(2**28), lambda: torch.zeros(3).resize_(2**28), lambda: wide @ wide,
    lambda: torch.exp(big), lambda: big.sort(), lambda: torch.stack([big, big]), lambda: torch.eye(30_000),
    lambda: a.repeat(100, 100), lambda: torch.randperm(2**28), lambda: big.nonzero(), lambda: big[big > 0],
    lambda: torch.tensor([0.0]).expand(2**28).cumsum(0), lambda: torch.UntypedStorage(2**30), lambda: big.unique(),
    lambda: torch.zeros(3).untyped_storage().resize_(2**30),
]
failed = 0
for call in calls:
    try:
        call()
    except (RuntimeError, MemoryError):
        failed += 1
assert a.shape == (1000, 1000) and a.sum().item() == 1_000_000 and (a @ a)[0, 0].item() == 1000
print(failed, len(calls))
"""
    failed, count = run(program)
    assert failed == count


def test_interop_threads_are_set_once():
    """In a process of its own: it can be set once."""
    assert run(
        """
assert torch.get_num_interop_threads() > 0
def refused(value):
    try:
        torch.set_num_interop_threads(value)
    except RuntimeError as error:
        return str(error)
for value in (0, -1):
    assert refused(value) == "set_num_interop_threads expects a positive integer"
for value in (2.5, True, "x"):
    assert refused(value) == f"set_num_interop_threads expects an int, but got {type(value).__name__}"
assert refused(3) is None
assert "cannot set number of interop threads after" in refused(3)
print(torch.get_num_interop_threads())
"""
    ) == ["3"]
