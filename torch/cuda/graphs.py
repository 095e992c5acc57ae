"""Work on a GPU that is recorded and replayed: this torch has none, its names are those of torch.cuda."""

from torch._no_device import share

share(__name__, "CUDAGraph graph graph_pool_handle is_current_stream_capturing make_graphed_callables")
