"""Recurrent networks step by step: what RNN, LSTM and GRU compute of a whole sequence in one direction.

The steps are a list of tensors (b, gates·hidden), the inputs' products with their weights; b may fall from one step to the
next as short sequences of a packed batch end.
"""

import torch
from torch.nn import functional as F


def lstm_step(gates, c):
    """(h, c) of the sums of both products and the cell's state."""
    i, f, g, o = gates.chunk(4, 1)
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c


def gru_step(of_input, of_hidden, h):
    """h of both products."""
    input_r, input_z, input_n = of_input.chunk(3, 1)
    hidden_r, hidden_z, hidden_n = of_hidden.chunk(3, 1)
    r = torch.sigmoid(input_r + hidden_r)
    z = torch.sigmoid(input_z + hidden_z)
    n = torch.tanh(input_n + r * hidden_n)
    return n + z * (h - n)


def _cell(mode, w_hh, b_hh, w_hr):
    """step(product of the input, state) to state, a state being a tuple of tensors whose first is the output."""
    if mode == "LSTM":

        def step(x, state):
            h, c = lstm_step(x + F.linear(state[0], w_hh, b_hh), state[1])
            return (h if w_hr is None else F.linear(h, w_hr), c)

    elif mode == "GRU":

        def step(x, state):
            return (gru_step(x, F.linear(state[0], w_hh, b_hh), state[0]),)

    else:
        activation = torch.tanh if mode == "RNN_TANH" else torch.relu

        def step(x, state):
            return (activation(x + F.linear(state[0], w_hh, b_hh)),)

    return step


def one_direction(mode, steps, state, weights, reverse):
    """(the outputs of all steps, the states in which the sequences end).

    steps: a list of inputs (b, features); state: a tuple of tensors (batch, …); weights: w_ih, w_hh, b_ih and b_hh or None,
    w_hr or None.
    """
    w_ih, w_hh, b_ih, b_hh, w_hr = weights
    sizes = [step.size(0) for step in steps]
    products = F.linear(torch.cat(steps), w_ih, b_ih).split(sizes)  # one product for all steps
    step = _cell(mode, w_hh, b_hh, w_hr)
    outputs = []
    if reverse:
        initial = state
        state = tuple(s[: sizes[-1]] for s in initial)
        for x in reversed(products):
            known = state[0].size(0)
            if x.size(0) > known:  # sequences that end here
                state = tuple(torch.cat([s, first[known : x.size(0)]]) for s, first in zip(state, initial))
            state = step(x, state)
            outputs.append(state[0])
        return outputs[::-1], state
    ended = []
    for x in products:
        known = state[0].size(0)
        if x.size(0) < known:  # the last ones have ended
            ended.append(tuple(s[x.size(0) :] for s in state))
            state = tuple(s[: x.size(0)] for s in state)
        state = step(x, state)
        outputs.append(state[0])
    if ended:
        state = tuple(torch.cat(parts) for parts in zip(state, *reversed(ended)))
    return outputs, state


def run(mode, steps, state, layers, dropout, training):
    """(the outputs of the last layer, the final states of all layers and directions, in a tuple like `state`).

    state: a tuple of tensors (layers·directions, batch, …); layers: per layer, the weights of each direction.
    """
    finals = []
    place = 0
    for depth, directions in enumerate(layers):
        found = []
        for reverse, weights in enumerate(directions):
            outputs, final = one_direction(mode, steps, tuple(s[place] for s in state), weights, bool(reverse))
            found.append(outputs)
            finals.append(final)
            place += 1
        steps = found[0] if len(found) == 1 else [torch.cat(both, 1) for both in zip(*found)]
        if dropout > 0 and training and depth + 1 < len(layers):
            sizes = [step.size(0) for step in steps]
            steps = list(F.dropout(torch.cat(steps), dropout, True).split(sizes))
    return steps, tuple(torch.stack(parts) for parts in zip(*finals))
