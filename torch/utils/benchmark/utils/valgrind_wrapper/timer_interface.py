"""Instructions that a statement takes, counted by callgrind: numbers that no other program on the machine disturbs."""

from __future__ import annotations

import collections
import dataclasses
import enum
import itertools
import os
import pickle
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap

import torch
from torch.utils.benchmark.utils import common

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any


__all__ = ["CallgrindStats", "CopyIfCallgrind", "FunctionCount", "FunctionCounts"]

FunctionCount = collections.namedtuple("FunctionCount", ["count", "function"])  # noqa: PYI024 - torch's name and fields


# ---- results -------------------------------------------------------------------------------------------------
@dataclasses.dataclass(repr=False, eq=False, frozen=True)
class FunctionCounts:
    """Instructions by function, the most first. Two of them can be added and subtracted."""

    _data: tuple
    inclusive: bool
    truncate_rows: bool = True
    _linewidth: int | None = None

    def __iter__(self) -> Iterator[FunctionCount]:
        yield from self._data

    def __len__(self) -> int:
        return len(self._data)

    def __getitem__(self, item: Any) -> FunctionCount | FunctionCounts:
        data = self._data[item]
        if isinstance(data, tuple) and not isinstance(data, FunctionCount):
            return FunctionCounts(data, self.inclusive, truncate_rows=False)
        return data

    def __repr__(self) -> str:
        width = max([11, *(len(str(count)) + 2 for count, _ in self)])
        rows = [f"{count:>{width}}  {function}" for count, function in self]
        if self.truncate_rows and len(rows) > 18:  # noqa: PLR2004
            rows = [*rows[:9], "...".rjust(width + 2), *rows[-9:]]
        if not self.inclusive:
            rows += ["", f"Total: {self.sum()}"]
        return "\n".join([object.__repr__(self), *rows])

    def __add__(self, other: FunctionCounts) -> FunctionCounts:
        return self._merge(other, lambda count: count)

    def __sub__(self, other: FunctionCounts) -> FunctionCounts:
        return self._merge(other, _negative)

    def __mul__(self, other: int | float) -> FunctionCounts:
        return self._from_dict({function: int(count * other) for count, function in self}, self.inclusive)

    def transform(self, map_fn: Callable[[str], str]) -> FunctionCounts:
        """With other names; counts of equal names are added."""
        counts = collections.defaultdict(int)
        for count, function in self:
            counts[map_fn(function)] += count
        return self._from_dict(counts, self.inclusive)

    def filter(self, filter_fn: Callable[[str], bool]) -> FunctionCounts:
        """Those functions for whose names `filter_fn` says so."""
        return FunctionCounts(tuple(each for each in self if filter_fn(each.function)), self.inclusive)

    def sum(self) -> int:
        """All instructions."""
        return sum(count for count, _ in self)

    def denoise(self) -> FunctionCounts:
        """Without functions of the interpreter whose number depends on where objects lie."""
        return self.filter(lambda name: "dictobject.c:lookdict_unicode" not in name)

    def _merge(self, second, merge_fn):
        if self.inclusive != second.inclusive:
            raise AssertionError("Cannot merge inclusive and exclusive counts.")
        counts = collections.defaultdict(int)
        for count, function in self:
            counts[function] += count
        for count, function in second:
            counts[function] += merge_fn(count)
        return self._from_dict(counts, self.inclusive)

    @staticmethod
    def _from_dict(counts, inclusive):
        rows = (FunctionCount(int(count), function) for function, count in counts.items() if count != 0)
        return FunctionCounts(tuple(sorted(rows, reverse=True)), inclusive)


def _negative(count):
    """-count."""
    return -count


