"""Events of Apple's GPUs. The name is that of torch.mps."""

from torch._no_device import share

share(__name__, "Event")
