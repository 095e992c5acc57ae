"""How long processes wait for each other."""

import datetime
import importlib.util

__all__ = ["default_pg_nccl_timeout", "default_pg_timeout"]

_DEFAULT_PG_TIMEOUT = default_pg_timeout = datetime.timedelta(minutes=30)
# Of groups over NCCL alone; None in a build without it.
default_pg_nccl_timeout = datetime.timedelta(minutes=10) if importlib.util.find_spec("torch._nccl") else None
