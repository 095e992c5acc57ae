"""Lines of Python that PyTorch has answered (generate.py) and torch answers alike (test_golden_data.py)."""

import collections
import warnings

import torch
from torch.utils import data
from torch.utils.data import *  # noqa: F403

R = list(range(10))
Pair = collections.namedtuple("Pair", "a b")


class MyList(list):
    pass


class MyDict(dict):
    pass


class Walk(data.IterableDataset):
    """0 … n - 1, and what its __len__ says."""

    def __init__(self, n=5):
        self.n = n

    def __iter__(self):
        return iter(range(self.n))


class Sized(Walk):
    def __init__(self, n, length):
        super().__init__(n)
        self.length = length

    def __len__(self):
        return self.length


class Endless(data.Dataset):
    """No __len__."""

    def __getitem__(self, i):
        return i


class AtOnce(data.Dataset):
    """Has __getitems__, which leaves out `short` items."""

    def __init__(self, short=0):
        self.short = short

    def __getitem__(self, i):
        return i

    def __getitems__(self, indices):
        return [10 * i for i in indices[self.short :]]

    def __len__(self):
        return 5


class Lacking(data.IterableDataset):
    """No __iter__."""


def changed(name, value, **options):
    """The type of error of setting an attribute."""
    loader = data.DataLoader(R, **options)
    setattr(loader, name, value)
    return getattr(loader, name)


def both(loader):
    """len(), then a pass: the order in which warnings about lengths need them."""
    return len(loader), list(loader)


STREAMS = """
list(DataLoader(R, shuffle=True, batch_size=None))
list(DataLoader(R, shuffle=True, batch_size=4, drop_last=True))
list(DataLoader(R, shuffle=True, batch_size=None, generator=G(7)))
list(DataLoader(R, shuffle=True, batch_size=3, num_workers=2))
list(DataLoader(R, shuffle=True, batch_size=None, num_workers=2, generator=G(7)))
twice(DataLoader(R, shuffle=True, batch_size=None))
twice(DataLoader(R, shuffle=True, batch_size=None, generator=G(7)))
twice(DataLoader(R, shuffle=True, batch_size=None, num_workers=1))
twice(DataLoader(R, shuffle=True, batch_size=None, num_workers=2, persistent_workers=True))
begun(DataLoader(R, shuffle=True))
begun(DataLoader(range(100), shuffle=True, num_workers=1))
begun(DataLoader(Walk()))
list(DataLoader(R, batch_size=None))
list(DataLoader(Walk(), num_workers=1, batch_size=None))
list(DataLoader(R, sampler=WeightedRandomSampler([0.1, 0.5, 0.4], 5), batch_size=None))
list(RandomSampler(R))
list(RandomSampler(R, generator=G(7)))
list(RandomSampler(R, num_samples=5))
list(RandomSampler(R, num_samples=20))
list(RandomSampler(R, num_samples=23, generator=G(1)))
twice(RandomSampler(R, generator=G(7)))
list(RandomSampler(R, replacement=True))
list(RandomSampler(R, replacement=True, num_samples=70, generator=G(7)))
list(RandomSampler(R, replacement=True, num_samples=64))
list(SubsetRandomSampler([3, 4, 5]))
list(SubsetRandomSampler([3, 4, 5], generator=G(7)))
list(WeightedRandomSampler([0.1, 0.5, 0.4], 5))
list(WeightedRandomSampler([0.1, 0.5, 0.4], 2, False, generator=G(7)))
list(BatchSampler(RandomSampler(R, generator=G(2)), 3, False))
[s.indices for s in random_split(R, [3, 7])]
[s.indices for s in random_split(R, [0.25, 0.25, 0.5], generator=G(7))]
epochs(DistributedSampler(R, num_replicas=3, rank=0))
epochs(DistributedSampler(R, num_replicas=3, rank=2, seed=5))
epochs(DistributedSampler(R, num_replicas=3, rank=1, drop_last=True))
epochs(DistributedSampler(R, num_replicas=25, rank=24))
"""

