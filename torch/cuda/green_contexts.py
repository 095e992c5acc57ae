"""Parts of a GPU's multiprocessors: this torch has none, the name is that of torch.cuda."""

from torch._no_device import share

share(__name__, "GreenContext")
