"""Work that is recorded and replayed. The names are those of torch.xpu."""

from torch._no_device import share

share(
    __name__,
    """XPUGraph graph graph_pool_handle is_current_stream_capturing make_graphed_callables""",
)
