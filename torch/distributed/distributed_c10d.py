"""Process groups, under the module's name of PyTorch: what _world, _collectives and _objects hold, or in a build without THD
what _unavailable holds."""

from torch._absent import GROUPS_BUILT

if not GROUPS_BUILT:
    from torch.distributed import _unavailable
    from torch.distributed._unavailable import *  # noqa: F403
    from torch.distributed._unavailable import (  # noqa: F401
        _get_default_group,
        _pg_map,
        is_initialized,
        reduce_op,
    )

    __all__ = list(_unavailable.__all__)
    __getattr__, __dir__ = _unavailable.__getattr__, _unavailable.__dir__
else:
    from torch.distributed import _api
    from torch.distributed._api import *  # noqa: F403
    from torch.distributed._api import (  # noqa: F401 - trainers use them
        _all_gather_base,
        _coalescing_manager,
        _CoalescingManager,
        _get_default_group,
        _get_default_store,
        _get_group_size,
        _get_pg_default_device,
        _get_process_group_name,
        _object_to_tensor,
        _pg_map,
        _rank_not_in_group,
        _reduce_scatter_base,
        _set_pg_timeout,
        _tensor_to_object,
        reduce_op,
    )
    from torch.distributed.constants import default_pg_timeout  # noqa: F401

    __all__ = list(_api.__all__)
    __getattr__, __dir__ = _api.__getattr__, _api.__dir__
