"""Memory of Meta's processors. The names are those of torch.mtia."""

from torch._no_device import share

share(__name__, "max_memory_allocated memory_allocated memory_stats reset_peak_memory_stats")
