"""How long a statement takes, measured so that the numbers can be compared.

    timer = Timer("x @ y", setup="x = torch.ones(64, 64); y = torch.ones(64, 64)")
    print(timer.blocked_autorange())

`Compare` makes a table of several measurements, `Fuzzer` draws inputs, `Timer.collect_callgrind` counts instructions.
"""

from torch.utils.benchmark.utils.common import (
    Measurement,
    TaskSpec,
    ordered_unique,
    select_unit,
    set_torch_threads,
    trim_sigfig,
    unit_to_english,
)
from torch.utils.benchmark.utils.compare import Colorize, Compare
from torch.utils.benchmark.utils.fuzzer import FuzzedParameter, FuzzedTensor, Fuzzer, ParameterAlias
from torch.utils.benchmark.utils.sparse_fuzzer import FuzzedSparseTensor
from torch.utils.benchmark.utils.timer import Language, Timer, timer
from torch.utils.benchmark.utils.valgrind_wrapper.timer_interface import (
    CallgrindStats,
    CopyIfCallgrind,
    FunctionCount,
    FunctionCounts,
)

__all__ = [
    "CallgrindStats",
    "Colorize",
    "Compare",
    "CopyIfCallgrind",
    "FunctionCount",
    "FunctionCounts",
    "FuzzedParameter",
    "FuzzedSparseTensor",
    "FuzzedTensor",
    "Fuzzer",
    "Language",
    "Measurement",
    "ParameterAlias",
    "TaskSpec",
    "Timer",
    "ordered_unique",
    "select_unit",
    "set_torch_threads",
    "timer",
    "trim_sigfig",
    "unit_to_english",
]
