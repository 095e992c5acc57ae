"""What is asked of recurrent networks, tables and CTC, as nn_cases.py has it."""

_X = "x = r(4, 3, 2)"
_PACKED = "x = r(6, 2); s = torch.tensor([3, 2, 1])"


def _weights(gates, directions=1, layers=1, bias=True, projection=0):
    """A list of parameters for inputs of 2 and 3 units, as an expression."""
    parts = []
    state = projection or 3
    for layer in range(layers):
        for _ in range(directions):
            parts += [f"r({3 * gates}, {state * directions if layer else 2})", f"r({3 * gates}, {state})"]
            if bias:
                parts += [f"r({3 * gates})", f"r({3 * gates})"]
            if projection:
                parts.append(f"r({projection}, 3)")
    return f"p = [{', '.join(parts)}]"


def _states(count, size=3, batch=3):
    return f"h = r({count}, {batch}, {size})"


_OPTIONS = "0.0, False"  # dropout, train
FUNCTIONS = {
    f"torch.lstm(x, [h, c], p, True, 1, {_OPTIONS}, False, False)": f"{_X}; {_states(1)}; c = r(1, 3, 3); {_weights(4)}",
    f"torch.lstm(x, [h, c], p, False, 2, {_OPTIONS}, True, False)": (
        f"{_X}; {_states(4)}; c = r(4, 3, 3); {_weights(4, 2, 2, False)}"
    ),
    f"torch.lstm(x, [h, c], p, True, 1, {_OPTIONS}, True, True)": (
        f"{_X}; {_states(2, 2, 4)}; c = r(2, 4, 3); {_weights(4, 2, 1, True, 2)}"
    ),
    f"torch.lstm(x, s, [h, c], p, True, 2, {_OPTIONS}, True)": (
        f"{_PACKED}; {_states(4)}; c = r(4, 3, 3); {_weights(4, 2, 2)}"
    ),
    f"torch.lstm(x, s, [h, c], p, False, 1, {_OPTIONS}, False)": (
        f"{_PACKED}; {_states(1, 2)}; c = r(1, 3, 3); {_weights(4, 1, 1, False, 2)}"
    ),
    f"torch.gru(x, h, p, True, 1, {_OPTIONS}, False, False)": f"{_X}; {_states(1)}; {_weights(3)}",
    f"torch.gru(x, h, p, False, 1, {_OPTIONS}, True, True)": f"{_X}; {_states(2, 3, 4)}; {_weights(3, 2, 1, False)}",
    f"torch.gru(x, s, h, p, True, 2, {_OPTIONS}, True)": f"{_PACKED}; {_states(4)}; {_weights(3, 2, 2)}",
    f"torch.rnn_tanh(x, h, p, True, 2, {_OPTIONS}, True, False)": f"{_X}; {_states(4)}; {_weights(1, 2, 2)}",
    f"torch.rnn_tanh(x, s, h, p, False, 1, {_OPTIONS}, True)": f"{_PACKED}; {_states(2)}; {_weights(1, 2, 1, False)}",
    f"torch.rnn_relu(x, h, p, True, 1, {_OPTIONS}, False, True)": f"{_X}; {_states(1, 3, 4)}; {_weights(1)}",
    f"torch.rnn_relu(x, s, h, p, True, 1, {_OPTIONS}, False)": f"{_PACKED}; {_states(1)}; {_weights(1)}",
    "torch.lstm_cell(x, [h, c], *p)": f"x = r(3, 2); h = r(3, 3); c = r(3, 3); {_weights(4)}",
    "torch.lstm_cell(x, [h, c], p[0], p[1])": f"x = r(3, 2); h = r(3, 3); c = r(3, 3); {_weights(4)}",
    "torch.gru_cell(x, h, *p)": f"x = r(3, 2); h = r(3, 3); {_weights(3)}",
    "torch.gru_cell(x, h, p[0], p[1])": f"x = r(3, 2); h = r(3, 3); {_weights(3)}",
    "torch.rnn_tanh_cell(x, h, *p)": f"x = r(3, 2); h = r(3, 3); {_weights(1)}",
    "torch.rnn_relu_cell(x, h, p[0], p[1], p[2], p[3])": f"x = r(0, 2); h = r(0, 3); {_weights(1)}",
    "torch.embedding(w, x)": "w = r(5, 3); x = i(5, 2, 4)",
    "torch.embedding(w.t(), x.int(), 2, True)": "w = r(3, 5); x = i(5, 9)",
    "torch.embedding(w, x.t())": "w = r(5, 3); x = i(5, 2, 0)",
    "torch.embedding(w, x[0, 0])": "w = r(5, 3); x = i(5, 2, 4)",
    "F.embedding(x, w * 1, -1, 1.5, 1.0)": "w = r(5, 3); x = i(5, 7)",
    "F.embedding_bag(x, w, o, mode='sum', per_sample_weights=f, include_last_offset=True)": (
        "w = r(5, 3); x = i(5, 7); o = torch.tensor([0, 2, 2, 7]); f = r(7)"
    ),
    "F.embedding_bag(x, w, mode='sum', per_sample_weights=f, padding_idx=1)": "w = r(5, 3); x = i(5, 3, 4); f = r(3, 4)",
    "F.embedding_bag(x, w, o.int(), mode='mean')": ("w = r(5, 40); x = i(5, 9).int(); o = torch.tensor([0, 4, 4])"),
    "F.embedding_bag(x, w, mode='max', padding_idx=-2)": "w = r(5, 3); x = i(5, 3, 4)",
    "F.embedding_bag(x, w, o)": "w = r(5, 3); x = i(5, 0); o = torch.tensor([0, 0])",
    "torch.embedding_bag(w, x, o, False, 1)[0]": "w = r(5, 3); x = i(5, 6); o = torch.tensor([0, 1, 5])",
    "torch.embedding_bag(w, x, o, False, 1, False, None, False, 3)[0]": (
        "w = r(5, 3); x = i(5, 6); o = torch.tensor([0, 1, 5])"
    ),
    "torch.embedding_renorm_(w.detach().clone(), x, 1.0, 2.0)": "w = r(5, 3); x = torch.tensor([[0, 3], [3, 4]])",
    "torch.embedding_renorm_(w.detach().clone(), x, 1.0, 3.5)": "w = r(5, 3); x = torch.tensor([0, 3, 3, 4])",
    "torch.embedding_renorm_(w.detach().t().clone().t(), x.int(), 0.5, float('inf'))": "w = r(5, 3); x = torch.tensor([1])",
    "F.ctc_loss(x, y, (7, 5, 6), (3, 2, 0), reduction='none')": (
        "x = r(7, 3, 5).log_softmax(2); y = torch.tensor([[1, 1, 2], [2, 3, 1], [4, 4, 4]])"
    ),
    "F.ctc_loss(x, y, (7, 5, 6), (3, 2, 0), blank=4, reduction='sum')": (
        "x = r(7, 3, 5).log_softmax(2); y = torch.tensor([1, 1, 2, 3, 3])"
    ),
    "F.ctc_loss(x, y.int(), torch.tensor([7, 5]), torch.tensor([3, 2]).int())": (
        "x = r(7, 2, 5); y = torch.tensor([[1, 0, 2], [3, 3, 1]])"
    ),
    "F.ctc_loss(x, y, (2, 5, 0, 0), (3, 2, 0, 1), reduction='none')": (
        "x = r(5, 4, 5).log_softmax(2); y = torch.tensor([[1, 1, 2], [2, 3, 1], [2, 3, 1], [2, 2, 2]])"
    ),
    "F.ctc_loss(x, y, (2, 5, 0, 0), (3, 2, 0, 1), zero_infinity=True)": (
        "x = r(5, 4, 5).log_softmax(2); y = torch.tensor([[1, 1, 2], [2, 3, 1], [2, 3, 1], [2, 2, 2]])"
    ),
    "F.ctc_loss(x, y, (5,), (2,))": "x = r(5, 4); y = torch.tensor([1, 3])",
    "F.ctc_loss(x, y, torch.tensor(5), torch.tensor(2), reduction='none')": "x = r(5, 4); y = torch.tensor([1, 3])",
    "torch.ctc_loss(x, y, [40, 33], [11, 12], 0, 0)": "x = r(40, 2, 30).log_softmax(2); y = i(29, 2, 12) + 1",
}

