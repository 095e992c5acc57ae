"""Messages between processes (torch.utils.data._utils.transport), and what else is ours alone."""

import collections
import gc
import os
import pathlib
import pickle
import re
import subprocess
import sys
import threading

import datasets
import pytest
import torch
import torch.utils.data as data
from torch.utils.data import DataLoader
from torch.utils.data._utils import transport

Pair = collections.namedtuple("Pair", "a b")


def there_and_back(message):
    a, b = transport.Channel.pair()
    try:
        a.post(message)
        return b.receive()
    finally:
        a.close()
        b.close()


@pytest.mark.parametrize("tensor", datasets.Tensors().items, ids=lambda t: f"{t.dtype} {tuple(t.shape)} {t.stride()}")
def test_a_tensor_keeps_elements_and_strides(tensor):
    got = there_and_back(tensor)
    assert got.dtype == tensor.dtype and torch.equal(got, tensor.resolve_conj())
    gaps = tensor.numel() and 1 + sum((n - 1) * s for n, s in zip(tensor.shape, tensor.stride())) > tensor.numel()
    assert gaps or got.stride() == tensor.stride()
    assert got.data_ptr() % 8 == 0


def test_the_receiver_owns_what_it_gets():
    dataset = datasets.Tensors()
    for got, expected in zip(DataLoader(dataset, batch_size=None, num_workers=1), dataset.items):
        assert torch.equal(got, expected.resolve_conj())
        if got.numel() and 0 not in got.stride():
            got.zero_()
    assert dataset.items[4].tolist() == [0, 1, 2, 3, 4]


def test_a_row_of_a_large_tensor_is_sent_alone():
    rows = torch.zeros(1000, 1000)
    assert there_and_back(rows[3]).untyped_storage().nbytes() < 40_000
    assert there_and_back(rows[:, 3]).untyped_storage().nbytes() < 40_000


@pytest.mark.parametrize(
    "size", [0, 1, 100, transport._INLINE - 200, transport._INLINE, transport._INLINE + 1, 1 << 20]
)
def test_every_length(size):
    text = os.urandom(size)
    array = bytearray(text)
    tensor = torch.tensor(list(text), dtype=torch.uint8)
    got = there_and_back([text, array, pickle.PickleBuffer(array), tensor, tensor[1:]])
    assert got[0] == text and got[1] == array and bytes(got[2]) == text
    assert torch.equal(got[3], tensor) and torch.equal(got[4], tensor[1:])


def test_what_finds_no_room_waits_and_holds_no_descriptor_after():
    gc.collect()
    before = len(os.listdir("/proc/self/fd"))
    a, b = transport.Channel.pair()
    for i in range(300):
        a.post((i, b"x" * (50_000 if i % 3 else 5_000)))
    assert a.waiting
    for i in range(200):
        assert b.receive()[0] == i
        a.flush()
    a.close()  # with messages on their way, and some that have not even gone
    b.close()
    assert len(os.listdir("/proc/self/fd")) == before


def mappings():
    with open("/proc/self/maps") as maps:
        return sum("/memfd:torch-data" in line for line in maps)


def test_a_long_message_is_mapped_and_holds_no_descriptor():
    """On every version of Python: what arrives lies in the sender's file, as long as one tensor of it is there."""
    gc.collect()
    descriptors, before = len(os.listdir("/proc/self/fd")), mappings()
    got = there_and_back([torch.arange(100_000), "text", torch.ones(3)])
    assert mappings() == before + 1 and len(os.listdir("/proc/self/fd")) == descriptors
    last = got.pop()[1:]
    del got
    assert mappings() == before + 1 and last.add_(1).tolist() == [2, 2]
    del last
    assert mappings() == before


def test_a_long_message_that_cannot_be_mapped_is_copied(monkeypatch):
    monkeypatch.setattr(transport._libc, "mmap", lambda *_: transport._MAP_FAILED)
    gc.collect()
    before = mappings()
    got = there_and_back(torch.arange(100_000))
    assert mappings() == before and torch.equal(got, torch.arange(100_000))


def test_a_tensor_that_was_computed_with_gradients_is_refused():
    with pytest.raises(RuntimeError, match="Cowardly refusing to serialize non-leaf tensor which requires_grad"):
        there_and_back(torch.ones(2, requires_grad=True) * 2)


