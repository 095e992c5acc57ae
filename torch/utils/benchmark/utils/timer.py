"""Timer: the time of a statement, in Python or C++."""

from __future__ import annotations

import enum
import textwrap
import timeit

import torch
from torch.utils.benchmark.utils import common

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn


__all__ = ["Language", "Timer", "timer"]

timer = timeit.default_timer


def _synchronized():
    torch.accelerator.synchronize()
    return timeit.default_timer()


if torch.accelerator.is_available() and torch.accelerator.current_accelerator().type != "cpu":
    timer = _synchronized  # what a device still does belongs to the time


class Language(enum.Enum):
    """Of a statement."""

    PYTHON = 0
    CPP = 1


class CPPTimer:
    """As timeit.Timer, for C++, which is compiled when this is made."""

    def __init__(self, stmt, setup, global_setup, timer, globals):  # noqa: A002
        if timer is _synchronized:
            raise NotImplementedError(
                "statements in C++ are timed without a device's work; if this one uses none, pass timer=timeit.default_timer"
            )
        if globals:
            raise ValueError("C++ timing does not support globals.")
        from torch.utils.benchmark.utils import cpp_jit

        self._module = cpp_jit.compile_timeit_template(
            stmt=textwrap.dedent(stmt), setup=textwrap.dedent(setup), global_setup=textwrap.dedent(global_setup)
        )

    def timeit(self, number):
        """Seconds for so many executions."""
        return self._module.timeit(number)


def _language(given):
    if isinstance(given, Language):
        return given
    name = str(given).lower()
    if name in ("py", "python"):
        return Language.PYTHON
    if name in ("cpp", "c++"):
        return Language.CPP
    raise ValueError(f"Invalid language `{given}`.")


