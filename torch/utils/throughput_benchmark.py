"""ThroughputBenchmark: how many examples a module computes in a second, asked by several threads at once."""

from __future__ import annotations

import itertools
import random
import threading
import time

import torch

__all__ = ["ExecutionStats", "ThroughputBenchmark", "format_time"]


def format_time(time_us=None, time_ms=None, time_s=None):
    """A time with the unit that suits it: "5.100ms"."""
    given = [(time_us, 1), (time_ms, 1e3), (time_s, 1e6)]
    if sum(value is not None for value, _ in given) != 1:
        raise AssertionError("Expected only one of time_us, time_ms, time_s is given.")
    time_us = next(value * factor for value, factor in given if value is not None)
    if time_us >= 1e6:
        return f"{time_us / 1e6:.3f}s"
    if time_us >= 1e3:
        return f"{time_us / 1e3:.3f}ms"
    return f"{time_us:.3f}us"


class ExecutionStats:
    """What a run has measured."""

    def __init__(self, c_stats, benchmark_config):
        self._c_stats = c_stats
        self.benchmark_config = benchmark_config

    @property
    def latency_avg_ms(self):
        """Of one example."""
        return self._c_stats.latency_avg_ms

    @property
    def num_iters(self):
        """Of all threads."""
        return self._c_stats.num_iters

    @property
    def iters_per_second(self):
        """Of all threads together."""
        return self.num_iters / self.total_time_seconds

    @property
    def total_time_seconds(self):
        """From the first example to the last."""
        return self.num_iters * (self.latency_avg_ms / 1000.0) / self.benchmark_config.num_calling_threads

    def __str__(self):
        return "\n".join(
            [
                f"Average latency per example: {format_time(time_ms=self.latency_avg_ms)}",
                f"Total number of iterations: {self.num_iters}",
                f"Total number of iterations per second (across all threads): {self.iters_per_second:.2f}",
                f"Total time: {format_time(time_s=self.total_time_seconds)}",
            ]
        )


class _Config:
    def __init__(self, threads, warmup, iters, profiler_output_path):
        self.num_calling_threads = threads
        self.num_warmup_iters = warmup
        self.num_iters = iters
        self.profiler_output_path = profiler_output_path


class _Measured:
    def __init__(self, latency_avg_ms, num_iters):
        self.latency_avg_ms = latency_avg_ms
        self.num_iters = num_iters


class ThroughputBenchmark:
    """Runs a module on inputs that it is given by `add_input`, drawn at random, from several threads. The threads share
    Python's lock; operators on large tensors give it up."""

    def __init__(self, module) -> None:
        self._module = module
        self._inputs = []

    def run_once(self, *args, **kwargs):
        """What the module gives for one input."""
        return self._module(*args, **kwargs)

    def add_input(self, *args, **kwargs) -> None:
        """An input for the benchmark."""
        self._inputs.append((args, kwargs))

    def benchmark(self, num_calling_threads=1, num_warmup_iters=10, num_iters=100, profiler_output_path=""):
        """Runs `num_iters` examples in all, after `num_warmup_iters` in each thread. `profiler_output_path`: where a profile
        of one more example is written, for chrome://tracing."""
        if not self._inputs:
            raise RuntimeError("Please provide benchmark inputs. Did you forget to call add_input()? ")
        if num_calling_threads < 1 or num_iters < 1:
            raise ValueError(
                f"benchmark(): num_calling_threads and num_iters have to be positive, got {num_calling_threads} and {num_iters}"
            )
        total = self._run(num_calling_threads, num_warmup_iters, num_iters)
        if profiler_output_path:
            with torch.autograd.profiler.profile() as profile:
                args, kwargs = self._inputs[0]
                self._module(*args, **kwargs)
            profile.export_chrome_trace(profiler_output_path)
        config = _Config(num_calling_threads, num_warmup_iters, num_iters, profiler_output_path)
        return ExecutionStats(_Measured(total * 1000 * num_calling_threads / num_iters, num_iters), config)

    def _run(self, threads, warmup, iters):
        """Seconds for `iters` examples, when all threads are warm."""
        ready, tickets, errors = threading.Barrier(threads + 1), itertools.count(), []
        done = threading.Barrier(threads + 1)

        def work(seed):
            draw = random.Random(seed)
            try:
                for _ in range(warmup):
                    self._one(draw)
                ready.wait()
                while next(tickets) < iters:
                    self._one(draw)
                done.wait()
            except threading.BrokenBarrierError:
                pass
            except BaseException as error:  # noqa: BLE001 - handed to the caller's thread
                errors.append(error)
                ready.abort()
                done.abort()

        workers = [threading.Thread(target=work, args=(seed,), daemon=True) for seed in range(threads)]
        for worker in workers:
            worker.start()
        try:
            ready.wait()
            begun = time.perf_counter()
            done.wait()
            total = time.perf_counter() - begun
        except threading.BrokenBarrierError:
            pass
        for worker in workers:
            worker.join()
        if errors:
            raise errors[0]
        return total

    def _one(self, draw):
        args, kwargs = draw.choice(self._inputs)
        self._module(*args, **kwargs)
