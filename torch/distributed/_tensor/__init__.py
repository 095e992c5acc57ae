"""torch.distributed.tensor under its name of before 2.5."""

from torch.distributed.tensor import *  # noqa: F403
from torch.distributed.tensor import __all__  # noqa: F401
