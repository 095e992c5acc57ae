"""Every collective operation against its definition, over random shapes, dtypes and strides: one set of processes runs a
whole list of cases, in groups of every size, and says where it differs."""

import itertools
import random
import threading

import pytest
import ranks
import torch
import torch.distributed as dist

if not dist.is_available():
    pytest.skip("this torch was built without torch.distributed", allow_module_level=True)

INTEGERS = [torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64]
FLOATS = [torch.float16, torch.bfloat16, torch.float32, torch.float64]
COMPLEX = [torch.complex64, torch.complex128]
DTYPES = [torch.bool, *INTEGERS, *FLOATS, *COMPLEX]
SHAPES = [(), (0,), (1,), (7,), (3, 5), (2, 0, 4), (4, 3, 2), (1500,), (40, 50)]
OPS = ["SUM", "PRODUCT", "MIN", "MAX", "AVG", "BAND", "BOR", "BXOR"]
FOLDS = {
    "SUM": torch.add, "AVG": torch.add, "PRODUCT": torch.mul, "MIN": torch.minimum, "MAX": torch.maximum,
    "BAND": torch.bitwise_and, "BOR": torch.bitwise_or, "BXOR": torch.bitwise_xor,
}  # fmt: skip


def values(rank, seed, shape, dtype):
    """What a rank has, which all can work out: small whole numbers, so that sums are exact in any order."""
    generator = torch.Generator().manual_seed(1000 * seed + rank)
    high = 2 if dtype in (torch.bool, torch.float16, torch.bfloat16) else 4
    return torch.randint(0 if dtype in (torch.bool, torch.uint8) else 1 - high, high, shape, generator=generator).to(
        dtype
    )


def laid_out(tensor, how):
    """The same elements in memory of another order."""
    if how == "transposed" and tensor.dim() > 1:
        return tensor.transpose(0, -1).contiguous().transpose(0, -1)
    if how == "sliced" and tensor.dim():
        wide = torch.empty(*tensor.shape[:-1], 2 * tensor.shape[-1], dtype=tensor.dtype)
        wide[..., ::2] = tensor
        return wide[..., ::2]
    if how == "offset":
        flat = torch.empty(tensor.numel() + 3, dtype=tensor.dtype)[3:]
        return flat.copy_(tensor.reshape(-1)).view(tensor.shape)
    return tensor.clone()


def folded(op, parts):
    result = parts[0]
    for part in parts[1:]:
        if result.dtype == torch.bool and op in ("SUM", "PRODUCT"):
            result = result | part if op == "SUM" else result & part
        elif result.dtype == torch.bool and op in ("MIN", "MAX"):
            result = result & part if op == "MIN" else result | part
        else:
            result = FOLDS[op](result, part)
    return result / len(parts) if op == "AVG" else result


def takes(op, dtype):
    if op.startswith("B"):
        return dtype in [torch.bool, *INTEGERS]
    if op in ("MIN", "MAX"):
        return dtype not in COMPLEX
    return op != "AVG" or dtype in FLOATS + COMPLEX


