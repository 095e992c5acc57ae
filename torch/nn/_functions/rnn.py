"""Recurrent layers as functions: RNN(mode, input_size, hidden_size, …) gives forward(input, weight, hidden), where `weight` has
a list of tensors for each layer and direction."""

import torch
from torch import _VF
from torch.autograd._functions._made import refused


def _cell(function):
    def cell(input, hidden, w_ih, w_hh, b_ih=None, b_hh=None):
        return function(input, hidden, w_ih, w_hh, b_ih, b_hh)

    return cell


RNNReLUCell = _cell(torch.rnn_relu_cell)
RNNTanhCell = _cell(torch.rnn_tanh_cell)
LSTMCell = _cell(torch.lstm_cell)
GRUCell = _cell(torch.gru_cell)

_LAYERS = {"RNN_RELU": "rnn_relu", "RNN_TANH": "rnn_tanh", "LSTM": "lstm", "GRU": "gru"}


def AutogradRNN(  # noqa: N802 - its name
    mode,
    input_size,
    hidden_size,
    num_layers=1,
    batch_first=False,
    dropout=0,
    train=True,
    bidirectional=False,
    batch_sizes=None,
    dropout_state=None,
):
    if mode not in _LAYERS:
        raise ValueError(f"Unknown mode: {mode}; there are {', '.join(_LAYERS)}")
    compute = getattr(_VF, _LAYERS[mode])

    def forward(input, weight, hidden):
        flat = [tensor for layer in weight for tensor in layer]
        options = (len(weight[0]) > 2, num_layers, dropout, train, bidirectional)
        if batch_sizes is not None:
            output, *hidden = compute(input, torch.as_tensor(batch_sizes), hidden, flat, *options)
        else:
            output, *hidden = compute(input, hidden, flat, *options, batch_first)
        return output, tuple(hidden) if mode == "LSTM" else hidden[0]

    return forward


RNN = AutogradRNN
globals().update(
    refused(
        __name__, ("CudnnRNN",), "cuDNN is not called by name; torch.nn._functions.rnn.RNN computes with what there is"
    )
)
