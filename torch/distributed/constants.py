"""How long processes wait for each other."""

import datetime

__all__ = ["default_pg_nccl_timeout", "default_pg_timeout"]

_DEFAULT_PG_TIMEOUT = default_pg_timeout = datetime.timedelta(minutes=30)
default_pg_nccl_timeout = None  # there is no NCCL
