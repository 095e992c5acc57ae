"""What each kind of pipe does: cases of data pipes."""

import functools
import io
import os
import tempfile

import torch
from pipes_oracle import Plain, add, case, double, even, source, third, tried
from torch.utils.data import (
    DataChunk,
    SequentialSampler,
)
from torch.utils.data.datapipes.iter import (
    Collator,
    FileLister,
    FileOpener,
    Forker,
    IterableWrapper,
    Multiplexer,
    Sampler,
    StreamReader,
    Zipper,
)


@case
def wrapper():
    data = [[1], [2]]
    copied, shared = IterableWrapper(data), IterableWrapper(data, deepcopy=False)
    first = next(iter(copied))
    first.append(5)
    second = next(iter(shared))
    second.append(6)
    endless = IterableWrapper(iter([1, 2]))
    return data, len(copied), tried(lambda: len(endless)), list(copied), str(copied), repr(copied)


@case
def maps():
    pairs = IterableWrapper([(1, 2), (3, 4)])
    dicts = IterableWrapper([{"a": 1, "b": 2}])
    return (
        list(source(4).map(double)),
        list(pairs.map(add, input_col=[0, 1])),
        list(pairs.map(add, input_col=[0, 1], output_col=-1)),
        list(pairs.map(double, input_col=1)),
        list(pairs.map(double, input_col=1, output_col=0)),
        list(dicts.map(double, input_col="a")),
        list(dicts.map(double, input_col="a", output_col="c")),
        list(dicts.map(add, input_col=["a", "b"], output_col="b")),
        list(pairs.map(double, output_col=None)),
        len(source(4).map(double)),
        tried(
            lambda: len(Plain().map(double)),
            lambda: source().map(double, output_col=0),
            lambda: list(pairs.map(double, input_col=1, output_col=[0, 1])),
            lambda: list(pairs.map(add, input_col=0)),
            lambda: list(pairs.map(double, input_col=[0, 1])),
            lambda: pairs.map(add),
            lambda: source().map(add),
            lambda: source().map(lambda: 1),
            lambda: source().map(add, input_col=[0, 1, 2]),
            lambda: source().map(5),
            lambda: source().map(functools.partial(add, 1)),
        ),
        str(source(4).map(double)),
    )


@case
def map_of_a_lambda():
    return list(source(4).map(lambda x: x + 1)), list(source(4).filter(lambda x: x > 1))


@case
def filters():
    pairs = IterableWrapper([(1, 2), (4, 3)])
    return (
        list(source().filter(even)),
        list(pairs.filter(even, input_col=1)),
        list(pairs.filter(lambda a, b: a > b, input_col=[0, 1])),
        tried(
            lambda: len(source().filter(even)),
            lambda: list(source().filter(double)),
            lambda: source().filter(add),
            lambda: list(IterableWrapper([torch.ones(2)]).filter(lambda t: t > 0)),
        ),
    )


@case
def batches():
    pipe = source()
    return (
        list(pipe.batch(4)),
        list(pipe.batch(4, drop_last=True)),
        [type(b).__name__ for b in pipe.batch(4)],
        [str(b) for b in pipe.batch(4)],
        [len(pipe.batch(4)), len(pipe.batch(4, drop_last=True))],
        list(pipe.batch(2).batch(3)),
        list(pipe.batch(4, wrapper_class=tuple)),
        tried(lambda: pipe.batch(0), lambda: len(Plain().batch(2)), lambda: pipe.batch()),
        list(pipe.batch(2).batch(3).unbatch(unbatch_level=2)),
        list(pipe.batch(2).batch(3).unbatch()),
        list(pipe.batch(2).batch(3).unbatch(-1)),
        tried(
            lambda: list(pipe.batch(2).unbatch(2)),
            lambda: list(pipe.unbatch(0)),
            lambda: list(pipe.unbatch(-2)),
            lambda: len(pipe.batch(2).unbatch()),
            lambda: list(IterableWrapper(["ab"]).unbatch()),
        ),
    )


@case
def chunk():
    chunk = DataChunk([[1, 2], [3]])
    return (
        str(chunk),
        repr(chunk),
        chunk.as_str("> "),
        list(chunk.raw_iterator()),
        list(chunk),
        chunk.items,
        len(chunk),
        chunk + [1],
    )