@dataclasses.dataclass(repr=False, eq=False, frozen=True)
class CallgrindStats:
    """What collect_callgrind has counted: of the statement, and of an empty one."""

    task_spec: common.TaskSpec
    number_per_run: int
    built_with_debug_symbols: bool
    baseline_inclusive_stats: FunctionCounts
    baseline_exclusive_stats: FunctionCounts
    stmt_inclusive_stats: FunctionCounts
    stmt_exclusive_stats: FunctionCounts
    stmt_callgrind_out: str | None

    def __repr__(self) -> str:
        base = self.baseline_exclusive_stats
        rows = [
            object.__repr__(self),
            self.task_spec.summarize(),
            f"  {'':>25}All{'':>10}Noisy symbols removed",
            f"    Instructions: {self.counts():>22}{self.counts(denoise=True):>22}",
            f"    Baseline:     {base.sum():>22}{base.denoise().sum():>22}",
            f"{self.number_per_run} runs per measurement, {self.task_spec.num_threads} thread"
            f"{'s' if self.task_spec.num_threads > 1 else ''}",
        ]
        return "\n".join(rows)

    def stats(self, inclusive: bool = False) -> FunctionCounts:
        """Instructions of the statement by function; `inclusive`: with what each function calls."""
        return self.stmt_inclusive_stats if inclusive else self.stmt_exclusive_stats

    def counts(self, *, denoise: bool = False) -> int:
        """All instructions of all runs of the statement."""
        stats = self.stmt_exclusive_stats
        return (stats.denoise() if denoise else stats).sum()

    def delta(self, other: CallgrindStats, inclusive: bool = False) -> FunctionCounts:
        """What this has more than another one, by function."""
        return self.stats(inclusive) - other.stats(inclusive)

    def as_standardized(self) -> CallgrindStats:
        """With names in which no folder of one machine is left, so that two environments can be compared."""

        def strip(stats):
            transforms = (
                (r"\s\[/.*?\]$", ""),
                (r"^.+/(torch|csrc|lib)/", r"\1/"),
                (r"^.+/([^/:]+\.(?:c|cpp|h|hpp|py):)", r"\1"),
            )
            for before, after in transforms:
                stats = stats.transform(lambda name, b=before, a=after: re.sub(b, a, name))
            return stats

        return dataclasses.replace(
            self,
            baseline_inclusive_stats=strip(self.baseline_inclusive_stats),
            baseline_exclusive_stats=strip(self.baseline_exclusive_stats),
            stmt_inclusive_stats=strip(self.stmt_inclusive_stats),
            stmt_exclusive_stats=strip(self.stmt_exclusive_stats),
            stmt_callgrind_out=None,
        )


# ---- names for the other process --------------------------------------------------------------------------------
class Serialization(enum.Enum):
    """How a value goes to the other process."""

    PICKLE = 0
    TORCH = 1
    TORCH_JIT = 2


_PLAIN = (bool, bytes, complex, float, int, list, tuple, dict, str, type(None))


class CopyIfCallgrind:
    """A value of Timer's `globals` that is copied into callgrind's process. `setup`: statements that have to run there before
    it can be unpickled, such as the definition of its class."""

    def __init__(self, value: Any, *, setup: str | None = None) -> None:
        for function, kind in ((torch.nn.Module, Serialization.TORCH), (torch.Tensor, Serialization.TORCH)):
            if isinstance(value, function):
                self._serialization = kind
                break
        else:
            self._serialization = Serialization.PICKLE
        self._value, self._setup = value, setup

    @property
    def value(self) -> Any:
        """As it is here."""
        return self._value

    @property
    def setup(self) -> str | None:
        """The statements."""
        return self._setup

    @property
    def serialization(self) -> Serialization:
        """How it is copied."""
        return self._serialization

    @staticmethod
    def unwrap_all(globals: dict[str, Any]) -> dict[str, Any]:  # noqa: A002
        """The values themselves."""
        return {name: value.value if isinstance(value, CopyIfCallgrind) else value for name, value in globals.items()}


class GlobalsBridge:
    """Writes names into a folder, and the statements that read them."""

    def __init__(self, globals, data_dir):  # noqa: A002
        self._globals, self._data_dir = globals, data_dir
        refused = [
            name
            for name, value in globals.items()
            if not (name == "torch" or name.startswith("__") or isinstance(value, (CopyIfCallgrind, *_PLAIN)))
        ]
        if refused:
            raise ValueError(
                f"Timer was given globals that cannot be copied into callgrind's process: {', '.join(refused)}. Wrap them in "
                "CopyIfCallgrind, or make them in setup."
            )

    def construct(self):
        """The statements."""
        lines = []
        for name, value in self._globals.items():
            if name == "torch" or name.startswith("__"):
                continue
            wrapped = value if isinstance(value, CopyIfCallgrind) else CopyIfCallgrind(value)
            path = os.path.join(self._data_dir, f"{name}.pkl")
            if wrapped.setup:
                lines.append(textwrap.dedent(wrapped.setup))
            if wrapped.serialization is Serialization.TORCH:
                torch.save(wrapped.value, path)
                lines.append(f"{name} = torch.load({path!r}, weights_only=False)")
            else:
                with open(path, "wb") as file:
                    pickle.dump(wrapped.value, file)
                lines.append(f"with open({path!r}, 'rb') as _file:\n    {name} = __import__('pickle').load(_file)")
        return "\n".join(lines)


