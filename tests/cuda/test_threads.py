"""Threads of Python: who waits for a device keeps nobody else waiting, and the first use is one for all."""

import random
import subprocess
import sys
import threading

import pytest
import torch


def run(code, seconds=100):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=seconds)
    assert done.returncode == 0, done.stderr
    return done.stdout.split("\n")[:-1]


# ---- the interpreter's lock --------------------------------------------------------------------------------
# A stream waits for a semaphore, which another thread of Python posts: who waits for the stream must not hold the lock.
BLOCKED = """
import ctypes, faulthandler, re, threading, time, torch
faulthandler.dump_traceback_later(60, exit=True)
a = torch.arange(6, device="cuda")
mask, small, host = a > 2, torch.ones((), device="cuda"), torch.arange(6)
s, t = a.untyped_storage(), torch.UntypedStorage(48)
event = torch.cuda.Event()
torch.cuda.synchronize()
runtime = ctypes.CDLL(re.search(r"/\\S*libcudart\\S*", open("/proc/self/maps").read()).group())
libc = ctypes.CDLL(None)
semaphore = ctypes.create_string_buffer(64)
libc.sem_init(semaphore, 0, 0)

def post():
    time.sleep(0.02)
    libc.sem_post(semaphore)

for call in %s:
    poster = threading.Thread(target=post)
    poster.start()
    assert runtime.cudaLaunchHostFunc(None, libc.sem_wait, semaphore) == 0
    event.record()
    eval(call)
    poster.join()
    torch.cuda.synchronize()
print("done")
"""
WAITING = [
    "small.item()", "int(small)", "float(small)", "bool(small)", "a[1].__index__()", "a.tolist()", "repr(a)", "2 in a",
    "a[mask]", "a[a[1]]", "host[a[1]]", "a.cpu()", "a.to('cpu', torch.float32)", "a.numpy(force=True)", "a.nonzero()",
    "torch.equal(a, a)", "torch.unique(a)", "torch.full((2,), small)", "torch.tensor([small, 2])", "torch.arange(a[3])",
    "torch.repeat_interleave(a, a)", "s[3]", "s.tolist()", "s.cpu()", "t.copy_(s)", "s.copy_(t)", "s.fill_(1)",
    "a[:2].copy_(host[:2])", "torch.cuda.synchronize()", "torch.cuda.current_stream().synchronize()",
    "event.synchronize()", "torch.cuda.empty_cache()",
]  # fmt: skip


def test_who_waits_does_not_hold_the_lock():
    assert run(BLOCKED % WAITING) == ["done"]


# ---- the first use -----------------------------------------------------------------------------------------
def test_nobody_draws_before_the_seeds():
    expected = torch.rand(3, generator=torch.Generator().manual_seed(5))
    code = f"""
import threading, time, torch
begun = threading.Event()
def slow():
    begun.set()
    time.sleep(0.3)
torch.cuda._lazy_call(slow)
torch.cuda.manual_seed(5)
first = threading.Thread(target=torch.cuda.init)
first.start()
begun.wait()
assert not torch.cuda.is_initialized()
print(torch.rand(3, device="cuda").tolist() == {expected.tolist()})
first.join()
"""
    assert run(code) == ["True"]


def test_seeds_that_come_during_the_first_use():
    code = """
import threading, time, torch
begun = threading.Event()
def slow():
    begun.set()
    time.sleep(0.3)
torch.cuda.manual_seed(4)
torch.cuda._lazy_call(slow)
threading.Thread(target=torch.cuda.init).start()
begun.wait()
torch.cuda.manual_seed(7)
print(torch.cuda.initial_seed(), len(torch.cuda._queued))
"""
    assert run(code) == ["7 0"]


