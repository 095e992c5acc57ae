"""Functions with a body for each combination of the arguments' types."""

from torch.fx.experimental.unification.multipledispatch.core import dispatch  # noqa: F401
from torch.fx.experimental.unification.multipledispatch.dispatcher import (  # noqa: F401
    Dispatcher,
    MDNotImplementedError,
    halt_ordering,
    restart_ordering,
)
