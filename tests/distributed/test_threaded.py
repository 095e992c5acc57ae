"""Collective operations among threads of one process, against their definitions: every dtype, 1 to 8 ranks."""

import datetime
import functools
import operator
import threading

import pytest
import torch
import torch.distributed as dist

if not dist.is_available():
    pytest.skip("this torch was built without torch.distributed", allow_module_level=True)

from torch.distributed import _threads

SIZES = [1, 2, 3, 5, 8]
INTEGERS = [torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.uint16, torch.uint32, torch.uint64]
REAL = [torch.float16, torch.bfloat16, torch.float32, torch.float64]
EIGHTS = [torch.float8_e4m3fn, torch.float8_e5m2]
COMPLEX = [torch.complex64, torch.complex128]
OPERATIONS = {
    dist.ReduceOp.SUM: operator.add,
    dist.ReduceOp.PRODUCT: operator.mul,
    dist.ReduceOp.MIN: min,
    dist.ReduceOp.MAX: max,
    dist.ReduceOp.BAND: operator.and_,
    dist.ReduceOp.BOR: operator.or_,
    dist.ReduceOp.BXOR: operator.xor,
}
BITS = (dist.ReduceOp.BAND, dist.ReduceOp.BOR, dist.ReduceOp.BXOR)


def numbers(rank, count):
    """Those of a rank: small, so that all sums and products of them are exact."""
    return [(rank + i) % 3 if (rank + i) % 7 else 1 for i in range(count)]


def made(values, dtype):
    return torch.tensor(values, dtype=torch.complex128 if dtype.is_complex else torch.float64).to(dtype)


def reduced(op, size, count):
    return [functools.reduce(OPERATIONS[op], column) for column in zip(*(numbers(r, count) for r in range(size)))]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("dtype", [*INTEGERS, *REAL, *EIGHTS, *COMPLEX], ids=str)
def test_reductions(size, dtype):
    ops = list(OPERATIONS)
    if dtype.is_floating_point or dtype.is_complex:
        ops = [op for op in ops if op not in BITS]
    if dtype.is_complex:
        ops = [dist.ReduceOp.SUM, dist.ReduceOp.PRODUCT]

    def rank():
        me = dist.get_rank()
        for op in ops:
            for count in (0, 1, 6):
                want = made(reduced(op, size, count), dtype)
                t = made(numbers(me, count), dtype)
                dist.all_reduce(t, op)
                assert t.tolist() == want.tolist(), (op, count)
                t = made(numbers(me, count), dtype)
                dist.reduce(t, dst=size - 1, op=op)
                assert t.tolist() == (want if me == size - 1 else made(numbers(me, count), dtype)).tolist()
            out = torch.empty(2, dtype=dtype)
            dist.reduce_scatter_tensor(out, made(numbers(me, 2 * size), dtype), op)
            assert out.tolist() == made(reduced(op, size, 2 * size), dtype)[2 * me : 2 * me + 2].tolist()

    _threads.run(rank, size)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("dtype", [torch.bool, *INTEGERS, *REAL, *EIGHTS, *COMPLEX], ids=str)
def test_moves(size, dtype):
    def of(rank, count=3):
        return made(numbers(rank, count), dtype)

    def rank():
        me = dist.get_rank()
        for root in range(size):
            t = of(me)
            dist.broadcast(t, root)
            assert t.tolist() == of(root).tolist()
            found = [torch.empty(3, dtype=dtype) for _ in range(size)] if me == root else None
            dist.gather(of(me), found, root)
            assert me != root or [f.tolist() for f in found] == [of(r).tolist() for r in range(size)]
            out = torch.empty(3, dtype=dtype)
            dist.scatter(out, [of(r + root) for r in range(size)] if me == root else None, root)
            assert out.tolist() == of(me + root).tolist()
        uneven = [torch.empty(r, dtype=dtype) for r in range(size)]
        dist.all_gather(uneven, of(me, me))
        assert [u.tolist() for u in uneven] == [of(r, r).tolist() for r in range(size)]
        whole = torch.empty(2 * size, dtype=dtype)
        dist.all_gather_into_tensor(whole, of(me, 2))
        assert whole.tolist() == [x for r in range(size) for x in of(r, 2).tolist()]
        received = [torch.empty(me + r, dtype=dtype) for r in range(size)]
        dist.all_to_all(received, [of(me, me + r) for r in range(size)])
        assert [x.tolist() for x in received] == [of(r, me + r).tolist() for r in range(size)]

    _threads.run(rank, size)


def test_any_strides_and_averages():
    def rank():
        me = dist.get_rank()
        columns = torch.full((3, 4), float(me)).t()
        dist.all_reduce(columns, dist.ReduceOp.AVG)
        assert (columns == 1.5).all() and columns.stride() == (1, 4)
        every_other = torch.zeros(8)
        dist.all_gather_into_tensor(every_other[::2], torch.tensor([me + 1.0]))
        assert every_other.tolist() == [1, 0, 2, 0, 3, 0, 4, 0]
        return columns

    assert len(_threads.run(rank, 4)) == 4


def test_messages():
    def rank():
        me, size = dist.get_rank(), dist.get_world_size()
        received = torch.empty(3)
        works = dist.batch_isend_irecv(
            [
                dist.P2POp(dist.irecv, received, (me - 1) % size),
                dist.P2POp(dist.isend, torch.full((3,), float(me)), (me + 1) % size),
            ]
        )
        for work in works:
            work.wait()
        assert (received == (me - 1) % size).all()
        if me == 0:
            anybody = torch.empty(1)
            assert {dist.recv(anybody, tag=2) for _ in range(size - 1)} == set(range(1, size))
            two = torch.empty(1), torch.empty(1)  # by tags, whichever came first
            dist.recv(two[0], 1, tag=5)
            dist.recv(two[1], 1, tag=4)
            assert [t.item() for t in two] == [50, 40]
        else:
            dist.send(received[:1], 0, tag=2)
            if me == 1:
                dist.send(torch.tensor([40.0]), 0, tag=4)
                dist.send(torch.tensor([50.0]), 0, tag=5)

    _threads.run(rank, 3)