def test_what_is_queued_may_use_cuda():
    code = """
import torch
torch.cuda._lazy_call(lambda: print(torch.ones(2, device="cuda").tolist(), torch.cuda.is_initialized()))
torch.cuda._lazy_call(lambda: 1 / 0)
torch.cuda.manual_seed(3)
try: torch.cuda.init()
except torch.cuda.DeferredCudaCallError as error: print("division" in str(error))
print(torch.cuda.is_initialized(), torch.cuda.initial_seed())
"""
    assert run(code) == ["[1.0, 1.0] False", "True", "True 3"]


def test_a_fork_during_the_first_use():
    code = """
import os, threading, time, torch, warnings; warnings.simplefilter("ignore")
begun = threading.Event()
def slow():
    begun.set()
    time.sleep(0.5)
torch.cuda._lazy_call(slow)
first = threading.Thread(target=torch.cuda.init)
first.start()
begun.wait()
child = os.fork()
if child == 0:
    import faulthandler; faulthandler.dump_traceback_later(20, exit=True)
    torch.manual_seed(3)
    try: torch.ones(2, device="cuda")
    except RuntimeError as error: os._exit(7 if "forked subprocess" in str(error) else 8)
    os._exit(9)
first.join()
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), torch.ones(2, device="cuda").tolist())
"""
    assert run(code) == ["7 [1.0, 1.0]"]


def test_the_end_of_the_process():
    """Streams, events, tensors and threads that are still there when the interpreter ends."""
    code = """
import threading, torch
stream, event = torch.cuda.Stream(), torch.cuda.Event()
a = torch.ones(1000, device="cuda")
a.record_stream(stream)
event.record(stream)
borrowed = torch.from_dlpack(a)
stop = threading.Event()
def work():
    while True: torch.ones(10, device="cuda").add_(1).sum().item()
threading.Thread(target=work, daemon=True).start()
print((a + 1).sum().item())
"""
    assert run(code) == ["2000.0"]


# ---- what threads share ------------------------------------------------------------------------------------
def test_threads_enter_one_stream():
    """Each leaves it to the stream that was its own before."""
    shared, own = torch.cuda.Stream(), torch.cuda.Stream()
    entered, left = threading.Event(), threading.Event()
    found = []

    def work():
        torch.cuda.set_stream(own)
        with shared:
            entered.set()
            left.wait()
        found.append(torch.cuda.current_stream())

    thread = threading.Thread(target=work)
    with shared:
        thread.start()
        entered.wait()
    after = torch.cuda.current_stream()
    left.set()
    thread.join()
    assert after == torch.cuda.default_stream() and found == [own]


# ---- much at once ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("rounds", [40])
def test_threads_on_streams_of_devices(second, rounds):
    """Two threads, each with a stream on each device: allocations, kernels, copies between the devices and the host,
    events from stream to stream, memory that is freed while a stream uses it."""
    failures = []

    def work(seed):
        try:
            draw = random.Random(seed)
            streams = [torch.cuda.Stream(0), torch.cuda.Stream(second)]
            tensors = {}
            for step in range(rounds):
                i = draw.randrange(2)
                mine, other = streams[i], streams[1 - i]
                n = draw.choice((1, 100, 5000, 300_000))
                with torch.cuda.stream(mine):
                    a = torch.full((n,), float(step), device="cuda")
                    a += seed
                    tensors[step] = a
                done = mine.record_event()
                with torch.cuda.stream(other):
                    done.wait(other)
                    there = a.to(streams[1 - i].device, non_blocking=True)
                    a.record_stream(other)
                    here = (there * 2).to("cpu", non_blocking=draw.random() < 0.5)
                    other.synchronize()
                    assert (here == 2 * (step + seed)).all(), (seed, step, here)
                if len(tensors) > 4:
                    tensors.pop(draw.choice(list(tensors)))
                if draw.random() < 0.1:
                    torch.cuda.empty_cache()
            for step, a in tensors.items():
                with torch.cuda.stream(streams[a.device.index]):
                    assert (a == step + seed).all().item()
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures, failures
