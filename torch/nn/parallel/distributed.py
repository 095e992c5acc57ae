"""One module in several processes: the class that libraries ask about. This torch has no processes that exchange gradients."""

from torch._absent import rest_of
from torch.nn import Module

__all__ = ["DistributedDataParallel"]


class DistributedDataParallel(Module):
    """A module of which each process of a group has a copy, with the gradients' mean. ValueError here, as in PyTorch
    before init_process_group(): there is no process group."""

    def __init__(
        self,
        module,
        device_ids=None,
        output_device=None,
        dim=0,
        broadcast_buffers=None,
        init_sync=True,
        process_group=None,
        bucket_cap_mb=None,
        find_unused_parameters=False,
        check_reduction=False,
        gradient_as_bucket_view=False,
        static_graph=False,
        delay_all_reduce_named_params=None,
        param_to_hook_all_reduce=None,
        mixed_precision=None,
        device_mesh=None,
        skip_all_reduce_unused_params=False,
        bucket_cap_mb_list=None,
        batched_grad_copy=False,
        forward_sync_buffers=None,
    ):
        super().__init__()
        from torch.distributed.distributed_c10d import _get_default_group

        _get_default_group()


__getattr__, __dir__ = rest_of(__name__)