def test_groups_and_objects_of_each_thread():
    def rank():
        me = dist.get_rank()
        pair = dist.new_group([1, 3])
        t = torch.tensor([float(me)])
        if me in (1, 3):
            dist.all_reduce(t, group=pair)
            assert t.item() == 4 and dist.get_rank(pair) == (me == 3)
        works = [dist.all_reduce(torch.ones(1), async_op=True) for _ in range(5)]
        for work in works:
            assert work.wait()
        found = [None] * 4
        dist.all_gather_object(found, {"rank": me})
        dist.monitored_barrier()
        assert dist.get_backend() == "threaded"
        return [f["rank"] for f in found], id(dist.group.WORLD)

    found, worlds = zip(*_threads.run(rank, 4))
    assert list(found) == [[0, 1, 2, 3]] * 4 and len(set(worlds)) == 4
    assert not dist.is_initialized()


def test_two_worlds_at_once():
    def ranks(sign):
        def rank():
            t = torch.tensor([sign * (dist.get_rank() + 1)])
            for _ in range(20):
                mine = t.clone()
                dist.all_reduce(mine)
                assert mine.item() == sign * 6

        return rank

    failures = []

    def other():
        try:
            _threads.run(ranks(-1), 3)
        except BaseException as failure:
            failures.append(failure)

    thread = threading.Thread(target=other)
    thread.start()
    _threads.run(ranks(1), 3)
    thread.join(30)
    assert not thread.is_alive() and not failures


def test_who_fails_first_is_told_and_nobody_hangs():
    def rank():
        if dist.get_rank() == 1:
            raise KeyError("mine")
        dist.all_reduce(torch.ones(1))

    with pytest.raises(KeyError, match="mine") as caught:
        _threads.run(rank, 3)
    assert caught.value.__notes__ == ["on rank 1 of 3"]


def contradictory_calls():
    dist.barrier() if dist.get_rank() else dist.all_reduce(torch.ones(1))


def contradictory_sizes():
    dist.all_reduce(torch.ones(1 + dist.get_rank()))


def contradictory_operations():
    dist.all_reduce(torch.ones(1), dist.ReduceOp.SUM if dist.get_rank() else dist.ReduceOp.MAX)


def absence():
    if dist.get_rank() == 0:
        dist.all_reduce(torch.ones(1))


def silence():
    if dist.get_rank() == 0:
        dist.recv(torch.ones(1), 1)


def other_length():
    dist.recv(torch.ones(2), 1) if dist.get_rank() == 0 else dist.send(torch.ones(3), 0)


@pytest.mark.parametrize(
    ("function", "text"),
    [
        (contradictory_calls, "all_reduce on rank 0 meets barrier on rank 1"),
        (contradictory_sizes, r"has \d bytes for it, where this rank has \d"),
        (contradictory_operations, "another root, dtype or reduction than on rank 1"),
        (absence, "rank 1 left the group"),
        (silence, "rank 1 left the group"),
        (other_length, "rank 1 sent 12 bytes where 8 were expected"),
    ],
)
def test_what_does_not_fit_is_an_error(function, text):
    with pytest.raises(dist.DistBackendError, match=text):
        _threads.run(function, 2)


def test_a_rank_that_is_late_is_named():
    here = threading.Event()

    def rank():
        if dist.get_rank() == 1:
            here.wait(10)
            with pytest.raises(dist.DistBackendError, match="did not come in time"):
                dist.all_reduce(torch.ones(1))
            return
        before = torch.ones(1)
        with pytest.raises(dist.DistBackendError, match="rank 1 did not come in time"):
            work = dist.group.WORLD.allreduce([before], timeout=datetime.timedelta(milliseconds=50))
            work.wait()
        assert before.item() == 1
        here.set()

    _threads.run(rank, 2)


def test_groups_of_bad_places():
    with pytest.raises(ValueError, match="at least 1, not 0"):
        _threads.run(int, 0)
    store = dist.HashStore()
    from torch.distributed._groups import ProcessGroupThreaded

    with pytest.raises(ValueError, match="rank 3 of 2"):
        ProcessGroupThreaded(store, 3, 2)
    store.set("threads", "1 0")
    with pytest.raises(ValueError, match="rank 1 is in process"):
        ProcessGroupThreaded(store, 1, 2)


def test_a_fake_world():
    dist.init_process_group("fake", rank=2, world_size=64)
    try:
        t = torch.arange(3.0)
        dist.all_reduce(t)
        assert t.tolist() == [0, 1, 2] and dist.get_world_size() == 64 and dist.get_rank() == 2
        out = torch.empty(64 * 3)
        dist.all_gather_into_tensor(out, t)
        assert out.view(64, 3).tolist() == [[0, 1, 2]] * 64
        dist.reduce_scatter_tensor(t, torch.arange(64 * 3.0))
        assert t.tolist() == [6, 7, 8]
        dist.recv(t, 5)
        dist.barrier()
        dist.monitored_barrier()
        assert dist.new_group([2, 5]).size() == 2 and dist.get_backend() == "fake"
    finally:
        dist.destroy_process_group()
    with pytest.raises(ValueError, match="0 of -1"):
        dist.init_process_group("fake")