CASES = """
list(DataLoader(R, num_workers=-1))
list(DataLoader(R, timeout=-1))
list(DataLoader(R, timeout=1))
list(DataLoader(R, timeout='a'))
list(DataLoader(R, prefetch_factor=2))
list(DataLoader(R, prefetch_factor=-1, num_workers=1))
list(DataLoader(R, persistent_workers=True))
list(DataLoader(R, batch_size=0))
list(DataLoader(R, batch_size=-2))
list(DataLoader(R, batch_size=2.5))
list(DataLoader(R, batch_size='a'))
list(DataLoader(R, batch_size=True))
list(DataLoader(R, batch_size=None))
list(DataLoader(R, batch_size=None, drop_last=True))
list(DataLoader(R, batch_size=4))
list(DataLoader(R, batch_size=4, drop_last=True))
list(DataLoader(R, batch_size=4, in_order=False))
list(DataLoader(R, drop_last=1))
list(DataLoader(R, sampler=[1, 2], shuffle=True))
list(DataLoader(R, sampler=[1, 2]))
list(DataLoader(R, batch_sampler=[[1, 2]], batch_size=2))
list(DataLoader(R, batch_sampler=[[1, 2]], shuffle=True))
list(DataLoader(R, batch_sampler=[[1, 2]], drop_last=True))
list(DataLoader(R, batch_sampler=[[1, 2]], sampler=[1]))
list(DataLoader(R, batch_sampler=[[1, 2], (3,)]))
list(DataLoader(R, batch_sampler=iter([[1, 2], (3,)])))
list(DataLoader(Walk(), shuffle=True))
list(DataLoader(Walk(), shuffle=False))
list(DataLoader(Walk(), sampler=[1]))
list(DataLoader(Walk(), batch_sampler=[[1]]))
list(DataLoader(Walk(), batch_size=2))
list(DataLoader(Walk(), batch_size=2, drop_last=True))
list(DataLoader(Walk(4), batch_size=2))
list(DataLoader(Walk(), batch_size=None))
list(DataLoader(Walk(0)))
list(DataLoader([]))
list(DataLoader([], shuffle=True))
list(DataLoader(Endless(), sampler=[3, 4]))
len(DataLoader(Endless(), sampler=[3, 4]))
len(DataLoader(Endless()))
DataLoader(Endless(), shuffle=True)
list(DataLoader(AtOnce(), batch_size=2))
list(DataLoader(AtOnce(), batch_size=None))
list(DataLoader(R, multiprocessing_context='fork'))
list(DataLoader(R, multiprocessing_context='nope', num_workers=1))
list(DataLoader(R, multiprocessing_context=3, num_workers=1))
list(DataLoader(R, pin_memory=True, batch_size=5))
list(DataLoader(R, pin_memory=True, pin_memory_device='cuda', batch_size=5))
list(DataLoader(R, collate_fn=list, batch_size=4))
list(DataLoader(R, collate_fn=str, batch_size=None))
list(DataLoader(R, 3, False, [5, 6]))
DataLoader(R, num_workers='a')
DataLoader(R, 1, False, None, None, 0, None, False, False, 0, None, None, None, None)
changed('batch_size', 3)
changed('batch_sampler', 3)
changed('sampler', 3)
changed('drop_last', 3)
changed('dataset', 3)
changed('persistent_workers', 3)
changed('num_workers', 3)
changed('timeout', 3)
changed('multiprocessing_context', 'spawn')
changed('multiprocessing_context', 'nope', num_workers=1)
len(DataLoader(R, batch_size=3))
len(DataLoader(R, batch_size=3, drop_last=True))
len(DataLoader(R, batch_size=None))
len(DataLoader(Sized(5, 4), batch_size=3))
len(DataLoader(Sized(5, 4), batch_size=3, drop_last=True))
len(DataLoader(Sized(5, 4), batch_size=None))
len(DataLoader(Walk()))
len(DataLoader(R, sampler=iter([1])))
len(iter(DataLoader(R, batch_size=3)))
both(DataLoader(Sized(5, 3)))
both(DataLoader(Sized(5, 3), batch_size=2))
both(DataLoader(Sized(5, 3), batch_size=None))
both(DataLoader(Sized(5, 5)))
both(DataLoader(Sized(5, 3), num_workers=1))
DataLoader(R).multiprocessing_context
type(DataLoader(R).sampler).__name__
type(DataLoader(Walk()).batch_sampler).__name__
DataLoader(R, batch_size=None).batch_sampler
DataLoader(R, batch_size=None).collate_fn.__name__
DataLoader(R).collate_fn.__name__
DataLoader(R, num_workers=1).prefetch_factor
DataLoader(R, batch_sampler=[[1]]).batch_size
DataLoader(R, batch_sampler=[[1]]).sampler.data_source
RandomSampler([])
RandomSampler(R, replacement=1)
RandomSampler(R, num_samples=0)
RandomSampler(R, num_samples=2.0)
RandomSampler(R, num_samples=-1)
len(RandomSampler(R, num_samples=25))
len(RandomSampler(R))
list(SequentialSampler(R))
len(SequentialSampler(R))
len(SubsetRandomSampler([1, 2, 3]))
WeightedRandomSampler([1.0, 2], 0)
WeightedRandomSampler([1.0, 2], True)
WeightedRandomSampler([1.0, 2], 1.5)
WeightedRandomSampler([[1.0, 2]], 1)
WeightedRandomSampler([1.0, 2], 5, 1)
list(WeightedRandomSampler([1.0, 2], 5, False))
list(WeightedRandomSampler([-1.0, 2], 5))
WeightedRandomSampler([1, 2], 3).weights
len(WeightedRandomSampler([1, 2], 3))
BatchSampler([1, 2], 0, False)
BatchSampler([1, 2], True, False)
BatchSampler([1, 2], 1.5, False)
BatchSampler([1, 2], 2, 1)
list(BatchSampler([1, 2, 3], 2, False))
list(BatchSampler([1, 2, 3], 2, True))
list(BatchSampler(iter([1, 2, 3]), 2, False))
len(BatchSampler([1, 2, 3], 2, False))
len(BatchSampler([1, 2, 3], 2, True))
len(BatchSampler(iter([1, 2, 3]), 2, True))
Sampler([1])
iter(Sampler())
len(Sampler())
Dataset()[0]
len(Dataset())
hasattr(Dataset(), '__getitems__')
len(TensorDataset(torch.arange(3)) + TensorDataset(torch.arange(2)))
type(Walk() + Walk()).__name__
list(Walk(2) + Walk(1))
Walk()[0]
IterableDataset()
Lacking()
TensorDataset(torch.arange(3), torch.arange(4))
len(TensorDataset())
TensorDataset(torch.arange(3), torch.arange(6).view(3, 2))[1]
TensorDataset(torch.arange(3), torch.arange(6).view(3, 2))[:2]
TensorDataset(torch.tensor(1))
TensorDataset([1, 2])
StackDataset()
StackDataset(R, a=R)
StackDataset(R, [1])
StackDataset(a=R, b=[1])
StackDataset(R, R)[1]
StackDataset(a=R, b=R)[1]
StackDataset(R, R).__getitems__([1, 2])
StackDataset(a=R, b=R).__getitems__([1, 2])
StackDataset(AtOnce(), range(5)).__getitems__([1, 2])
StackDataset(AtOnce(1), AtOnce()).__getitems__([1, 2])
len(StackDataset(R))
list(DataLoader(StackDataset(R, R), batch_size=4))
list(DataLoader(StackDataset(a=R, b=R), batch_size=4))
Subset(R, [2, 3])[1]
Subset(R, [2, 3])[[0, 1]]
Subset(torch.arange(5), [2, 3])[[0, 1]]
Subset(torch.arange(5), [2, 3])[:1]
Subset(R, [2, 3])[5]
Subset(AtOnce(), [2, 3]).__getitems__([1])
Subset(R, [2, 3]).__getitems__([1])
list(DataLoader(Subset(AtOnce(), [2, 3]), batch_size=2))
len(Subset(R, [1]))
[ConcatDataset([R, [10, 11]])[i] for i in (0, 9, 10, 11, -1, -12)]
ConcatDataset([R, [], [10, 11]]).cumulative_sizes
ConcatDataset([R, [], [10, 11]])[10]
ConcatDataset([R, [10, 11]])[12]
ConcatDataset([R, [10, 11]])[-13]
ConcatDataset([])
ConcatDataset([Walk()])
ConcatDataset([R]).cummulative_sizes
len(ConcatDataset([R, R]))
list(ChainDataset([Walk(2), Walk(3)]))
list(ChainDataset([R]))
len(ChainDataset([Sized(2, 2), Sized(3, 3)]))
len(ChainDataset([R]))
len(ChainDataset([Walk()]))
[len(s) for s in random_split(R, [0.3, 0.7])]
[len(s) for s in random_split(R, [0.3, 0.3])]
[len(s) for s in random_split(R, [0.3, 0.8])]
[len(s) for s in random_split(R, [1.1, -0.1])]
[len(s) for s in random_split(R, [3, 3])]
[len(s) for s in random_split(range(7), [0.5, 0.5])]
[len(s) for s in random_split(R, [1 / 3] * 3)]
[len(s) for s in random_split(range(2), [0.9, 0.1])]
[len(s) for s in random_split(R, [3.0, 7.0])]
[len(s) for s in random_split(R, [0, 10])]
[len(s) for s in random_split(R, [1.0])]
random_split(R, [])
list(DistributedSampler(R, num_replicas=3, rank=0, shuffle=False))
list(DistributedSampler(R, num_replicas=3, rank=2, shuffle=False))
list(DistributedSampler(R, num_replicas=3, rank=2, shuffle=False, drop_last=True))
list(DistributedSampler(R, num_replicas=25, rank=24, shuffle=False))
list(DistributedSampler(R, num_replicas=25, rank=24, shuffle=False, drop_last=True))
len(DistributedSampler(R, num_replicas=3, rank=0))
DistributedSampler(R, num_replicas=3, rank=0).total_size
DistributedSampler(R, num_replicas=3, rank=3)
DistributedSampler(R, num_replicas=3, rank=-1)
default_collate([1, 2])
default_collate((1, 2))
default_collate([1.5, 2])
default_collate([1, 2.5])
default_collate([True, False])
default_collate(['a', 'b'])
default_collate([b'a', b'b'])
default_collate([None, None])
default_collate([])
default_collate(3)
default_collate([1, 'a'])
default_collate([1, None])
default_collate([1j])
default_collate([{1, 2}])
default_collate([object()])
default_collate([(1, 2), (3, 4)])
default_collate([[1, 2], [3, 4]])
default_collate([[1], [1, 2]])
default_collate([(1,), (1, 2)])
default_collate([[], []])
default_collate([Pair(1, 2.5), Pair(3, 4.5)])
default_collate([{'a': 1}, {'a': 2}])
default_collate([{'a': 1, 'b': 2}, {'a': 2}])
default_collate([{'a': 1}, {'a': 2, 'b': 3}])
default_collate([{'a': [1, {'b': 'x'}]}, {'a': [2, {'b': 'y'}]}])
default_collate([collections.OrderedDict(b=1, a=2)] * 2)
default_collate([collections.defaultdict(int, a=1)] * 2)
default_collate([collections.UserDict(a=1)] * 2)
default_collate([collections.deque([1, 2])] * 2)
default_collate([MyList([1]), MyList([2])])
default_collate([MyDict(a=1), MyDict(a=2)])
default_collate([range(2), range(2)])
default_collate([bytearray(b'ab')] * 2)
default_collate([torch.Size([1, 2])] * 2)
default_collate([torch.ones(2), torch.zeros(2)])
default_collate([torch.tensor(1), torch.tensor(2)])
default_collate([torch.ones(2), torch.zeros(3)])
default_collate([torch.ones(2, dtype=torch.bfloat16)] * 2)
default_collate([numpy.ones(2), numpy.zeros(2)])
default_collate([numpy.array(1.0), numpy.array(2.0)])
default_collate([numpy.float32(1), numpy.float32(2)])
default_collate([numpy.float64(1), numpy.float64(2)])
default_collate([numpy.int8(1), numpy.int8(2)])
default_collate([numpy.bool_(1)])
default_collate([numpy.str_('a'), numpy.str_('b')])
default_collate([numpy.array(['a']), numpy.array(['b'])])
default_collate([numpy.array([object()])])
default_collate([numpy.datetime64('2020')])
default_convert(1)
default_convert('a')
default_convert(None)
default_convert(numpy.ones(2))
default_convert(numpy.float32(1))
default_convert(numpy.array(['a']))
default_convert([1, numpy.ones(1)])
default_convert((1, numpy.ones(1)))
default_convert(Pair(1, numpy.ones(1)))
default_convert({'a': numpy.ones(1)})
default_convert(collections.OrderedDict(a=numpy.ones(1)))
default_convert(collections.deque([numpy.ones(1)]))
default_convert(MyList([numpy.ones(1)]))
default_convert(range(3))
default_convert({1})
"""