# Gradients of gradients, for x and for what is beside it.
TWICE = {
    f"torch.lstm(x, s, [h, c], p, True, 1, {_OPTIONS}, True)[0]": (
        f"{_PACKED}; {_states(2)}; c = r(2, 3, 3); {_weights(4, 2)}"
    ),
    f"torch.gru(x, h, p, True, 1, {_OPTIONS}, False, True)[1]": f"{_X}; {_states(1, 3, 4)}; {_weights(3)}",
    f"torch.rnn_tanh(x, h, p, True, 1, {_OPTIONS}, False, False)[0]": f"{_X}; {_states(1)}; {_weights(1)}",
    "torch.embedding(x, y, 1)": "x = r(5, 3); y = torch.tensor([[0, 1], [1, 3]])",
}

# Expressions whose values are numbers or texts.
PRINTED = [
    "torch.embedding(torch.ones(3, 2, requires_grad=True), torch.tensor([1])).grad_fn.name()",
    "torch.embedding_bag(torch.ones(3, 2, requires_grad=True), torch.tensor([1]), torch.tensor([0]))[0].grad_fn.name()",
    "F.ctc_loss(torch.ones(3, 1, 2, requires_grad=True), torch.tensor([[1]]), (3,), (1,), reduction='none').grad_fn.name()",
    "torch.embedding_renorm_(torch.ones(3, 2, requires_grad=True) * 1, torch.tensor([1]), 1.0, 2.0).grad_fn.name()",
    "torch.autograd.grad(torch.embedding(w := torch.ones(3, 2, requires_grad=True), torch.tensor([1])), w, "
    "torch.ones(1, 2, requires_grad=True), create_graph=True)[0].grad_fn.name()",
    "nn.LSTM(2, 3).half()(torch.ones(2, 1, 2).half())[0].dtype",
    "nn.GRUCell(2, 3).bfloat16()(torch.ones(1, 2).bfloat16()).dtype",
    "nn.LSTM(2, 3, device='meta')(torch.ones(5, 4, 2, device='meta'))[1][0].shape",
    "torch.embedding(torch.ones(3, 2, device='meta'), torch.ones(4, dtype=torch.int64, device='meta')).shape",
]

