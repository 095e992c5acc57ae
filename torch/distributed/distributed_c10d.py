"""Process groups, under the module's name of PyTorch: what _world, _collectives and _objects hold, or in a build without THD
what _unavailable holds."""

import importlib.util

if importlib.util.find_spec("torch._distributed") is None:
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
    from torch.distributed._api import _get_default_group, _pg_map, reduce_op  # noqa: F401
    from torch.distributed._collectives import _coalescing_manager  # noqa: F401

    __all__ = list(_api.__all__)
    __getattr__, __dir__ = _api.__getattr__, _api.__dir__
