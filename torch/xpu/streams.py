"""Streams and events of Intel's GPUs. The names are those of torch.xpu."""

from torch._no_device import share

share(__name__, "Event Stream")