@case
def groups():
    words = ["a1", "b1", "a2", "c1", "a3", "b2", "a4", "b3"]

    def by(word):
        return word[0]

    pipe = IterableWrapper(words)
    return (
        list(pipe.groupby(by)),
        list(pipe.groupby(by, keep_key=True)),
        list(pipe.groupby(by, group_size=2)),
        list(pipe.groupby(by, buffer_size=4, group_size=3, guaranteed_group_size=2)),
        list(pipe.groupby(by, buffer_size=4, group_size=3, guaranteed_group_size=2, drop_remaining=True)),
        list(pipe.groupby(by, buffer_size=3, group_size=3, guaranteed_group_size=1)),
        tried(
            lambda: list(pipe.groupby(by, buffer_size=2, group_size=2)),
            lambda: list(pipe.groupby(by, buffer_size=2, group_size=2, drop_remaining=True)),
            lambda: pipe.groupby(by, buffer_size=0),
            lambda: pipe.groupby(by, group_size=0),
            lambda: pipe.groupby(by, group_size=11, buffer_size=10),
            lambda: pipe.groupby(by, group_size=2, guaranteed_group_size=3),
            lambda: pipe.groupby(by, group_size=2, guaranteed_group_size=0),
            lambda: pipe.groupby(by, guaranteed_group_size=3),
            lambda: pipe.groupby(add),
            lambda: len(pipe.groupby(by)),
        ),
        [type(g).__name__ for g in pipe.groupby(by)],
    )


@case
def shuffles():
    pipe = source(10).shuffle()
    first, second = list(pipe), list(pipe)
    seeded = pipe.set_seed(7)
    return (
        first,
        second,
        list(seeded),
        seeded is pipe,
        list(source(10).shuffle(buffer_size=3).set_seed(1)),
        list(source(10).batch(2).shuffle(unbatch_level=1).set_seed(1)),
        list(source(5).shuffle().set_shuffle(False)),
        len(pipe),
        tried(lambda: source().shuffle(buffer_size=0), lambda: len(Plain().shuffle())),
        tried(lambda: len(source(4).batch(2).shuffle(unbatch_level=1)), lambda: source().shuffle(3)),
    )


@case
def joins():
    a, b = source(3), IterableWrapper("xyzw")
    return (
        list(a.zip(b)),
        len(a.zip(b)),
        list(a.concat(b)),
        len(a.concat(b)),
        list(a.mux(b)),
        len(a.mux(b)),
        list(a + b),
        type(a + b).__name__,
        tried(
            lambda: a.zip([1]),
            lambda: Zipper(),
            lambda: a.concat([1]),
            lambda: type(Multiplexer()).__name__,
            lambda: type(a.concat()).__name__,
            lambda: len(a.zip(Plain())),
            lambda: len(a.concat(Plain())),
            lambda: len(a.mux(Plain())),
            lambda: a.mux([1]),
        ),
        str(a.zip(b)),
    )


@case
def forks():
    a, b = source(4).fork(num_instances=2)
    both = list(zip(a, b))
    again = list(a), list(b)
    c, d = source(4).fork(2, buffer_size=2)
    shallow = IterableWrapper([[1]]).fork(2, copy="shallow")
    deep = IterableWrapper([[1]]).fork(2, copy="deep")
    plain = IterableWrapper([[1]]).fork(2)

    def one(pipes):
        x, y = (next(iter(p)) for p in pipes)
        return x, y, x is y

    return (
        both,
        again,
        tried(lambda: list(c), lambda: list(d)),
        one(shallow),
        one(deep),
        one(plain),
        len(a),
        type(a).__name__,
        str(a),
        tried(
            lambda: source().fork(num_instances=0),
            lambda: source().fork(num_instances=2, buffer_size=0),
            lambda: len(Plain().fork(2)[0]),
            lambda: source().fork(2, copy="other"),
            lambda: len(source().fork(num_instances=1)),
            lambda: Forker(source()),
        ),
    )


@case
def forks_with_unlimited_buffers():
    a, b = source(4).fork(2, buffer_size=-1)
    return list(a), list(b)


