"""To which processors a process is bound, as programs that start processes say it. This torch starts none, so that these
are only what they hold."""

import dataclasses
import enum

__all__ = ["AffinityMode", "NumaOptions"]


class AffinityMode(str, enum.Enum):  # noqa: UP042 - PyTorch's str() of it
    """The processors of a process that uses a GPU: all of the memory that the GPU is near to, all of its socket, a share
    of that memory's for each of its GPUs, or those that share a cache."""

    NODE = "node"
    SOCKET = "socket"
    EXCLUSIVE = "exclusive"
    CORE_COMPLEX = "core-complex"


@dataclasses.dataclass(frozen=True)
class NumaOptions:
    """How processes are bound."""

    affinity_mode: AffinityMode
    should_fall_back_if_binding_fails: bool = False