def one_case(seed, group, ranks_of_group, me):
    """(what, what it gave, what it should have) of one random case."""
    draw = random.Random(seed)
    n = len(ranks_of_group)
    dtype, shape = draw.choice(DTYPES), draw.choice(SHAPES)
    op = draw.choice([name for name in OPS if takes(name, dtype)])
    # Wherever a result goes, and what a rank gives, may lie in memory as it likes; ranks do not agree in that.
    mine = random.Random(seed * 31 + me)
    layout = lambda t: laid_out(t, mine.choice(["plain", "transposed", "sliced", "offset"]))  # noqa: E731
    root = draw.randrange(n)
    all_values = [values(r, seed, shape, dtype) for r in range(n)]
    own = layout(all_values[me])
    reduction = getattr(dist.ReduceOp, op)
    asynchronous = draw.random() < 0.5

    def finish(work):
        if asynchronous:
            work.wait()

    common = {"group": group, "async_op": asynchronous}
    kind = draw.choice([
        "broadcast", "all_reduce", "reduce", "all_gather", "all_gather_into_tensor", "gather", "scatter", "reduce_scatter",
        "reduce_scatter_tensor", "all_to_all", "all_to_all_single", "messages",
    ])  # fmt: skip
    name = f"seed {seed}: {kind} {op if 'reduce' in kind else ''} of {dtype} {shape}, {n} ranks, root {root}"
    empty = lambda size=shape: layout(torch.zeros(size, dtype=dtype))  # noqa: E731
    if kind == "broadcast":
        finish(dist.broadcast(own, group_src=root, **common))
        return name, [own], [all_values[root]]
    if kind == "all_reduce":
        finish(dist.all_reduce(own, reduction, **common))
        return name, [own], [folded(op, all_values)]
    if kind == "reduce":
        finish(dist.reduce(own, group_dst=root, op=reduction, **common))
        return name, [own], [folded(op, all_values) if me == root else all_values[me]]
    if kind == "all_gather":  # each of its own size
        uneven = [values(r, seed, (r % 3, *shape), dtype) for r in range(n)]
        got = [empty(t.shape) for t in uneven]
        source = layout(uneven[me])
        if shape and uneven[me].shape[0] > 1:
            source = uneven[me][:1].expand(uneven[me].shape)  # what is read may overlap itself
            uneven = [t[:1].expand(t.shape) if t.shape[0] > 1 else t for t in uneven]
        elif not shape or any(t.shape[0] > 1 for t in uneven):
            uneven = [t[:1].expand(t.shape) if shape and t.shape[0] > 1 else t for t in uneven]
        finish(dist.all_gather(got, source, **common))
        return name, got, uneven
    if kind == "all_gather_into_tensor":
        got = empty((n, *shape))
        finish(dist.all_gather_into_tensor(got, own, **common))
        return name, [got], [torch.stack(all_values)]
    if kind == "gather":
        got = [empty() for _ in range(n)] if me == root else None
        finish(dist.gather(own, got, group_dst=root, **common))
        return name, got or [], all_values if me == root else []
    parts = [
        [values(r, seed + 17 * (p + 1), shape, dtype) for p in range(n)] for r in range(n)
    ]  # of rank r, for rank p
    if kind == "scatter":
        got = empty()
        finish(dist.scatter(got, [layout(t) for t in parts[me]] if me == root else None, group_src=root, **common))
        return name, [got], [parts[root][me]]
    if kind == "reduce_scatter":
        got = empty()
        finish(dist.reduce_scatter(got, [layout(t) for t in parts[me]], reduction, **common))
        return name, [got], [folded(op, [parts[r][me] for r in range(n)])]
    if kind == "reduce_scatter_tensor":
        got = empty()
        finish(dist.reduce_scatter_tensor(got, layout(torch.stack(parts[me])), reduction, **common))
        return name, [got], [folded(op, [parts[r][me] for r in range(n)])]
    if kind == "all_to_all":
        got = [empty() for _ in range(n)]
        finish(dist.all_to_all(got, [layout(t) for t in parts[me]], **common))
        return name, got, [parts[r][me] for r in range(n)]
    rows = [[(r * 2 + p) % 4 for p in range(n)] for r in range(n)]  # of rank r, for rank p
    if kind == "all_to_all_single":
        sent = values(me, seed, (sum(rows[me]), *shape), dtype)
        came = [rows[r][me] for r in range(n)]
        got = empty((sum(came), *shape))
        finish(dist.all_to_all_single(got, layout(sent), came, rows[me], **common))
        want = [values(r, seed, (sum(rows[r]), *shape), dtype).split(rows[r])[me] for r in range(n)]
        return name, [got], [torch.cat(want)]
    got = empty()
    works = [] if n == 1 else [
        dist.irecv(got, group=group, group_src=(me - 1) % n, tag=seed % 5),
        dist.isend(own, group=group, group_dst=(me + 1) % n, tag=seed % 5),
    ]  # fmt: skip
    for work in works:
        work.wait()
    return name, [got] if works else [], [all_values[(me - 1) % n]] if works else []


def cases(first, count, group, members):
    me = members.index(dist.get_rank())
    for seed in range(first, first + count):
        name, got, want = one_case(seed, group, members, me)
        assert len(got) == len(want), name
        for g, w in zip(got, want):
            assert g.dtype == w.dtype and g.shape == w.shape, (name, g.shape, w.shape)
            assert torch.equal(g, w), (name, g, w)


def of_every_size(count):
    rank, size = dist.get_rank(), dist.get_world_size()
    for n in range(1, size + 1):
        members = random.Random(n).sample(range(size), n)
        group = dist.new_group(members, sort_ranks=False)
        if rank in members:
            cases(10_000 * n, count, group, members)
            dist.destroy_process_group(group)


def test_groups_of_every_size():
    ranks.run(of_every_size, 8, 60)


def two_groups_in_threads(count):
    rank, size = dist.get_rank(), dist.get_world_size()
    halves = [list(range(0, size, 2)), list(range(1, size, 2))]
    groups = [dist.new_group(half) for half in halves] + [dist.new_group() for _ in range(2)]
    jobs = [
        (groups[rank % 2], halves[rank % 2], 1),
        (groups[2], list(range(size)), 2),
        (groups[3], list(range(size)), 3),
    ]
    failed = []

    def work(group, members, number):
        try:
            cases(100_000 * number, count, group, members)
        except BaseException as error:  # noqa: BLE001 - raised where threads are joined
            failed.append(error)

    threads = [threading.Thread(target=work, args=job) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        raise failed[0]


def test_groups_at_once_from_threads():
    ranks.run(two_groups_in_threads, 4, 40)


def expanded():
    """What is written to may not share memory with itself, and nothing is sent then."""
    t = torch.ones(1).expand(4)
    out = [torch.ones(4), t]
    for want in (
        lambda: dist.all_reduce(t),
        lambda: dist.broadcast(t, 0),
        lambda: dist.reduce(t, 0),
        lambda: dist.all_gather(out, torch.ones(4)),
        lambda: dist.all_gather_into_tensor(torch.ones(1).expand(8), torch.ones(4)),
        lambda: dist.reduce_scatter(t, out),
        lambda: dist.all_to_all(out, [torch.ones(4)] * 2),
        lambda: dist.irecv(t, 1 - dist.get_rank()),
    ):
        with pytest.raises(ValueError, match="share memory"):
            want()
    for dtype, op in itertools.product([torch.float32, torch.complex64], ["BAND", "BOR", "BXOR"]):
        with pytest.raises(ValueError, match=op):
            dist.all_reduce(torch.ones(2, dtype=dtype), getattr(dist.ReduceOp, op))
    t = torch.ones(1)
    dist.all_reduce(t)
    assert t == 2


def test_what_is_refused():
    ranks.run(expanded, 2)