_LSTM = "[torch.rand(12, 2), torch.rand(12, 3), torch.rand(12), torch.rand(12)]"
_CTC = "torch.ones(3, 1, 4)"
# The first words of PyTorch's text, or None for all of it.
REFUSED = {
    f"torch.lstm(torch.ones(4, 1, 2), [torch.ones(1, 1, 3)], {_LSTM}, True, 1, {_OPTIONS}, False, False)": None,
    f"torch.lstm(torch.ones(0, 1, 2), [torch.ones(1, 1, 3)] * 2, {_LSTM}, True, 1, {_OPTIONS}, False, False)": None,
    f"torch.gru(torch.ones(4, 1, 2), torch.ones(1, 1, 4), {_LSTM}[:3], True, 1, {_OPTIONS}, False, False)": (
        "got an incorrect number of RNN parameters"
    ),
    f"torch.lstm_cell(torch.ones(1, 2), [torch.ones(1, 3)], *{_LSTM})": None,
    f"torch.lstm_cell(torch.ones(1, 2), [torch.ones(2, 3)] * 2, *{_LSTM})": None,
    f"torch.lstm_cell(torch.ones(1, 2), [torch.ones(1, 3), torch.ones(2, 3)], *{_LSTM})": None,
    f"torch.lstm_cell(torch.ones(1, 2), [torch.ones(1, 3), torch.ones(1, 4)], *{_LSTM})": None,
    f"torch.lstm_cell(torch.ones(1, 3), [torch.ones(1, 3)] * 2, *{_LSTM})": None,
    f"torch.rnn_tanh_cell(torch.ones(1, 2), torch.ones(1, 3), *{_LSTM})": None,
    "torch.embedding(torch.ones(3, 2), torch.tensor([-1]))": None,
    "torch.embedding(torch.ones(3), torch.tensor([1]))": None,
    "torch.embedding(torch.ones(3, 2), torch.tensor([1.0]))": None,
    "torch.embedding_renorm_(torch.ones(3), torch.tensor([1]), 1.0, 2.0)": None,
    "torch.embedding_renorm_(torch.ones(3, 2), torch.tensor([1.0]), 1.0, 2.0)": None,
    "torch.embedding_renorm_(nn.Embedding(3, 2).weight, torch.tensor([1]), 1.0, 2.0)": (
        "a leaf Variable that requires grad is being used in an in-place operation."
    ),
    "torch.embedding_bag(torch.ones(3, 2), torch.tensor([1]), torch.tensor([1]))": "offsets[0] has to be 0, i.e., "
    "the first sequence in the mini-batch has to start from position 0. However, got 1",
    "torch.embedding_bag(torch.ones(3, 2), torch.tensor([1]), torch.tensor([0, 2]))": None,
    "torch.embedding_bag(torch.ones(3, 2), torch.tensor([1]), torch.tensor([0]), mode=3)": None,
    "torch.embedding_bag(torch.ones(3, 2), torch.tensor([1.0]), torch.tensor([0]))": None,
    "torch.embedding_bag(torch.ones(3, 2), torch.tensor([1]), torch.tensor([[0]]))": None,
    "torch.embedding_bag(torch.ones(3, 2), torch.tensor([1]), torch.tensor([0]), mode=1, per_sample_weights=torch.ones(1))": None,
    "torch.embedding_bag(torch.ones(3, 2), torch.tensor([1]), torch.tensor([0]), False, 0, False, None, False, 3)": None,
    "torch.embedding_bag(torch.ones(3, 2), torch.tensor([1]), torch.ones(0).long(), include_last_offset=True)": None,
    f"F.ctc_loss({_CTC}, torch.tensor([[1]]), (3,), (1,), blank=4)": None,
    f"F.ctc_loss({_CTC}, torch.tensor([[1]]), (3, 3), (1,))": None,
    f"F.ctc_loss({_CTC}, torch.tensor([[1]]), (3,), (1, 1))": None,
    f"F.ctc_loss({_CTC}, torch.tensor([[1]]), (4,), (1,))": None,
    f"F.ctc_loss({_CTC}, torch.tensor([[1]]), (-1,), (1,))": None,
    f"F.ctc_loss({_CTC}, torch.tensor([[1]]), (3,), (-1,))": None,
    f"F.ctc_loss({_CTC}, torch.tensor([[1]]), (3,), (2,))": None,
    f"F.ctc_loss({_CTC}, torch.tensor([[1], [1]]), (3,), (1,))": None,
    f"F.ctc_loss({_CTC}, torch.tensor([1, 1]), (3,), (1,))": None,
    f"F.ctc_loss({_CTC}, torch.tensor([[[1]]]), (3,), (1,))": None,
    f"F.ctc_loss({_CTC}[:0], torch.tensor([[1]]), (3,), (1,))": None,
    f"F.ctc_loss({_CTC}.half(), torch.tensor([[1]]), (3,), (1,))": None,
    f"F.ctc_loss({_CTC}, torch.tensor([[1]]), torch.tensor([3.0]), torch.tensor([1]))": None,
    f"F.ctc_loss({_CTC}, torch.tensor([[1]]), (3,), (1,), reduction='x')": None,
    f"F.ctc_loss({_CTC}, torch.tensor([[1]]), (3,), torch.tensor([1]))": "ctc_loss() received an invalid combination",
    "torch.autograd.grad(torch.autograd.grad(F.ctc_loss(x := torch.ones(3, 1, 4, requires_grad=True), torch.tensor([[1]]), "
    "(3,), (1,)), x, create_graph=True)[0].sum(), x)": None,
    "torch.autograd.grad(torch.autograd.grad(F.embedding_bag(torch.tensor([[1]]), w := torch.ones(3, 2, "
    "requires_grad=True)), w, g := torch.ones(1, 2, requires_grad=True), create_graph=True)[0].sum(), g)": None,
}
