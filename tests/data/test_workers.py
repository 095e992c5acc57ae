"""DataLoader with worker processes: the batches of one process, however processes start; seeds, errors, order."""

import os
import random
import time

import datasets
import numpy
import pytest
import torch
from torch.utils.data import ConcatDataset, DataLoader, Subset, TensorDataset, get_worker_info
from torch.utils.data._utils.worker import _generate_state

METHODS = ["fork", "spawn", "forkserver"]


def plain(batches):
    return [{"number": b["number"].tolist(), "row": b["row"].tolist(), "name": b["name"]} for b in batches]


@pytest.mark.parametrize("method", METHODS)
def test_batches_are_those_of_one_process(method):
    dataset = datasets.Squares(20)
    expected = plain(DataLoader(dataset, batch_size=3))
    assert expected[1] == {
        "number": [9, 16, 25],
        "row": [[9.0] * 3, [16.0] * 3, [25.0] * 3],
        "name": ["item 3", "item 4", "item 5"],
    }
    assert plain(DataLoader(dataset, batch_size=3, num_workers=2, multiprocessing_context=method)) == expected


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("prefetch", [1, 2, 50])
def test_any_number_of_workers(workers, prefetch):
    data = TensorDataset(torch.randn(33, 2000), torch.arange(33))
    options = {"batch_size": 4, "shuffle": True}
    torch.manual_seed(3)
    expected = list(DataLoader(data, **options))
    torch.manual_seed(3)
    got = list(DataLoader(data, num_workers=workers, prefetch_factor=prefetch, **options))
    assert len(got) == len(expected) == 9
    assert all(torch.equal(a, b) for x, y in zip(got, expected) for a, b in zip(x, y))


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_tensors_of_every_kind(method):
    dataset = datasets.Tensors()
    loader = DataLoader(dataset, batch_size=None, num_workers=1, multiprocessing_context=method)
    for got, expected in zip(loader, dataset.items, strict=True):
        assert got.dtype == expected.dtype and got.shape == expected.shape
        assert torch.equal(got, expected.resolve_conj())


class Lookalike:
    """A loader of somebody else, with the attributes that PyTorch's iterators read, and no others."""

    _KEPT = """_IterableDataset_len_called _auto_collation _dataset_kind _index_sampler collate_fn dataset drop_last
        generator in_order multiprocessing_context num_workers persistent_workers pin_memory pin_memory_device
        prefetch_factor timeout worker_init_fn""".split()

    def __init__(self, loader):
        for name in self._KEPT:
            setattr(self, name, getattr(loader, name))


@pytest.mark.parametrize("workers", [0, 1])
def test_iterators_of_what_only_looks_like_a_loader(workers, monkeypatch):
    loader = DataLoader(datasets.Squares(5), batch_size=2, num_workers=workers)
    kind, asked = torch.utils.data._DatasetKind, []
    if not workers:  # workers ask in a process of their own
        create = kind.create_fetcher
        monkeypatch.setattr(kind, "create_fetcher", staticmethod(lambda *args: asked.append(args) or create(*args)))
    iterator = type(iter(loader))(Lookalike(loader))
    assert plain(iterator) == plain(loader)
    if not workers:
        assert asked[0] == (0, loader.dataset, True, loader.collate_fn, False)


def test_arrays_text_and_whatever_else():
    items = [numpy.arange(3.0), "text", None, {"a": (1, [2.5])}, numpy.arange(1 << 16), b"x" * 100_000, {1, 2}]
    got = list(DataLoader(items, num_workers=1, collate_fn=datasets.first))
    numpy.testing.assert_array_equal(got[0], items[0])
    numpy.testing.assert_array_equal(got[4], items[4])
    assert got[1:4] == items[1:4] and got[5:] == items[5:]
    got[0][0] = got[4][0] = 7  # writable, as PyTorch's are
    assert got[4][0] == 7


def test_one_tensor_twice_stays_one():
    tensor = torch.ones(3)
    (got,) = DataLoader([[tensor, tensor]], num_workers=1, collate_fn=datasets.first)
    assert got[0] is got[1]


def test_what_a_worker_knows():
    assert get_worker_info() is None
    rows = list(DataLoader(datasets.About(), batch_size=None, num_workers=2))
    assert [row[1:] for row in rows] == [[w, 2, 1, count, True] for count in (1, 2, 3) for w in (0, 1)]
    assert len({row[0] for row in rows} | {os.getpid()}) == 3
    assert get_worker_info() is None and datasets.About.state == 0


def test_worker_init_fn():
    rows = list(DataLoader(datasets.About(), batch_size=None, num_workers=2, worker_init_fn=datasets.mark))
    assert [row[4] for row in rows] == [101, 201, 102, 202, 103, 203]


@pytest.mark.parametrize("method", METHODS)
def test_seeds(method):
    loader = DataLoader(datasets.Chance(), batch_size=None, num_workers=2, multiprocessing_context=method)
    torch.manual_seed(5)
    base = torch.empty((), dtype=torch.int64).random_().item()
    torch.manual_seed(5)
    rows = list(loader)
    for worker in (0, 1):
        of_python = random.Random(base + worker)
        of_numpy = numpy.random.RandomState(_generate_state(base, worker))
        of_torch = torch.Generator().manual_seed(base + worker)
        for row in rows[worker::2]:
            drawn = [of_python.random(), of_numpy.rand(), torch.rand(1, generator=of_torch).item()]
            assert row == [worker, base + worker, base + worker, *drawn]
    again = list(loader)
    assert [row[1] for row in again] != [row[1] for row in rows]


