"""What is measured, TaskSpec, and what came of it, Measurement; units and digits."""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import math
import statistics
import textwrap

import torch

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any


__all__ = [
    "Measurement",
    "TaskSpec",
    "ordered_unique",
    "select_unit",
    "set_torch_threads",
    "trim_sigfig",
    "unit_to_english",
]

_MAX_SIGNIFICANT_FIGURES = 4
_MIN_CONFIDENCE_INTERVAL = 25e-9  # of a clock's readings
_IQR_WARN_THRESHOLD = 0.1
_IQR_GROSS_WARN_THRESHOLD = 0.25


@dataclasses.dataclass(init=True, repr=False, eq=True, frozen=True)
class TaskSpec:
    """What a measurement is of. Those with equal specs can be merged."""

    stmt: str
    setup: str
    global_setup: str = ""
    label: str | None = None
    sub_label: str | None = None
    description: str | None = None
    env: str | None = None
    num_threads: int = 1

    @property
    def title(self) -> str:
        """The label, or the statement."""
        if self.label is not None:
            return self.label + (f": {self.sub_label}" if self.sub_label else "")
        if "\n" not in self.stmt:
            return self.stmt + (f": {self.sub_label}" if self.sub_label else "")
        return f"stmt:{f' ({self.sub_label})' if self.sub_label else ''}\n{textwrap.indent(self.stmt, '  ')}"

    def setup_str(self) -> str:
        """The setup, if there is one."""
        if self.setup == "pass" or not self.setup:
            return ""
        if "\n" in self.setup:
            return f"setup:\n{textwrap.indent(self.setup, '  ')}"
        return f"setup: {self.setup}"

    def summarize(self) -> str:
        """Title, description and setup."""
        parts = [self.title, self.description or "", self.setup_str()]
        return "\n".join(f"{part}\n" if "\n" in part else part for part in parts if part)


_TASKSPEC_FIELDS = tuple(field.name for field in dataclasses.fields(TaskSpec))


