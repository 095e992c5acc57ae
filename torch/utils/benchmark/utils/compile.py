"""How long models take with a compiler and without. There is no compiler in this torch: using these functions says so."""

from torch.utils.benchmark.utils.timer import Timer  # noqa: F401

__all__ = ["bench_all", "benchmark_compile"]

HAS_TABULATE = False


def _no_compiler(name):
    raise NotImplementedError(
        f"torch.utils.benchmark.utils.compile.{name}: this torch has no compiler to be compared with"
    )


def benchmark_compile(model, sample_input, num_iters=5, backend=None, mode=None, optimizer=None, loss_fn=None):
    """Raises NotImplementedError."""
    _no_compiler("benchmark_compile")


def bench_all(model, sample_input, num_iters=5, optimizer=None, loss_fn=None):
    """Raises NotImplementedError."""
    _no_compiler("bench_all")
