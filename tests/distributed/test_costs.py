"""What operations send: the formulas of docs/distributed.md against the bytes that the kernel has counted.

Ranks are threads with connections of their own, so all of a group's sockets belong to this process.
"""

import concurrent.futures
import contextlib
import datetime
import os
import socket
import struct

import pytest
import torch
import torch.distributed as dist

if not dist.is_available():
    pytest.skip("this torch was built without torch.distributed", allow_module_level=True)

FEW = 4096  # bytes; see docs/distributed.md
# {operation: (numbers of bytes N, what all ranks send together, how many messages that is), of P ranks}
COSTS = {
    "all_reduce, few bytes": (4, lambda n, p: n * p * (p - 1), lambda p: p * (p - 1)),
    "all_reduce, few bytes, most": (FEW, lambda n, p: n * p * (p - 1), lambda p: p * (p - 1)),
    "all_reduce, two steps": (2**19, lambda n, p: 2 * n * (p - 1), lambda p: 2 * p * (p - 1)),
    "all_reduce, ring": (2**22, lambda n, p: 2 * n * (p - 1), None),
    "reduce_scatter": (2**19, lambda n, p: n * (p - 1), lambda p: p * (p - 1)),
    "all_gather, few bytes": (FEW, lambda n, p: n * (p - 1), lambda p: p * (p - 1)),
    "all_gather, one step": (2**19, lambda n, p: n * (p - 1), lambda p: p * (p - 1)),
    "all_gather, ring": (2**22, lambda n, p: n * (p - 1), lambda p: p * (p - 1)),
    "broadcast": (2**19, lambda n, p: n * (p - 1), lambda p: p - 1),
    "all_to_all": (2**19, lambda n, p: n * (p - 1), lambda p: p * (p - 1)),
    "barrier": (0, lambda n, p: 0, lambda p: p * (p - 1)),
}
# A message has a header, and two of no content go before it: who is ready to send, who to receive.
HEADERS = 3 * 64


def calls(group, n):
    size, full = group.size(), torch.ones(n // 4)
    part = torch.ones(n // 4 // size)
    return {
        "all_reduce": lambda: group.allreduce([full], dist.AllreduceOptions()),
        "reduce_scatter": lambda: group._reduce_scatter_base(part, full, dist.ReduceScatterOptions()),
        "all_gather": lambda: group._allgather_base(full, part, dist.AllgatherOptions()),
        "broadcast": lambda: group.broadcast([full], dist.BroadcastOptions()),
        "all_to_all": lambda: group.alltoall_base(full, torch.ones(n // 4), [], [], dist.AllToAllOptions()),
        "barrier": lambda: group.barrier(dist.BarrierOptions()),
    }


def bytes_sent():
    """By all of this process's connections, each byte once (tcpi_bytes_sent, tcpi_bytes_retrans of tcp_info)."""
    total = 0
    for name in os.listdir("/proc/self/fd"):
        with contextlib.suppress(OSError):
            if os.readlink(f"/proc/self/fd/{name}").startswith("socket:"):
                with socket.socket(fileno=os.dup(int(name))) as s:
                    if s.type == socket.SOCK_STREAM and s.family in (socket.AF_INET, socket.AF_INET6):
                        information = s.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 216)
                        sent, again = struct.unpack_from("=2Q", information, 200)
                        total += sent - again
    return total


@pytest.mark.parametrize("size", [2, 4, 8])
def test_of_all_ranks_together(size, monkeypatch):
    monkeypatch.setenv("GLOO_SOCKET_IFNAME", "lo")
    store, limit = dist.HashStore(), datetime.timedelta(seconds=30)
    with concurrent.futures.ThreadPoolExecutor(size) as threads:
        groups = list(threads.map(lambda rank: dist.ProcessGroupGloo(store, rank, size, limit), range(size)))

        def run(kind, n):
            begun = [threads.submit(lambda g=g: calls(g, n)[kind]().wait()) for g in groups]
            assert all(each.result(30) for each in begun)

        for name, (n, formula, messages) in COSTS.items():
            kind = name.partition(",")[0]
            run(kind, n)
            before, times = bytes_sent(), 3
            for _ in range(times):
                run(kind, n)
            sent = (bytes_sent() - before) / times
            # A ring of many bytes is one of pieces, each with its header.
            above = n // 100 + (messages(size) * HEADERS if messages else 0)
            assert formula(n, size) < sent <= formula(n, size) + above, (name, sent, formula(n, size), above)
        for group in groups:
            group.shutdown()