def test_the_end_is_told():
    a, b = transport.Channel.pair()
    a.post("last words")
    a.close()
    assert b.receive() == "last words"
    with pytest.raises(transport.Closed):
        b.receive()
    with pytest.raises(transport.Closed):
        b.post("to nobody")
    b.close()


def test_send_waits_for_room():
    a, b = transport.Channel.pair()
    thread = threading.Thread(target=lambda: [a.send((i, b"x" * 9000), lambda: True) for i in range(200)])
    thread.start()
    assert [b.receive()[0] for _ in range(200)] == list(range(200))
    thread.join()
    a.close()
    b.close()


def test_long_lists_of_indices_do_not_block():
    """Far more than sockets hold, both ways, before anything is taken out."""
    batches = [list(range(4000)) for _ in range(120)]
    loader = DataLoader(range(4000), batch_sampler=batches, num_workers=1, prefetch_factor=120, collate_fn=bytes_of)
    assert sum(map(len, loader)) == 120 * 30_000


def bytes_of(items):
    return b"x" * 30_000


class Unsendable:
    def __len__(self):
        return 2

    def __getitem__(self, i):
        if i:
            raise type("Local", (Exception,), {})("of a type that cannot be pickled")
        return lambda: i


def test_a_batch_that_cannot_be_sent_is_an_error():
    it = iter(DataLoader(Unsendable(), num_workers=1, collate_fn=datasets.first, timeout=10))
    with pytest.raises((AttributeError, pickle.PicklingError), match="Caught .* in DataLoader worker process 0"):
        next(it)
    with pytest.raises(RuntimeError, match="of a type that cannot be pickled"):
        next(it)


def test_how_a_worker_died_is_said():
    with pytest.raises(RuntimeError, match=r"worker 0, pid \d+, was killed by signal: Killed \(SIGKILL\)"):
        list(DataLoader(datasets.Faulty("SIGKILL"), num_workers=1))
    with pytest.raises(RuntimeError, match=r"worker 0, pid \d+, ended with exit code 3"):
        list(DataLoader(datasets.Faulty("exit"), num_workers=1))


def test_a_loader_whose_worker_died_begins_anew():
    loader = DataLoader(datasets.Faulty("SIGKILL"), batch_size=None, num_workers=1, persistent_workers=True)
    for _ in range(2):
        it = iter(loader)
        assert [next(it), next(it)] == [0, 1]
        with pytest.raises(RuntimeError, match="exited unexpectedly"):
            next(it)
        with pytest.raises(RuntimeError, match="have been stopped"):
            next(it)


class Pins:
    def pin_memory(self):
        return "pinned"


@pytest.mark.parametrize("workers", [0, 1])
def test_pinning_where_there_is_an_accelerator(monkeypatch, workers):
    """It has none here, so its part is played: a pinned tensor is one more."""
    monkeypatch.setattr(torch.accelerator, "is_available", lambda: True)
    monkeypatch.setattr(torch.Tensor, "pin_memory", lambda tensor: tensor + 1)
    item = {"a": torch.zeros(2), "b": [torch.zeros(1), "text", 3], "c": Pair(torch.zeros(1), None), "d": Pins()}
    loader = DataLoader([item], collate_fn=datasets.first, pin_memory=True, num_workers=workers)
    (got,) = loader
    assert str(got) == str(
        {"a": torch.ones(2), "b": [torch.ones(1), "text", 3], "c": Pair(torch.ones(1), None), "d": "pinned"}
    )


def test_the_page_prints_what_it_says():
    page = (pathlib.Path(__file__).parents[2] / "docs/data-loading.md").read_text()
    code, output = re.findall(r"```(?:python)?\n(.*?)```", page, re.DOTALL)
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, check=True)
    assert done.stdout == output


def test_names():
    assert all(hasattr(data, name) for name in data.__all__)
    with pytest.raises(AttributeError, match="'nonsense'$"):
        _ = data.nonsense
    available = torch.distributed.is_available()
    error, text = (ValueError, "not been initialized") if available else (RuntimeError, "Requires distributed package")
    with pytest.raises(error, match=text):
        data.DistributedSampler(range(4))