# ---- the other process ------------------------------------------------------------------------------------------
_SCRIPT = """\
import sys
sys.path[:0] = {path!r}
import torch
from torch.utils.benchmark.utils.valgrind_wrapper import _requests
torch.set_num_threads({threads})
{globals}
{setup}

def _statement(_number):
    for _ in range(_number):
{stmt}

def _empty(_number):
    for _ in range(_number):
        pass

_statement({warm})
_requests.count(lambda: None)
for _run in [_empty] * {baseline} + [_statement] * {repeats}:
    _requests.count(lambda: _run({number}))
"""


class _ValgrindWrapper:
    """Runs statements under valgrind."""

    def collect_callgrind(self, task_spec, globals, *, number, repeats, collect_baseline, retain_out_file):  # noqa: A002
        """A CallgrindStats for each repetition."""
        if shutil.which("valgrind") is None or shutil.which("callgrind_annotate") is None:
            raise OSError("Could not find `valgrind` and `callgrind_annotate`, which count instructions")
        with tempfile.TemporaryDirectory() as folder:
            runs = self._run(task_spec, globals, folder, number, repeats, collect_baseline)
            baseline = runs.pop(0) if collect_baseline else None
            return tuple(self._stats(task_spec, number, run, baseline, retain_out_file) for run in runs)

    def _run(self, spec, globals, folder, number, repeats, collect_baseline):  # noqa: A002
        """The files of all runs."""
        script, out = os.path.join(folder, "timer.py"), os.path.join(folder, "callgrind.out")
        text = _SCRIPT.format(
            path=[path for path in sys.path if path],
            threads=spec.num_threads,
            globals=GlobalsBridge(globals, folder).construct(),
            setup=spec.setup,
            stmt=textwrap.indent(spec.stmt, " " * 8),
            warm=min(number, 10),
            number=number,
            baseline=int(collect_baseline),
            repeats=repeats,
        )
        with open(script, "w") as file:
            file.write(text)
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", "--instr-atstart=no"]
        environment = {**os.environ, "PYTHONHASHSEED": "0", "OMP_NUM_THREADS": str(spec.num_threads)}
        done = subprocess.run(
            [*command, sys.executable, script], capture_output=True, text=True, env=environment, check=False
        )
        wanted = [f"{out}.{i}" for i in range(2, 2 + int(collect_baseline) + repeats)]
        missing = [path for path in wanted if not os.path.exists(path)]
        if done.returncode or missing:
            raise OSError(f"Failed to collect callgrind profile:\n{done.stdout}\n{done.stderr}")
        return wanted

    def _stats(self, spec, number, path, baseline, retain_out_file):
        empty = FunctionCounts((), True), FunctionCounts((), False)
        base = [self._annotated(baseline, inclusive) for inclusive in (True, False)] if baseline else empty
        text = None
        if retain_out_file:
            with open(path) as file:
                text = file.read()
        return CallgrindStats(
            task_spec=spec,
            number_per_run=number,
            built_with_debug_symbols=False,
            baseline_inclusive_stats=base[0],
            baseline_exclusive_stats=base[1],
            stmt_inclusive_stats=self._annotated(path, True),
            stmt_exclusive_stats=self._annotated(path, False),
            stmt_callgrind_out=text,
        )

    @staticmethod
    def _annotated(path, inclusive):
        """What callgrind_annotate says of a file."""
        command = [
            "callgrind_annotate",
            f"--inclusive={'yes' if inclusive else 'no'}",
            "--threshold=100",
            "--auto=no",
            path,
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise OSError(f"Failed to annotate callgrind profile:\n{done.stdout}\n{done.stderr}")
        counts = collections.defaultdict(int)
        lines = itertools.dropwhile(lambda line: "file:function" not in line, done.stdout.splitlines())
        for line in itertools.islice(lines, 2, None):
            found = re.match(r"^\s*([0-9,]+)\s+(?:\(\s*[0-9.]+%\)\s+)?(.+:.+)$", line)
            if found:
                counts[found[2].strip()] += int(found[1].replace(",", ""))
        return FunctionCounts._from_dict(counts, inclusive)


CALLGRIND_SINGLETON = None


def wrapper_singleton():
    """The one wrapper of this process."""
    global CALLGRIND_SINGLETON
    if CALLGRIND_SINGLETON is None:
        CALLGRIND_SINGLETON = _ValgrindWrapper()
    return CALLGRIND_SINGLETON