def test_a_generator_of_the_loader_seeds_the_workers():
    def seeds():
        generator = torch.Generator().manual_seed(11)
        return [row[1] for row in DataLoader(datasets.Chance(), batch_size=None, num_workers=1, generator=generator)]

    state = torch.get_rng_state()
    assert seeds() == seeds()
    assert torch.equal(torch.get_rng_state(), state)


# ---- walking through


@pytest.mark.parametrize("workers", [0, 1, 2, 3])
def test_iterable_divided_among_workers(workers):
    got = [x for batch in DataLoader(datasets.Numbers(17), num_workers=workers, batch_size=2) for x in batch.tolist()]
    assert sorted(got) == list(range(17))


def test_iterable_drop_last_is_per_worker():
    batches = [b.tolist() for b in DataLoader(datasets.Numbers(6), num_workers=2, batch_size=2)]
    assert batches == [[0, 2], [1, 3], [4], [5]]
    batches = [b.tolist() for b in DataLoader(datasets.Numbers(6), num_workers=2, batch_size=2, drop_last=True)]
    assert batches == [[0, 2], [1, 3]]


def test_order_is_kept_where_a_worker_is_slow():
    loader = DataLoader(datasets.Numbers(8, pause=0.03), batch_size=None, num_workers=2)
    assert list(loader) == list(range(8))


def test_without_in_order_the_fast_come_first():
    loader = DataLoader(datasets.Numbers(8, pause=0.2), batch_size=None, num_workers=2, in_order=False)
    got = list(loader)
    assert sorted(got) == list(range(8)) and got != list(range(8))


# ---- persistent workers


def test_persistent_workers_stay():
    loader = DataLoader(datasets.About(), batch_size=None, num_workers=2, persistent_workers=True)
    first, second = list(loader), list(loader)
    assert {row[0] for row in first} == {row[0] for row in second}
    assert [row[4] for row in second] == [4, 4, 5, 5, 6, 6]
    assert iter(loader) is iter(loader)


def test_without_them_each_pass_has_its_own():
    loader = DataLoader(datasets.About(), batch_size=None, num_workers=2)
    first, second = list(loader), list(loader)
    assert not {row[0] for row in first} & {row[0] for row in second}
    assert [row[4] for row in second] == [1, 1, 2, 2, 3, 3]


@pytest.mark.parametrize("dataset", [datasets.Squares(20), datasets.Numbers(20)])
def test_persistent_workers_after_a_pass_that_was_left(dataset):
    loader = DataLoader(dataset, batch_size=None, num_workers=2, persistent_workers=True)
    expected = [str(x) for x in loader]
    for stop in range(4):
        for _, item in zip(range(stop), loader):
            assert str(item) in expected
        assert [str(x) for x in loader] == expected
    assert len(expected) == 20


# ---- errors


@pytest.mark.parametrize("how", datasets.ERRORS)
def test_an_exception_comes_back_with_its_traceback(how):
    original = datasets.ERRORS[how]()
    # Types that cannot be made of one text come back as RuntimeError.
    kind = RuntimeError if how in ("two", "unicode") else type(original)
    with pytest.raises(kind) as caught:
        list(DataLoader(datasets.Faulty(how), num_workers=2))
    text = str(caught.value)
    assert f"Caught {type(original).__name__} in DataLoader worker process 0.\nOriginal Traceback" in text
    assert "datasets.py" in text and "raise ERRORS[self.how]()" in text
    assert str(original) in text


def test_a_pass_goes_on_after_an_exception():
    it = iter(DataLoader(datasets.Faulty("value"), batch_size=None, num_workers=1))
    assert [next(it), next(it)] == [0, 1]
    with pytest.raises(ValueError, match="boom"):
        next(it)
    assert list(it) == [3]
    with pytest.raises(StopIteration):
        next(it)


def test_a_worker_that_cannot_start():
    loader = DataLoader(datasets.Squares(3), num_workers=2, worker_init_fn=datasets.fail_at_start)
    with pytest.raises(
        ValueError, match="Caught ValueError in DataLoader worker process 0(?s:.*)worker 0 does not start"
    ):
        next(iter(loader))


@pytest.mark.parametrize("items, text", [(0, "no start"), (1, "half way")])
def test_errors_of_iterables(items, text):
    it = iter(DataLoader(datasets.FaultyWalk(items), batch_size=None, num_workers=1))
    assert [next(it) for _ in range(items)] == list(range(items))
    with pytest.raises(ValueError, match=text):
        next(it)


def test_timeout():
    start = time.monotonic()
    it = iter(DataLoader(datasets.Faulty("sleep"), batch_size=None, num_workers=1, timeout=0.5))
    assert [next(it), next(it)] == [0, 1]
    with pytest.raises(RuntimeError, match=r"DataLoader timed out after 0.5 seconds"):
        next(it)
    assert time.monotonic() - start < 20


def test_prefetch_is_bounded():
    dataset = datasets.Counted(100)
    it = iter(DataLoader(dataset, num_workers=2, prefetch_factor=3))
    for yielded in range(1, 4):
        next(it)
        time.sleep(0.2)
        assert yielded <= dataset.count.value <= 6 + yielded


def test_datasets_of_datasets():
    rows = TensorDataset(torch.arange(6.0).view(6, 1))
    dataset = Subset(ConcatDataset([rows, rows]), [11, 0, 7])
    got = [b[0].tolist() for b in DataLoader(dataset, batch_size=2, num_workers=2)]
    assert got == [[[5.0], [0.0]], [[1.0]]]


def test_iterators_cannot_be_pickled():
    import pickle

    with pytest.raises(NotImplementedError, match="cannot be pickled"):
        pickle.dumps(iter(DataLoader(range(3))))
