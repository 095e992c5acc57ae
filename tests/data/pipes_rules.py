"""What holds of all pipes, decorators, DataLoaders of pipes: cases of data pipes."""

import pickle

import torch
from pipes_oracle import Plain, Rows, case, double, even, source, third, tried
from torch.utils.data import (
    DataLoader,
    DFIterDataPipe,
    IterDataPipe,
    MapDataPipe,
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
    Filter,
    Grouper,
    Mapper,
    Shuffler,
    UnBatcher,
    sharding,
)
from torch.utils.data.datapipes.map import SequenceWrapper, Shuffler as MapShuffler


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
    def hidden(name):
        return name.startswith("_") or "dataframe" in name or name == "routed_decode"

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

    def named(graph):
        return [(str(p), named(below)) for p, below in graph.values()]

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
