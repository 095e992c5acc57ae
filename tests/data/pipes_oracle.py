"""How cases of data pipes ask: pipes_steps.py and pipes_rules.py have them, functions without arguments, whose answers PyTorch has
written down (generate_pipes.py) and torch gives alike (test_golden_pipes.py). Errors and warnings are part of an answer, and
so are the random numbers drawn."""

import warnings

import torch
from torch.utils.data import (
    IterDataPipe,
    MapDataPipe,
)
from torch.utils.data.datapipes.iter import (
    IterableWrapper,
)

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
        warnings.filterwarnings("ignore", "This process .* is multi-threaded")  # of other tests' threads
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
