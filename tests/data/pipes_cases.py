"""Cases of data pipes: functions without arguments, whose answers PyTorch has written down (generate_pipes.py) and torch
gives alike (test_golden_pipes.py). Errors and warnings are part of an answer, and so are the random numbers drawn."""

import functools
import io
import os
import pickle
import tempfile
import warnings

import torch
from torch.utils.data import (
    DataChunk,
    DataLoader,
    DFIterDataPipe,
    IterDataPipe,
    MapDataPipe,
    SequentialSampler,
    argument_validation,
    functional_datapipe,
    graph,
    graph_settings,
    guaranteed_datapipes_determinism,
    non_deterministic,
    runtime_validation,
    runtime_validation_disabled,
)
from torch.utils.data.datapipes.iter import (
    Batcher,
    Collator,
    Demultiplexer,
    FileLister,
    FileOpener,
    Filter,
    Forker,
    Grouper,
    IterableWrapper,
    Mapper,
    Multiplexer,
    Sampler,
    Shuffler,
    StreamReader,
    UnBatcher,
    Zipper,
    sharding,
)
from torch.utils.data.datapipes.map import SequenceWrapper
from torch.utils.data.datapipes.map import Shuffler as MapShuffler

CASES = {}


def case(function):
    CASES[function.__name__] = function
    return function


def tried(*functions):
    """What each function returns, or the type and the first line of its error."""
    answers = []
    for function in functions:
        try:
            answers.append(function())
        except Exception as error:
            answers.append((type(error).__name__, str(error).split("\n")[0]))
    return answers


def double(x):
    return 2 * x


def add(x, y):
    return x + y


def even(x):
    return x % 2 == 0


def third(x):
    return x % 3


def failing(x):
    raise ValueError("no item")


def plain(value):
    """An answer as JSON has it."""
    if isinstance(value, torch.Tensor):
        return value.tolist()
    if isinstance(value, dict):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    return repr(value) if isinstance(value, (bytes, IterDataPipe, MapDataPipe)) else value


