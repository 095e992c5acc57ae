"""The backward pass in several threads, and what ends where."""

import signal
import subprocess
import sys
import threading
import time

import pytest
import torch
from in_threads import in_threads


def leaf(*size):
    return torch.ones(*size, requires_grad=True)


def test_graphs_of_their_own():
    def run(i):
        for _ in range(50):
            x = torch.full((100,), float(i), requires_grad=True)
            (x * x).sum().backward()
            assert x.grad[0].item() == 2 * i

    in_threads(4, run)


def test_one_leaf():
    x = leaf(100)
    in_threads(4, lambda i: [(x * 2).sum().backward() for _ in range(50)])
    assert x.grad.tolist() == [400] * 100


def test_one_graph():
    x = leaf(100)
    y = (x * 2).exp().sum()
    in_threads(4, lambda i: [y.backward(retain_graph=True) for _ in range(20)])
    assert torch.allclose(x.grad, 80 * 2 * torch.tensor(2.0).exp().expand(100))


def test_hooks_and_functions():
    seen = []

    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            assert ctx.saved_tensors[0].shape == grad.shape
            return grad * 2

    def run(i):
        for _ in range(30):
            x = leaf(10)
            y = Double.apply(x)
            y.register_hook(lambda g: seen.append(1))
            y.sum().backward()
            assert x.grad.tolist() == [2] * 10

    in_threads(4, run)
    assert len(seen) == 120


def test_errors_come_back_to_their_thread():
    def run(i):
        x = leaf(2)
        x.register_hook(lambda g: [][i])
        for _ in range(20):
            with pytest.raises(IndexError):
                (x * 1).sum().backward()

    in_threads(4, run)


def test_a_graph_ends_in_another_thread():
    ended = []

    class Noted:
        def __del__(self):
            ended.append(threading.current_thread() is not threading.main_thread())

    x = leaf(2)
    y = x * 2
    note = Noted()
    y.register_hook(lambda g, note=note: None)
    del note
    box = [y.sum()]
    del y

    def run(i):
        box.pop()

    in_threads(1, run)
    assert ended == [True]


def test_interrupts_arrive():
    x = leaf(200, 200)

    def interrupt():
        time.sleep(0.1)
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        end = time.monotonic() + 20
        while time.monotonic() < end:
            (x @ x).sum().backward()
    thread.join()
    (x * 1).sum().backward()


def test_the_first_hooks_in_two_threads():
    # In a process of its own, for the first hook looks up a class: of a module that takes long to import, here.
    code = """
import sys, threading, time, torch

class Slow:
    def find_spec(self, name, path=None, target=None):
        if name == "torch.utils.hooks":
            time.sleep(0.3)

sys.modules.pop("torch.utils.hooks", None)
sys.meta_path.insert(0, Slow())
grads = []

def run():
    x = torch.ones(2, requires_grad=True)
    x.register_hook(lambda g: g * 2)
    x.sum().backward()
    grads.append(x.grad.tolist())

threads = [threading.Thread(target=run) for _ in range(2)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(grads)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout == "[[2.0, 2.0], [2.0, 2.0]]\n", done


# In each a thread is in Python code that C++ has called, and wants the interpreter's lock back while the interpreter ends.
ENDS = {
    "a hook's last reference": "x.register_hook(lambda g, slow=Slow(): None); del x",
    "a graph's last reference": "y = x * 2; y.register_hook(lambda g, slow=Slow(): None); y = y.sum(); del y",
    "a hook": "x.register_hook(wait); x.sum().backward()",
    "a hook of a node": "y = x * 2; y.grad_fn.register_hook(wait); y.sum().backward()",
    "a hook's answer": "x.register_hook(lambda g: Slow() and None); x.sum().backward()",
    "a saved tensor": "y = save(x * 1); y.sum().backward()",
    "a function": "Function.apply(x).sum().backward()",
    "an index": "x.detach()[Number()]",
    "a warning": "warnings.showwarning = wait; warnings.simplefilter('always'); torch.autograd.backward("
    "(x * x).sum(), create_graph=True)",
}


@pytest.mark.parametrize("where", ENDS)
def test_the_interpreter_ends_while_a_thread_is_in(where):
    code = f"""
import sys, threading, time, warnings, torch
started = threading.Event()

def wait(*args, **kwargs):
    started.set()
    time.sleep(0.3)

class Slow:
    def __del__(self):
        wait()

class Number:
    def __index__(self):
        wait()
        return 0

class Function(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        wait()
        return grad

def save(x):
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t, wait):
        return x * x

def work():
    x = torch.ones(2, requires_grad=True)
    {ENDS[where]}

threading.Thread(target=work, daemon=True).start()
assert started.wait(20)

class Last:  # when modules end: the interpreter takes its time
    def __del__(self, sleep=time.sleep):
        sleep(0.6)
        print("last", flush=True)

sys.modules["last"] = Last()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "last\n", ""), done
