"""Sequences of different lengths: PackPadded.apply(input, lengths, batch_first) gives (data, batch sizes)."""

from torch.autograd._functions._made import classes


def _pack(input, lengths, batch_first=False):
    from torch.nn.utils.rnn import pack_padded_sequence

    return tuple(pack_padded_sequence(input, lengths, batch_first))[:2]


globals().update(classes(__name__, {"PackPadded": _pack}))
