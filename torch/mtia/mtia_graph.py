"""Work that is recorded and replayed. The names are those of torch.mtia."""

from torch._no_device import share

share(__name__, "MTIAGraph graph graph_pool_handle")
