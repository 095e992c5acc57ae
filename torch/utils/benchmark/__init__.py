"""How long a statement takes, measured so that the numbers can be compared.

    timer = Timer("x @ y", setup="x = torch.ones(64, 64); y = torch.ones(64, 64)")
    print(timer.blocked_autorange())

`Compare` makes a table of several measurements, `Fuzzer` draws inputs, `Timer.collect_callgrind` counts instructions.
"""

from torch.utils.benchmark.utils.common import (  # noqa: F401
    Measurement,
    TaskSpec,
    ordered_unique,
    select_unit,
    set_torch_threads,
    trim_sigfig,
    unit_to_english,
)
from torch.utils.benchmark.utils.compare import Colorize, Compare  # noqa: F401
from torch.utils.benchmark.utils.fuzzer import FuzzedParameter, FuzzedTensor, Fuzzer, ParameterAlias  # noqa: F401
from torch.utils.benchmark.utils.sparse_fuzzer import FuzzedSparseTensor  # noqa: F401
from torch.utils.benchmark.utils.timer import Language, Timer, timer  # noqa: F401
from torch.utils.benchmark.utils.valgrind_wrapper.timer_interface import (  # noqa: F401
    CallgrindStats,
    CopyIfCallgrind,
    FunctionCount,
    FunctionCounts,
)
