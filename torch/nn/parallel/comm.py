"""torch.cuda.comm under the name that torch.nn has for it."""

from torch.cuda.comm import broadcast, broadcast_coalesced, gather, reduce_add, reduce_add_coalesced, scatter

__all__ = ["broadcast", "broadcast_coalesced", "gather", "reduce_add", "reduce_add_coalesced", "scatter"]
