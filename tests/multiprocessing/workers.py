"""What runs in other processes: a module of its own, since spawned processes import it by its name."""

import os
import signal
import sys
import time

import torch
import torch.multiprocessing as mp


def echo(inbox, outbox):
    """Sends back what it gets, until None."""
    while (item := inbox.get()) is not None:
        outbox.put(item)
        del item
    outbox.close()
    outbox.join_thread()


def double(inbox, done):
    """Doubles what it gets in place; says which of them are one storage."""
    tensors = inbox.get()
    again = inbox.get()
    for tensor in tensors:
        tensor.mul_(2)
    done.put(
        (
            [tensor.untyped_storage()._cdata == tensors[0].untyped_storage()._cdata for tensor in tensors],
            again.untyped_storage()._cdata == tensors[0].untyped_storage()._cdata,
            [type(tensor).__name__ for tensor in tensors],
            [tensor.requires_grad for tensor in tensors],
        )
    )


def add(tensor, amount=1):
    tensor.add_(amount)
    return tensor


def matmul(size):
    x = torch.arange(float(size * size)).reshape(size, size) / size
    return (x @ x).sum().item()


def fill_and_wait(connection, strategy, value, count=1):
    """Sends tensors and waits to be killed."""
    mp.set_sharing_strategy(strategy)
    tensors = [torch.full((1000,), float(value)) for _ in range(count)]
    for tensor in tensors:
        connection.send(tensor)
    connection.send("sent")
    time.sleep(60)


def take_and_wait(connection, strategy):
    """Receives a tensor, says so, and waits to be killed."""
    mp.set_sharing_strategy(strategy)
    tensor = connection.recv()
    tensor.add_(1)
    connection.send("received")
    time.sleep(60)


# ---- for spawn
def succeed(i, queue, tensor):
    tensor[i] = i + 1
    queue.put((i, os.getpid()))


def fail(i, which):
    if i == which:
        raise ValueError(f"no luck in {i}")
    time.sleep(60)


def leave(i, code):
    if i == 0:
        sys.exit(code)
    time.sleep(60)


def die(i):
    if i == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(60)


def stay(i, path):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if i == 0:
        while not os.path.exists(path):
            time.sleep(0.01)
        sys.exit(1)
    open(path, "w").close()
    time.sleep(60)


def interrupted(i):
    raise KeyboardInterrupt