@case
def fork_invalidates():
    a, b = source(4).fork(2)
    ia, ib = iter(a), iter(b)
    start = [next(ia), next(ia), next(ib)]
    new = iter(a)
    return start, tried(lambda: next(ib), lambda: next(new), lambda: next(ia))


@case
def demultiplexes():
    a, b, c = source(10).demux(3, third)
    d, e = IterableWrapper([1, None, 2]).demux(2, lambda x: None if x is None else x - 1, drop_none=True)
    return (
        list(a),
        list(b),
        list(c),
        list(a),
        (list(d), list(e)),
        type(a).__name__,
        str(a),
        tried(
            lambda: list(source(10).demux(2, third)[0]),
            lambda: list(IterableWrapper([None]).demux(2, lambda x: x)[0]),
            lambda: list(source(10).demux(3, third, buffer_size=2)[2]),
            lambda: source(10).demux(0, third),
            lambda: source(10).demux(3, third, buffer_size=0),
            lambda: source(10).demux(3, add),
            lambda: len(a),
        ),
    )


@case
def demultiplex_endless():
    a, b = source(6).demux(2, lambda x: x % 2, buffer_size=-1)
    return list(a), list(b)


@case
def samples():
    return (
        list(Sampler(source(4))),
        len(Sampler(source(4))),
        tried(lambda: Sampler(source(4), sampler=5), lambda: list(Sampler(source(4), SequentialSampler, (), {}))),
    )


@case
def collates():
    pipe = IterableWrapper([[1, 2], [3, 4]])
    return (
        list(pipe.collate()),
        list(source(4).batch(2).collate()),
        list(source(4).batch(2).collate(collate_fn=sum)),
        list(source(4).batch(2).collate(sum)),
        type(pipe.collate()).__name__,
        len(pipe.collate()),
        str(pipe.collate()),
        tried(lambda: list(Collator(source(2), sum))),
    )


@case
def shards():
    pipe = source(10).sharding_filter()
    whole = list(pipe)
    pipe.apply_sharding(3, 1)
    return (
        whole,
        list(pipe),
        len(pipe),
        pipe.is_shardable() if hasattr(pipe, "is_shardable") else None,
        tried(lambda: pipe.apply_sharding(3, 3), lambda: len(Plain().sharding_filter())),
        pipe.num_of_instances,
        pipe.instance_id,
    )


@case
def files():
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, "sub"))
        for name in ("b.txt", "a.txt", "c.bin", "sub/d.txt"):
            with open(os.path.join(folder, name), "w") as file:
                file.write(name * 3)

        def cut(paths):
            return [os.path.relpath(p, folder) for p in paths]

        listed = FileLister(folder, masks="*.txt")

        def whole(pipe):
            answers = []
            for path, stream in pipe:
                answers.append((os.path.basename(path), stream.read()))
                stream.close()
            return answers

        return (
            cut(FileLister(folder)),
            cut(listed),
            cut(FileLister(folder, recursive=True)),
            cut(FileLister(folder, masks=["*.bin", "a*"])),
            cut(IterableWrapper([folder]).list_files(masks="*.bin")),
            cut(FileLister([folder, folder], masks="c*")),
            tried(lambda: len(listed), lambda: len(FileLister(folder, length=3))),
            whole(FileOpener(listed)),
            whole(listed.open_files(mode="b")),
            [(os.path.basename(path), data) for path, data in listed.open_files().read_from_stream()],
            [(os.path.basename(path), data) for path, data in listed.open_files("rb").read_from_stream(chunk=5)],
            tried(
                lambda: listed.open_files(mode="w"),
                lambda: listed.open_files(mode="rb", encoding="utf8"),
                lambda: len(listed.open_files()),
                lambda: len(FileOpener(listed, length=2)),
                lambda: list(FileOpener(["/no/such/file"])),
                lambda: FileOpener([1]),
                lambda: list(FileOpener([1])),
            ),
        )


@case
def streams():
    return [
        (n, d) for n, d in StreamReader(IterableWrapper([("a", io.StringIO("hello")), ("b", io.BytesIO(b"xyz"))]), 2)
    ]
