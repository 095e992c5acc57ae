"""torchrun from Python: elastic_launch(LaunchConfig(…), function)(arguments)."""

from torch._absent import rest_of
from torch.distributed.launcher.api import LaunchConfig, elastic_launch, launch_agent

__all__ = ["LaunchConfig", "elastic_launch", "launch_agent"]
__getattr__, __dir__ = rest_of(__name__)
