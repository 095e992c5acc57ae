"""Processes that mpirun has started: which one this is, and how they find each other without an address."""

from __future__ import annotations

import atexit
import os
import socket
import sys
import warnings

from torch._distributed import PrefixStore, TCPStore


def engine():
    """torch._distributed_mpi, with MPI running. Its end is that of the process, unless somebody else has started it."""
    from torch import _distributed_mpi

    _distributed_mpi.start()
    atexit.unregister(_finish)
    atexit.register(_finish)
    return _distributed_mpi


def _finish():
    # MPI_Finalize waits for all ranks. Who ends by an error must not: mpirun then ends the others.
    if getattr(sys, "last_value", None) is None:
        sys.modules["torch._distributed_mpi"].finish()


def place(rank, world_size):
    """(rank, world size) as MPI says. Others that were asked for are warned of."""
    mpi = engine()
    found = mpi.world_rank(), mpi.world_size()
    if (rank, world_size) not in ((-1, -1), found) and not (rank in (-1, found[0]) and world_size in (-1, found[1])):
        warnings.warn(
            f"over MPI, mpirun says which rank a process has, {found[0]} of {found[1]}: rank={rank} and "
            f"world_size={world_size} of init_process_group() count for nothing",
            stacklevel=3,
        )
    return found


_store = None  # of all processes, as long as they live: who leaves a group may be asked for something still
_meetings = 0


def meeting_point(rank, world_size, timeout):
    """A store of all processes. Rank 0 serves it, and MPI tells the others where: on loopback where all are on one
    machine, else at its host's name, or MASTER_ADDR."""
    global _store, _meetings
    mpi = engine()
    names = mpi.exchange(socket.gethostname(), timeout)
    mine, problem = "", ""
    if rank == 0:
        host = os.environ.get("MASTER_ADDR") or ("127.0.0.1" if len(set(names)) == 1 else names[0])
        try:
            if _store is None:
                _store = TCPStore(host, 0, world_size, True, timeout, wait_for_workers=False)
            _meetings += 1
            mine = f"{_store.port} {_meetings} {_store.host}"
        except Exception as error:
            problem = f"rank 0 cannot serve a store at {host}: {error}"
            mine = f"0 0 {problem}"
    said = mpi.exchange(mine, timeout)[0]
    port, meeting, host = said.split(" ", 2)
    if port == "0":
        raise RuntimeError(problem or host)
    if _store is None:
        _store = TCPStore(host, int(port), world_size, False, timeout, wait_for_workers=False)
    _store.set_timeout(timeout)
    return PrefixStore(f"mpi {meeting}", _store)
