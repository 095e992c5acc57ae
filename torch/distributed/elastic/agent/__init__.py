"""Agents, which start the processes of a machine: torch.distributed.elastic.agent.server."""

from torch._absent import rest_of

__getattr__, __dir__ = rest_of(__name__)
