"""Work that is recorded and replayed. The name is that of torch.accelerator."""

from torch._no_device import share

share(__name__, "Graph")