def lines(text):
    return text.strip().splitlines()


def told(value):
    """A value as JSON: its type's name, and what is in it."""
    kind = type(value).__name__
    if isinstance(value, torch.Tensor):
        return [kind, str(value.dtype), list(value.shape), value.tolist()]
    if kind == "ndarray":
        return [kind, value.tolist()]
    if isinstance(value, (dict, collections.UserDict)):
        return [kind, [[told(key), told(item)] for key, item in value.items()]]
    if isinstance(value, (list, tuple, collections.deque)):
        return [kind, [told(item) for item in value]]
    return [kind, value if isinstance(value, (int, float, str, type(None))) else "…"]


def answer(line, **names):
    """What a line returns, or the type and text of what it raises; and the warnings that it gives."""
    import numpy

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            said = {"value": told(eval(line, globals() | {"numpy": numpy} | names))}
        except Exception as error:
            said = {"error": type(error).__name__, "text": str(error)}
    # Too many workers for the machine is its own affair, and so is how many threads the tests before have started.
    texts = [(w.category.__name__, str(w.message)) for w in caught]
    own = ("worker processes in total", "use of fork() may lead to deadlocks")
    said["warnings"] = [[kind, text] for kind, text in texts if not any(phrase in text for phrase in own)]
    return said


def G(seed):
    return torch.Generator().manual_seed(seed)


def twice(loader):
    return list(loader) + list(loader)


def begun(loader):
    """What is drawn before the first batch."""
    return type(iter(loader)).__name__


def epochs(sampler):
    first = list(sampler)
    sampler.set_epoch(2)
    return first, list(sampler), len(sampler)
