"""The part of GRU and LSTM cells that is not products: gates, which input and hidden state have been multiplied for."""

import torch
from torch.autograd._functions._made import classes


def _gru(input_gate, hidden_gate, hidden, input_bias=None, hidden_bias=None):
    if input_bias is not None:
        input_gate, hidden_gate = input_gate + input_bias, hidden_gate + hidden_bias
    reset, update, new = input_gate.chunk(3, 1)
    of_hidden = hidden_gate.chunk(3, 1)
    new = (new + (reset + of_hidden[0]).sigmoid() * of_hidden[2]).tanh()
    return torch.lerp(new, hidden, (update + of_hidden[1]).sigmoid())


def _lstm(input_gate, hidden_gate, cell, input_bias=None, hidden_bias=None):
    gates = input_gate + hidden_gate
    if input_bias is not None:
        gates = gates + input_bias + hidden_bias
    into, forget, new, out = gates.chunk(4, 1)
    cell = forget.sigmoid() * cell + into.sigmoid() * new.tanh()
    return out.sigmoid() * cell.tanh(), cell


globals().update(classes(__name__, {"GRUFused": _gru, "LSTMFused": _lstm}))