@dataclasses.dataclass(init=True, repr=False)
class Measurement:
    """Times of one task: `raw_times` of runs of the statement, `number_per_run` times each. Fields of the task are its
    attributes, too."""

    number_per_run: int
    raw_times: list
    task_spec: TaskSpec
    metadata: dict | None = None

    def __getattr__(self, name: str) -> Any:
        if name in _TASKSPEC_FIELDS:
            return getattr(self.task_spec, name)
        raise AttributeError(f"'Measurement' object has no attribute '{name}'")

    @property
    def times(self) -> list[float]:
        """Seconds of one execution, by run."""
        return [t / self.number_per_run for t in self.raw_times]

    @property
    def median(self) -> float:
        """Of the times; -1 of none."""
        return statistics.median(self.times) if self.raw_times else -1.0

    @property
    def mean(self) -> float:
        """Of the times; -1 of none."""
        return statistics.fmean(self.times) if self.raw_times else -1.0

    def _quartiles(self):
        times = sorted(self.times)

        def quantile(q):
            at = q * (len(times) - 1)
            low = math.floor(at)
            high = min(low + 1, len(times) - 1)
            return times[low] + (times[high] - times[low]) * (at - low)

        return (quantile(0.25), quantile(0.75)) if times else (-1.0, -1.0)

    @property
    def iqr(self) -> float:
        """How far the quartiles are apart."""
        low, high = self._quartiles()
        return high - low

    @property
    def significant_figures(self) -> int:
        """How many digits of the median can be trusted, at least 1: of an interval of twice the quartiles' part in the root
        of the number of runs, and of the clock's grain."""
        n = len(self.raw_times)
        if not n:
            return 1
        # About 2 standard errors of the median of a normal distribution, whose quartiles are 1.35 deviations apart.
        interval = max(1.645 * _scale(n) * self.iqr / 1.349 / math.sqrt(n), _MIN_CONFIDENCE_INTERVAL)
        relative = math.log10(self.median / interval) if self.median > 0 else 0
        return min(max(math.floor(relative), 1), _MAX_SIGNIFICANT_FIGURES)

    @property
    def has_warnings(self) -> bool:
        """Whether the times scatter so much that they cannot be trusted."""
        return bool(self._warning())

    def _warning(self):
        if self.meets_confidence(_IQR_WARN_THRESHOLD):
            return ""
        part = self.iqr / self.median * 100
        gross = self.iqr / self.median > _IQR_GROSS_WARN_THRESHOLD
        text = (
            "This suggests significant environmental influence." if gross else "This could indicate system fluctuation."
        )
        return f"  WARNING: Interquartile range is {part:.1f}% of the median measurement.\n           {text}"

    def meets_confidence(self, threshold: float = _IQR_WARN_THRESHOLD) -> bool:
        """Whether the quartiles are no farther apart than this part of the median."""
        return self.median <= 0 or self.iqr / self.median < threshold

    @property
    def title(self) -> str:
        """Of the task."""
        return self.task_spec.title

    @property
    def env(self) -> str:
        """Which of several builds or machines it is of."""
        return "Unspecified env" if self.task_spec.env is None else self.task_spec.env

    @property
    def as_row_name(self) -> str:
        """In a table."""
        return self.sub_label or self.stmt or "[Unknown]"

    def __repr__(self) -> str:
        unit, scale = select_unit(self.median)
        n = len(self.raw_times)
        lines = [f"{object.__repr__(self)}", self.task_spec.summarize()]
        plural = "s" if n != 1 else ""
        runs = f"{n} measurement{plural}, {self.number_per_run} runs "
        runs += "per measurement" if n > 1 else ""
        runs += f", {self.num_threads} thread{'s' if self.num_threads > 1 else ''}"
        if n < 2:  # noqa: PLR2004
            lines.append(f"  {self.median / scale:.2f} {unit}")
        else:
            low, high = (quartile / scale for quartile in self._quartiles())
            lines.append(f"  Median: {self.median / scale:.2f} {unit}")
            lines.append(f"  IQR:    {self.iqr / scale:.2f} {unit} ({low:.2f} to {high:.2f})")
        lines.append(f"  {runs}")
        if warning := self._warning():
            lines.append(warning)
        return "\n".join(lines)

    @staticmethod
    def merge(measurements: Iterable[Measurement]) -> list[Measurement]:
        """Those of one task as one; a list of one for each task."""
        groups = collections.defaultdict(list)
        for measurement in measurements:
            groups[measurement.task_spec].append(measurement)
        return [_merged(spec, group) for spec, group in groups.items()]


def _scale(n):
    """Of few runs the quartiles say less."""
    return 1 + 1 / n


def _merged(spec, group):
    metadata = group[0].metadata or {}
    for measurement in group:
        metadata = {key: value for key, value in metadata.items() if (measurement.metadata or {}).get(key) == value}
    times = [time for measurement in group for time in measurement.times]
    return Measurement(number_per_run=1, raw_times=times, task_spec=spec, metadata=metadata or None)


def select_unit(t: float) -> tuple[str, float]:
    """The unit that suits a time in seconds, and how long it is: ("us", 1e-6)."""
    exponent = math.log10(t) if t > 0 else 0
    unit = {-3: "ns", -2: "us", -1: "ms"}.get(math.floor(round(exponent, 6) / 3), "s")
    return unit, {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1}[unit]


def unit_to_english(u: str) -> str:
    """Of "us": "microsecond"."""
    return {"ns": "nanosecond", "us": "microsecond", "ms": "millisecond", "s": "second"}[u]


def trim_sigfig(x: float, n: int) -> float:
    """A number with n significant digits."""
    if n != int(n) or n < 1:
        raise AssertionError(f"n has to be a positive int, got {n}")
    return float(f"{x:.{int(n) - 1}e}")


def ordered_unique(elements: Iterable[Any]) -> list[Any]:
    """Each element once, where it comes first."""
    return list(dict.fromkeys(elements))


@contextlib.contextmanager
def set_torch_threads(n: int) -> Iterator[None]:
    """A context in which torch computes with n threads."""
    before = torch.get_num_threads()
    try:
        torch.set_num_threads(n)
        yield
    finally:
        torch.set_num_threads(before)