class Timer:
    """Measures `stmt` after `setup`, both as timeit.Timer takes them; `torch` is there.

    `globals`: names for both. `label`, `sub_label`, `description`, `env`: what `Compare` makes titles, rows and columns of.
    `num_threads`: with how many threads torch computes meanwhile, 1 if it is not said. `language`: "python" or "c++",
    which a compiler translates; `global_setup` then stands outside the function, for #include.
    """

    _timer_cls = timeit.Timer

    def __init__(
        self,
        stmt: str = "pass",
        setup: str = "pass",
        global_setup: str = "",
        timer: Callable[[], float] = timer,
        globals: dict[str, Any] | None = None,  # noqa: A002 - timeit's name
        label: str | None = None,
        sub_label: str | None = None,
        description: str | None = None,
        env: str | None = None,
        num_threads: int = 1,
        language: Language | str = Language.PYTHON,
    ) -> None:
        if not isinstance(stmt, str):
            raise ValueError("Currently only a `str` stmt is supported.")
        self._globals = dict(globals or {})
        self._language = _language(language)
        options = {}
        if self._language is Language.PYTHON:
            if global_setup:
                raise ValueError(
                    f"global_setup is C++ only, got `{global_setup}`. Most likely this code can simply be moved to `setup`."
                )
            self._globals.setdefault("torch", torch)
        else:
            self._timer_cls = CPPTimer
            setup = "" if setup == "pass" else setup
            options["global_setup"] = global_setup
        stmt, setup = (textwrap.dedent(text).strip() for text in (stmt, setup))
        self._timer = self._timer_cls(
            stmt=stmt, setup=setup, timer=timer, globals=self._globals if not options else None, **options
        )
        self._task_spec = common.TaskSpec(
            stmt=stmt,
            setup=setup,
            global_setup=global_setup,
            label=label,
            sub_label=sub_label,
            description=description,
            env=env,
            num_threads=num_threads,
        )

    def _timeit(self, number):
        """Seconds; at least a nanosecond, so that nothing is divided by 0."""
        return max(self._timer.timeit(number), 1e-9)

    def timeit(self, number: int = 1000000) -> common.Measurement:
        """A Measurement of one run of so many executions. Some are not measured: they warm caches."""
        with common.set_torch_threads(self._task_spec.num_threads):
            self._timeit(number=max(int(number // 100), 2))
            return common.Measurement(
                number_per_run=number, raw_times=[self._timeit(number=number)], task_spec=self._task_spec
            )

    def repeat(self, repeat: int = -1, number: int = -1) -> None:
        """Raises NotImplementedError: see blocked_autorange."""
        raise NotImplementedError("See `Timer.blocked_autorange.`")

    def autorange(self, callback: Callable[[int, float], NoReturn] | None = None) -> None:
        """Raises NotImplementedError: see blocked_autorange."""
        raise NotImplementedError("See `Timer.blocked_autorange.`")

    def _loop(self, number, stop, min_run_time, max_run_time=None, callback=None):
        """Times of runs of `number` executions, until they have taken the time and `stop` says so."""
        total, times = 0.0, []
        with common.set_torch_threads(self._task_spec.num_threads):
            while total < min_run_time or not stop(times):
                if callback is not None:
                    taken = self._timeit(number)
                    callback(number, taken)
                else:
                    taken = self._timeit(number)
                times.append(taken)
                total += taken
                if max_run_time and total > max_run_time:
                    break
        return times

    def _estimate_block_size(self, min_run_time):
        """How many executions make the timer's own part small: at most a thousandth."""
        with common.set_torch_threads(self._task_spec.num_threads):
            overhead = torch.tensor([self._timeit(0) for _ in range(5)]).median().item()
            number = 1
            while True:
                taken = self._timeit(number)
                if overhead / taken <= 1e-4 and taken >= min_run_time / 1000:
                    return number
                if taken > min_run_time:
                    return number
                number *= 10

    def blocked_autorange(
        self, callback: Callable[[int, float], NoReturn] | None = None, min_run_time: float = 0.2
    ) -> common.Measurement:
        """A Measurement of as many runs as take `min_run_time` seconds, of as many executions each as make the clock's own
        time small."""
        number = self._estimate_block_size(min_run_time)
        times = self._loop(number, lambda times: True, min_run_time, callback=callback)
        return common.Measurement(number_per_run=number, raw_times=times, task_spec=self._task_spec)

    def adaptive_autorange(
        self,
        threshold: float = 0.1,
        *,
        min_run_time: float = 0.01,
        max_run_time: float = 10.0,
        callback: Callable[[int, float], NoReturn] | None = None,
    ) -> common.Measurement:
        """The same until the quartiles are no farther apart than `threshold` of the median, at most `max_run_time`
        seconds."""
        number = self._estimate_block_size(min_run_time=0.05)

        def stop(times):
            if len(times) < 4:  # noqa: PLR2004
                return False
            return common.Measurement(number, times, self._task_spec).meets_confidence(threshold)

        times = self._loop(number, stop, min_run_time, max_run_time, callback)
        return common.Measurement(number_per_run=number, raw_times=times, task_spec=self._task_spec)

    def collect_callgrind(
        self,
        number: int = 100,
        *,
        repeats: int | None = None,
        collect_baseline: bool = True,
        retain_out_file: bool = False,
    ) -> Any:
        """How many instructions `number` executions are, as CallgrindStats, or a tuple of `repeats` of them. The statement runs
        in another process under valgrind, which has to be there. `collect_baseline`: what an empty statement costs is
        counted, too. `retain_out_file`: the text that callgrind writes is kept with the result."""
        from torch.utils.benchmark.utils.valgrind_wrapper import timer_interface

        if self._language is not Language.PYTHON:
            raise NotImplementedError(
                "collect_callgrind: statements in C++ cannot be counted here, only those in Python"
            )
        results = timer_interface.wrapper_singleton().collect_callgrind(
            task_spec=self._task_spec,
            globals=self._globals,
            number=number,
            repeats=repeats or 1,
            collect_baseline=collect_baseline,
            retain_out_file=retain_out_file,
        )
        return results[0] if repeats is None else results