def answer(function):
    """What a case returns, and what it warns of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        value = plain(function())
    return {"value": value, "warnings": [(w.category.__name__, str(w.message).split("\n")[0]) for w in caught]}


class Plain(IterDataPipe):
    def __init__(self, n=5):
        self.n = n

    def __iter__(self):
        yield from range(self.n)


class Rows(MapDataPipe):
    def __init__(self, n=5):
        self.n = n

    def __getitem__(self, index):
        return 10 * index

    def __len__(self):
        return self.n


def source(n=10):
    return IterableWrapper(range(n))


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
    by = lambda word: word[0]
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
    one = lambda pipes: (lambda x, y: (x, y, x is y))(*(next(iter(p)) for p in pipes))
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
        cut = lambda paths: [os.path.relpath(p, folder) for p in paths]
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


@case
def one_iterator_at_a_time():
    class Listed(IterDataPipe):
        def __iter__(self):
            return iter([1, 2, 3])

    pipe, listed = source(3), Listed()
    first, third_ = iter(pipe), iter(listed)
    start = next(first), next(third_)
    second, fourth = iter(pipe), iter(listed)  # a generator begins with its first item
    return (
        start,
        tried(lambda: next(third_), lambda: next(fourth)),
        tried(lambda: next(first), lambda: next(second), lambda: next(first), lambda: next(second)),
        tried(lambda: pipe[0], lambda: len(Listed())),
    )


@case
def resets():
    class Counting(IterDataPipe):
        begun = 0

        def reset(self):
            self.begun += 1

        def __iter__(self):
            yield self.begun

    pipe = Counting()
    passes = list(pipe), list(pipe)
    waiting = iter(pipe)
    return passes, pipe.begun, next(waiting), pipe.begun


@case
def errors_say_where():
    class Raising(IterDataPipe):
        def __init__(self, error, n=3, name="abc", pipe=None, function=None):
            self.error, self.n, self.name, self.pipe, self.function, self._hidden = error, n, name, pipe, function, 5

        def __iter__(self):
            raise self.error
            yield

    def whole(error):
        try:
            list(Raising(error, pipe=source(), function=double).batch(2))
        except Exception as caught:
            return type(caught).__name__, str(caught)

    return whole(KeyError()), whole(RuntimeError("a", 5)), whole(ValueError("x")), whole(FileNotFoundError(2, "none"))


@case
def next_of_a_pipe():
    class Own(IterDataPipe):
        def __init__(self):
            self.i = 0

        def __iter__(self):
            self.i = 0
            return self

        def __next__(self):
            self.i += 1
            if self.i > 3:
                raise StopIteration
            return self.i

    pipe = Own()
    return list(pipe), list(pipe), tried(lambda: next(Plain()))


@case
def errors_while_iterating():
    def bad(x):
        raise ValueError("bad item")

    return tried(
        lambda: list(source(2).map(bad)), lambda: list(source(2).map(bad).batch(2)), lambda: source().nothing()
    )


@case
def registers():
    @functional_datapipe("plus_for_a_case")
    class Plus(IterDataPipe):
        "Adds."

        def __init__(self, pipe, n):
            self.pipe, self.n = pipe, n

        def __iter__(self):
            for item in self.pipe:
                yield item + self.n

    answers = list(source(3).plus_for_a_case(10)), list(source(3).plus_for_a_case(n=10))
    document = source(3).plus_for_a_case.__doc__

    def again():
        @functional_datapipe("plus_for_a_case")
        class Other(IterDataPipe):
            pass

    def wrong():
        @functional_datapipe("wrong_for_a_case")
        class Wrong:
            pass

    def taken():
        @functional_datapipe("map")
        class Taken(MapDataPipe):
            pass

    IterDataPipe.register_function("tens_for_a_case", lambda pipe: [10 * x for x in pipe])
    result = answers, document, tried(again, wrong, taken, source(3).tens_for_a_case)
    del IterDataPipe.functions["plus_for_a_case"], IterDataPipe.functions["tens_for_a_case"]
    return result


@case
def functions_of_each():
    hidden = lambda name: name.startswith("_") or "dataframe" in name or name == "routed_decode"
    return sorted(n for n in IterDataPipe.functions if not hidden(n)), sorted(MapDataPipe.functions)


@case
def pickles():
    chain = source(6).map(double).filter(even).batch(2).sharding_filter()
    copy = pickle.loads(pickle.dumps(chain))
    shuffled = pickle.loads(pickle.dumps(source(6).shuffle().set_seed(3)))
    a, b = pickle.loads(pickle.dumps(source(4).fork(2)))
    grouped = pickle.loads(pickle.dumps(source(6).groupby(third)))
    return (
        list(copy),
        list(shuffled),
        (list(a), list(b)),
        list(grouped),
        tried(lambda: pickle.dumps(source(3).map(lambda x: x)) and "pickled"),
    )


@case
def hooks_of_pickling():
    seen = []

    def reduce(pipe):
        seen.append(type(pipe).__name__)
        raise NotImplementedError

    IterDataPipe.set_reduce_ex_hook(reduce)
    pickle.dumps(source(2).map(double))
    again = tried(lambda: IterDataPipe.set_reduce_ex_hook(reduce))
    IterDataPipe.set_reduce_ex_hook(None)
    IterDataPipe.set_getstate_hook(lambda state: seen.append(sorted(state)) or state)
    pickle.dumps(Plain(2))
    again += tried(lambda: IterDataPipe.set_getstate_hook(reduce))
    IterDataPipe.set_getstate_hook(None)
    return seen, again


@case
def map_style():
    pipe = SequenceWrapper([3, 1, 2])
    return (
        list(pipe),
        len(pipe),
        pipe[1],
        [pipe.map(double)[i] for i in range(3)],
        len(pipe.map(double)),
        list(pipe.batch(2)),
        pipe.batch(2)[1],
        [len(pipe.batch(2)), len(pipe.batch(2, drop_last=True))],
        list(pipe.concat(SequenceWrapper("ab"))),
        pipe.concat(SequenceWrapper("ab"))[4],
        list(pipe.zip(SequenceWrapper("ab"))),
        len(pipe.zip(SequenceWrapper("ab"))),
        SequenceWrapper({"a": 1})["a"],
        tried(
            lambda: pipe.batch(2)[2],
            lambda: pipe.concat(SequenceWrapper("ab"))[5],
            lambda: pipe.zip(SequenceWrapper("ab"))[2],
            lambda: pipe.batch(0),
            lambda: pipe.batch(2, drop_last=True)[1],
            lambda: pipe.zip([1]),
            lambda: pipe.concat([1]),
            lambda: type(pipe.zip()).__name__,
            lambda: pipe.nothing,
            lambda: pipe[7],
            lambda: Rows().zip(Rows(3))[0],
            lambda: type(pipe + pipe).__name__,
        ),
        list(pipe.concat(pipe).map(double).batch(4)),
        str(pipe),
        repr(pipe.map(double)),
        str(Rows()),
    )


@case
def map_shuffles():
    pipe = SequenceWrapper(list(range(8))).shuffle()
    pipe.set_seed(5)
    first = list(pipe)
    named = SequenceWrapper({"a": 1, "b": 2}).shuffle(indices=["a", "b"]).set_seed(2)
    off = SequenceWrapper([1, 2, 3]).shuffle().set_shuffle(False)
    second, third_ = list(pipe), list(pipe)
    copy = pickle.loads(pickle.dumps(SequenceWrapper(list(range(8))).shuffle().set_seed(5)))
    return first, second, third_, list(named), list(off), len(pipe), isinstance(pipe, IterDataPipe), list(copy)


@case
def map_wrapper_copies():
    data = [[1], [2]]
    SequenceWrapper(data)[0].append(3)
    SequenceWrapper(data, deepcopy=False)[0].append(4)
    return data


@case
def names():
    classes = Batcher, Collator, Demultiplexer, Filter, Grouper, Mapper, Shuffler, UnBatcher, MapShuffler
    return [(c.__name__, c.__qualname__) for c in classes]


@case
def dataframes():
    class Frame(DFIterDataPipe):
        def __iter__(self):
            yield 1

    return list(Frame()), Frame()._is_dfpipe(), issubclass(DFIterDataPipe, IterDataPipe)


@case
def loaders():
    pipe = source(10).shuffle().sharding_filter()
    return (
        [b.tolist() for b in DataLoader(pipe, batch_size=4)],
        [b.tolist() for b in DataLoader(pipe, batch_size=4, shuffle=True)],
        [b.tolist() for b in DataLoader(pipe, batch_size=4, shuffle=False)],
        [b.tolist() for b in DataLoader(SequenceWrapper(range(5)), batch_size=2, shuffle=False)],
        [b.tolist() for b in DataLoader(SequenceWrapper(range(5)), batch_size=2, shuffle=True)],
        [list(b) for b in DataLoader(source(4).batch(2).collate(), batch_size=None)],
        tried(lambda: DataLoader(pipe, sampler=[1])),
    )


@case
def loaders_with_workers():
    pipe = source(10).shuffle().sharding_filter()
    plain = source(6)
    several = DataLoader(pipe, batch_size=2, num_workers=2, shuffle=True)
    return (
        [b.tolist() for b in several],
        [b.tolist() for b in several],
        [b.tolist() for b in DataLoader(pipe, batch_size=2, num_workers=2, shuffle=False)],
        [b.tolist() for b in DataLoader(plain, batch_size=2, num_workers=2)],
        [b.tolist() for b in DataLoader(pipe, batch_size=2, num_workers=1, shuffle=True)],
        len(several),
        [b.tolist() for b in DataLoader(SequenceWrapper(range(10)).shuffle(), batch_size=2, num_workers=2)],
    )


@case
def determinism():
    @non_deterministic
    class Loose(IterDataPipe):
        pass

    @non_deterministic(lambda pipe, flag=False: flag)
    class Sometimes(IterDataPipe):
        def __init__(self, flag=False):
            pass

    def under():
        with guaranteed_datapipes_determinism():
            Loose()

    def under_sometimes(flag):
        with guaranteed_datapipes_determinism():
            return type(Sometimes(flag)).__name__

    def wrong():
        non_deterministic(lambda: True)(int)

    def wrong_class():
        non_deterministic(int)

    return type(Loose()).__name__, tried(
        under, lambda: under_sometimes(True), lambda: under_sometimes(False), wrong, wrong_class
    )


@case
def validates_arguments():
    class Ints(IterDataPipe):
        def __iter__(self):
            yield 1

    @argument_validation
    def function(pipe: Ints, n: int = 3, text: "str" = ""):
        return list(pipe)

    @argument_validation
    def loose(pipe, n):
        return n

    return tried(
        lambda: function([1]),
        lambda: function(pipe=5),
        lambda: function(),
        lambda: function(1, 2, 3, 4),
        lambda: loose(1, 2),
        lambda: function.__name__,
    )


class OnlyInts:
    def issubtype_of_instance(self, item):
        return isinstance(item, int)

    def __repr__(self):
        return "only ints"


@case
def validates_at_run_time():
    class Ints(IterDataPipe):
        type = OnlyInts()

        def __init__(self, items):
            self.items = items

        @runtime_validation
        def __iter__(self):
            yield from self.items

    class Untyped(IterDataPipe):
        @runtime_validation
        def __iter__(self):
            return iter([1])

    def disabled():
        with runtime_validation_disabled():
            return list(Ints(["a"]))

    def wrong_function():
        @runtime_validation
        def other(self):
            pass

    return tried(
        lambda: list(Ints([1, 2])),
        lambda: list(Ints([1, "a"])),
        disabled,
        lambda: list(Ints(["a"])),
        lambda: list(Untyped()),
        wrong_function,
    )


@case
def groups_of_shards():
    priorities = [getattr(sharding.SHARDING_PRIORITIES, name) for name in ("DEFAULT", "DISTRIBUTED", "MULTIPROCESSING")]
    pipe = source(24).sharding_filter()
    pipe.apply_sharding(2, 1, priorities[1])
    pipe.apply_sharding(3, 1, priorities[2])
    one = source(24).sharding_filter(priorities[1])
    one.apply_sharding(2, 0, priorities[2])
    before = list(one)
    one.apply_sharding(2, 0, priorities[1])
    return list(pipe), tried(lambda: pipe.apply_sharding(3, 1)), before, list(one), [int(p) for p in priorities]


@case
def graphs():
    pipe = source(4).map(double).shuffle().sharding_filter()
    both = pipe.zip(source(3), pipe)
    named = lambda graph: [(str(p), named(below)) for p, below in graph.values()]
    pipes = graph_settings.get_all_graph_pipes(graph.traverse_dps(both))
    off = graph_settings.apply_shuffle_settings(pipe, False)
    return (
        named(graph.traverse_dps(both)),
        [str(p) for p in pipes],
        off is pipe,
        list(pipe),
        tried(
            lambda: graph.traverse_dps(5),
            lambda: graph_settings.apply_sharding(pipe.sharding_filter(), 2, 0),
            lambda: list(graph_settings.apply_sharding(source(5).sharding_filter(), 2, 1)),
            lambda: str(graph_settings.apply_shuffle_settings(source(3), None)),
        ),
    )


class Holding(IterDataPipe):
    def __init__(self, pipes):
        self.pipes = pipes

    def __iter__(self):
        yield 1


@case
def lists_of_pipes_in_a_graph():
    def held(pipes):
        return [str(p) for p in graph_settings.get_all_graph_pipes(graph.traverse_dps(Holding(pipes)))]

    return held([source()]), held({"a": source().map(double)}), held((source(), Rows())), held(Rows())


@case
def seeds_of_pipes():
    generator = torch.Generator().manual_seed(4)
    pipe = source(6).shuffle().batch(2).shuffle()
    return list(graph_settings.apply_random_seed(pipe, generator))
