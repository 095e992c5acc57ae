"""Recurrent networks: RNN, LSTM, GRU over sequences, and their cells for single steps."""

import math
import warnings

import torch
from torch import Tensor
from torch._autocast import is_any_autocast_enabled
from torch.nn import init
from torch.nn.modules.module import Module
from torch.nn.parameter import Parameter
from torch.nn.utils.rnn import PackedSequence

__all__ = [
    "GRU",
    "GRUCell",
    "LSTM",
    "LSTMCell",
    "RNN",
    "RNNBase",
    "RNNCell",
    "RNNCellBase",
]

_GATES = {"LSTM": 4, "GRU": 3, "RNN_TANH": 1, "RNN_RELU": 1}


class RNNBase(Module):
    """What RNN, LSTM and GRU share: per layer k and direction the weights weight_ih_lk (gates·hidden, input), weight_hh_lk
    (gates·hidden, hidden) and, with `bias`, bias_ih_lk and bias_hh_lk, drawn alike from ±1/√hidden; _reverse for the second
    direction; weight_hr_lk (proj_size, hidden) if the hidden states are projected."""

    __constants__ = [
        *("mode", "input_size", "hidden_size", "num_layers", "bias", "batch_first", "dropout", "bidirectional"),
        "proj_size",
    ]
    __jit_unused_properties__ = ["all_weights"]
    mode: str
    input_size: int
    hidden_size: int
    num_layers: int
    bias: bool
    batch_first: bool
    dropout: float
    bidirectional: bool
    proj_size: int

    def __init__(
        self,
        mode: str,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        proj_size: int = 0,
        device=None,
        dtype=None,
    ) -> None:
        super().__init__()
        _check_options(mode, input_size, hidden_size, num_layers, dropout, proj_size)
        self.mode = mode
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        self.bias = bias
        self.batch_first = batch_first
        self.dropout = float(dropout)
        self.bidirectional = bidirectional
        self.proj_size = proj_size
        factory = {"device": device, "dtype": dtype}
        rows = _GATES[mode] * hidden_size
        state_size = proj_size or hidden_size
        self._all_weights = []
        for layer in range(num_layers):
            for suffix in ("", "_reverse") if bidirectional else ("",):
                of_input = input_size if layer == 0 else state_size * (2 if bidirectional else 1)
                shapes = {"weight_ih": (rows, of_input), "weight_hh": (rows, state_size)}
                if bias:
                    shapes |= {"bias_ih": (rows,), "bias_hh": (rows,)}
                if proj_size:
                    shapes["weight_hr"] = (proj_size, hidden_size)
                names = [f"{name}_l{layer}{suffix}" for name in shapes]
                for name, shape in zip(names, shapes.values()):
                    setattr(self, name, Parameter(torch.empty(shape, **factory)))
                self._all_weights.append(names)
        self.reset_parameters()

    @property
    def all_weights(self) -> list[list[Parameter]]:
        """Per layer and direction, its parameters."""
        return [[getattr(self, name) for name in names] for names in self._all_weights]

    def flatten_parameters(self) -> None:
        """Has an effect on GPUs alone, where cuDNN wants all weights in one piece."""

    def reset_parameters(self) -> None:
        """Draws all weights again."""
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    # ---- checks ------------------------------------------------------------------------------------------------
    def check_input(self, input: Tensor, batch_sizes: Tensor | None) -> None:
        """ValueError and RuntimeError for an input that does not fit."""
        first = next(self.parameters(), None)
        if first is not None and input.dtype != first.dtype and not is_any_autocast_enabled():
            raise ValueError(f"RNN input dtype ({input.dtype}) does not match weight dtype ({first.dtype})")
        expected = 3 if batch_sizes is None else 2
        if input.dim() != expected:
            raise RuntimeError(f"input must have {expected} dimensions, got {input.dim()}")
        if input.size(-1) != self.input_size:
            raise RuntimeError(
                f"input.size(-1) must be equal to input_size. Expected {self.input_size}, got {input.size(-1)}"
            )

    def _batch_size(self, input, batch_sizes):
        if batch_sizes is not None:
            return int(batch_sizes[0])
        return input.size(0) if self.batch_first else input.size(1)

    def get_expected_hidden_size(self, input: Tensor, batch_sizes: Tensor | None) -> tuple[int, int, int]:
        """The shape of a hidden state for this input."""
        directions = 2 if self.bidirectional else 1
        size = self.proj_size or self.hidden_size
        return self.num_layers * directions, self._batch_size(input, batch_sizes), size

    def check_hidden_size(
        self, hx: Tensor, expected_hidden_size: tuple[int, int, int], msg: str = "Expected hidden size {}, got {}"
    ) -> None:
        """RuntimeError for a hidden state of another shape."""
        if hx.size() != expected_hidden_size:
            raise RuntimeError(msg.format(expected_hidden_size, list(hx.size())))

    def check_forward_args(self, input: Tensor, hidden: Tensor, batch_sizes: Tensor | None) -> None:
        """check_input() and check_hidden_size()."""
        self.check_input(input, batch_sizes)
        self.check_hidden_size(hidden, self.get_expected_hidden_size(input, batch_sizes))

    def permute_hidden(self, hx: Tensor, permutation: Tensor | None):
        """A hidden state with its samples in another order."""
        return hx if permutation is None else hx.index_select(1, permutation)

    # ---- what it computes ----------------------------------------------------------------------------------------
    def _initial(self, given, input, batch_sizes):
        """The state as a tuple: that given or zeros."""
        if given is not None:
            return (given,)
        return (torch.zeros(self.get_expected_hidden_size(input, batch_sizes), dtype=input.dtype, device=input.device),)

    def _run(self, input, state, batch_sizes):
        """(output, final states) of checked arguments."""
        run = getattr(torch, self.mode.lower())
        hx = state if self.mode == "LSTM" else state[0]
        weights = self._flat_weights
        # Of LSTMs of packed sequences, and of GRUs, the CPU's autocast converts nothing.
        kept = not input.is_cuda and (self.mode == "GRU" or (self.mode == "LSTM" and batch_sizes is not None))
        if kept and input.dtype != weights[0].dtype:  # where autocast let it through
            if input.dtype == torch.bfloat16:
                weights = [w.to(input.dtype) for w in weights]
            else:
                input = input.to(weights[0].dtype)
                hx = tuple(h.to(input.dtype) for h in hx) if self.mode == "LSTM" else hx.to(input.dtype)
        if kept and self.mode == "LSTM" and torch.is_autocast_enabled("cpu"):
            with torch.autocast("cpu", enabled=False):
                return self._called(run, input, hx, weights, batch_sizes)
        return self._called(run, input, hx, weights, batch_sizes)

    def _called(self, run, input, hx, weights, batch_sizes):
        options = self.bias, self.num_layers, self.dropout, self.training, self.bidirectional
        if batch_sizes is not None:
            output, *final = run(input, batch_sizes, hx, weights, *options)
        else:
            output, *final = run(input, hx, weights, *options, self.batch_first)
        return output, tuple(final)

    def _forward(self, input, hx):
        """forward() of all kinds, hx being None or a tuple of states."""
        packed = input if isinstance(input, PackedSequence) else None
        if packed is not None:
            data, batch_sizes, sorted_indices, unsorted_indices = packed
        else:
            data, batch_sizes, sorted_indices, unsorted_indices = input, None, None, None
            if data.dim() not in (2, 3):
                raise ValueError(f"{self._get_name()}: Expected input to be 2D or 3D, got {data.dim()}D tensor instead")
        single = packed is None and data.dim() == 2
        if single:
            data = data.unsqueeze(0 if self.batch_first else 1)
        if hx is not None:
            wanted = 2 if single else 3
            if any(h.dim() != wanted for h in hx):
                kind = "unbatched 2-D" if single else "batched 3-D"
                raise RuntimeError(self._wrong_state(kind, hx))
            if single:
                hx = tuple(h.unsqueeze(1) for h in hx)
            hx = tuple(self._permuted(h, sorted_indices) for h in hx)
        state = self._initial_state(hx, data, batch_sizes)
        self.check_forward_args(data, state if self.mode == "LSTM" else state[0], batch_sizes)
        output, final = self._run(data, state, batch_sizes)
        if packed is not None:
            output = PackedSequence(output, batch_sizes, sorted_indices, unsorted_indices)
        elif single:
            output = output.squeeze(0 if self.batch_first else 1)
            final = tuple(h.squeeze(1) for h in final)
        return output, tuple(self._permuted(h, unsorted_indices) for h in final)

    @staticmethod
    def _permuted(state, permutation):
        return state if permutation is None else state.index_select(1, permutation)

    def _wrong_state(self, kind, hx):
        return f"For {kind} input, hx should also be {kind[-3:]} but got {hx[0].dim()}-D tensor"

    def _initial_state(self, hx, input, batch_sizes):
        return self._initial(None if hx is None else hx[0], input, batch_sizes)

    def extra_repr(self) -> str:
        text = f"{self.input_size}, {self.hidden_size}"
        defaults = {"proj_size": 0, "num_layers": 1, "bias": True, "batch_first": False, "dropout": 0}
        for name, default in (defaults | {"bidirectional": False}).items():
            value = getattr(self, name)
            if value != default:
                text += f", {name}={value}"
        return text

    @property
    def _flat_weights(self):
        """All parameters in order."""
        return [getattr(self, name) for names in self._all_weights for name in names]

    def __getstate__(self):
        # PyTorch, which keeps these lists, reads pickles from here with them.
        names = [name for names in self._all_weights for name in names]
        return {**super().__getstate__(), "_flat_weights_names": names, "_flat_weights": self._flat_weights}

    def __setstate__(self, state):
        lists = ("_flat_weights", "_flat_weights_names", "_flat_weight_refs")
        super().__setstate__({name: value for name, value in state.items() if name not in lists})
        self.__dict__.setdefault("proj_size", 0)  # pickles of before 1.8


def _check_options(mode, input_size, hidden_size, num_layers, dropout, proj_size):
    if isinstance(dropout, bool) or not isinstance(dropout, (int, float)) or not 0 <= dropout <= 1:
        raise ValueError(
            "dropout should be a number in range [0, 1] representing the probability of an element being zeroed"
        )
    if dropout > 0 and num_layers == 1:
        warnings.warn(
            "dropout option adds dropout after all but last recurrent layer: it has no effect for "
            f"dropout={dropout} and num_layers={num_layers}",
            stacklevel=4,
        )
    if not isinstance(hidden_size, int):
        raise TypeError(f"hidden_size should be of type int, got: {type(hidden_size).__name__}")
    if hidden_size <= 0:
        raise ValueError("hidden_size must be greater than zero")
    if num_layers <= 0:
        raise ValueError("num_layers must be greater than zero")
    if proj_size < 0:
        raise ValueError("proj_size should be a positive integer or zero to disable projections")
    if proj_size >= hidden_size:
        raise ValueError("proj_size has to be smaller than hidden_size")
    if mode not in _GATES:
        raise ValueError("Unrecognized RNN mode: " + mode)


class RNN(RNNBase):
    """h' = tanh(W_ih x + b_ih + W_hh h + b_hh), or relu, over a sequence.

    RNN(input_size, hidden_size, num_layers=1, nonlinearity="tanh", bias=True, batch_first=False, dropout=0.0,
    bidirectional=False). Input (L, N, input_size), or (N, L, …) if batch_first, or (L, …), or a PackedSequence, and a
    state (layers·directions, N, hidden_size), zeros by default, to (output (L, N, directions·hidden_size), final state).
    """

    def __init__(self, *args, **kwargs) -> None:
        if "proj_size" in kwargs:
            raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")
        args = list(args)
        nonlinearity = args.pop(3) if len(args) > 3 else kwargs.pop("nonlinearity", "tanh")
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(f"Unknown nonlinearity '{nonlinearity}'. Select from 'tanh' or 'relu'.")
        super().__init__("RNN_TANH" if nonlinearity == "tanh" else "RNN_RELU", *args, **kwargs)
        self.nonlinearity = nonlinearity

    def forward(self, input, hx=None):
        output, (final,) = self._forward(input, None if hx is None else (hx,))
        return output, final


class GRU(RNNBase):
    """Gated recurrent units over a sequence: r, z = sigmoid(…), n = tanh(W_in x + b_in + r * (W_hn h + b_hn)),
    h' = (1 - z) * n + z * h. GRU(input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0,
    bidirectional=False); arguments and results as RNN's."""

    def __init__(self, *args, **kwargs) -> None:
        if "proj_size" in kwargs:
            raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")
        super().__init__("GRU", *args, **kwargs)

    def forward(self, input, hx=None):
        output, (final,) = self._forward(input, None if hx is None else (hx,))
        return output, final


class LSTM(RNNBase):
    """Long short-term memory over a sequence: i, f, o = sigmoid(…), g = tanh(…), c' = f * c + i * g, h' = o * tanh(c').

    LSTM(input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0, bidirectional=False, proj_size=0);
    proj_size: the size to which h is projected. Arguments and results as RNN's, a state being (h, c).
    """

    def __init__(self, *args, **kwargs) -> None:
        super().__init__("LSTM", *args, **kwargs)

    def get_expected_cell_size(self, input: Tensor, batch_sizes: Tensor | None) -> tuple[int, int, int]:
        """The shape of a cell's state for this input."""
        layers, batch, _ = self.get_expected_hidden_size(input, batch_sizes)
        return layers, batch, self.hidden_size

    def check_forward_args(self, input: Tensor, hidden: tuple[Tensor, Tensor], batch_sizes: Tensor | None) -> None:
        """RuntimeError and ValueError for an input and states that do not fit."""
        self.check_input(input, batch_sizes)
        expected = self.get_expected_hidden_size(input, batch_sizes)
        self.check_hidden_size(hidden[0], expected, "Expected hidden[0] size {}, got {}")
        expected = self.get_expected_cell_size(input, batch_sizes)
        self.check_hidden_size(hidden[1], expected, "Expected hidden[1] size {}, got {}")

    def permute_hidden(self, hx: tuple[Tensor, Tensor], permutation: Tensor | None) -> tuple[Tensor, Tensor]:
        """Both states with their samples in another order."""
        return tuple(self._permuted(h, permutation) for h in hx)

    def _wrong_state(self, kind, hx):
        return (
            f"For {kind} input, hx and cx should also be {kind[-3:]} but got ({hx[0].dim()}-D, {hx[1].dim()}-D) tensors"
        )

    def _initial_state(self, hx, input, batch_sizes):
        if hx is not None:
            return hx
        cell = torch.zeros(self.get_expected_cell_size(input, batch_sizes), dtype=input.dtype, device=input.device)
        return (*self._initial(None, input, batch_sizes), cell)

    def forward(self, input, hx=None):
        return self._forward(input, None if hx is None else tuple(hx))


# ---- cells -------------------------------------------------------------------------------------------------------
class RNNCellBase(Module):
    """What the cells share: weight_ih (chunks·hidden, input), weight_hh (chunks·hidden, hidden), bias_ih and bias_hh."""

    __constants__ = ["input_size", "hidden_size", "bias"]
    input_size: int
    hidden_size: int
    bias: bool
    weight_ih: torch.Tensor
    weight_hh: torch.Tensor

    def __init__(self, input_size: int, hidden_size: int, bias: bool, num_chunks: int, device=None, dtype=None) -> None:
        super().__init__()
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.bias = bias
        rows = num_chunks * hidden_size
        shapes = {
            "weight_ih": (rows, input_size),
            "weight_hh": (rows, hidden_size),
            "bias_ih": (rows,),
            "bias_hh": (rows,),
        }
        for name, shape in shapes.items():
            wanted = bias or not name.startswith("bias")
            weight = Parameter(torch.empty(shape, device=device, dtype=dtype)) if wanted else None
            self.register_parameter(name, weight)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draws all weights again."""
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def extra_repr(self) -> str:
        text = f"{self.input_size}, {self.hidden_size}"
        if self.bias is not True:
            text += f", bias={self.bias}"
        nonlinearity = self.__dict__.get("nonlinearity", "tanh")
        return text if nonlinearity == "tanh" else text + f", nonlinearity={nonlinearity}"

    def _checked(self, input, states):
        """(input, states) with a batch, and whether there was one."""
        name = self._get_name()
        if input.dim() not in (1, 2):
            raise ValueError(f"{name}: Expected input to be 1D or 2D, got {input.dim()}D instead")
        batched = input.dim() == 2
        for i, state in enumerate(states or ()):
            if state.dim() not in (1, 2):
                word = "hidden" if len(states) == 1 else f"hx[{i}]"
                raise ValueError(f"{name}: Expected {word} to be 1D or 2D, got {state.dim()}D instead")
        input = input if batched else input.unsqueeze(0)
        if states is None:
            states = tuple(
                torch.zeros(input.size(0), self.hidden_size, dtype=input.dtype, device=input.device)
                for _ in range(2 if isinstance(self, LSTMCell) else 1)
            )
        elif not batched:
            states = tuple(state.unsqueeze(0) for state in states)
        return input, states, batched

    @property
    def _weights(self):
        return self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh

    def _alike(self, input, *states):
        """(input, states, weights) in one dtype, where autocast on the CPU has made some of them others: that of the last
        state, which the result has in PyTorch, too."""
        if not torch.is_autocast_enabled("cpu") or input.device.type != "cpu":
            return input, states, self._weights
        dtype = states[-1].dtype
        input, *states = (tensor.to(dtype) for tensor in (input, *states))
        return input, states, [weight if weight is None else weight.to(dtype) for weight in self._weights]


class RNNCell(RNNCellBase):
    """One step of RNN: input (N, input_size) or (input_size) and h (N, hidden_size), zeros by default, to h'."""

    __constants__ = ["input_size", "hidden_size", "bias", "nonlinearity"]
    nonlinearity: str

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, nonlinearity: str = "tanh", device=None, dtype=None
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 1, device, dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        input, (h,), batched = self._checked(input, None if hx is None else (hx,))
        if self.nonlinearity not in ("tanh", "relu"):
            raise RuntimeError(f"Unknown nonlinearity: {self.nonlinearity}")
        result = getattr(torch, f"rnn_{self.nonlinearity}_cell")(input, h, *self._weights)
        return result if batched else result.squeeze(0)


class LSTMCell(RNNCellBase):
    """One step of LSTM: input (N, input_size) or (input_size) and (h, c), zeros by default, to (h', c')."""

    def __init__(self, input_size: int, hidden_size: int, bias: bool = True, device=None, dtype=None) -> None:
        super().__init__(input_size, hidden_size, bias, 4, device, dtype)

    def forward(self, input: Tensor, hx: tuple[Tensor, Tensor] | None = None) -> tuple[Tensor, Tensor]:
        input, (h, c), batched = self._checked(input, None if hx is None else tuple(hx))
        input, states, weights = self._alike(input, h, c)
        result = torch.lstm_cell(input, tuple(states), *weights)
        return result if batched else tuple(state.squeeze(0) for state in result)


class GRUCell(RNNCellBase):
    """One step of GRU: input (N, input_size) or (input_size) and h (N, hidden_size), zeros by default, to h'."""

    def __init__(self, input_size: int, hidden_size: int, bias: bool = True, device=None, dtype=None) -> None:
        super().__init__(input_size, hidden_size, bias, 3, device, dtype)

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        input, (h,), batched = self._checked(input, None if hx is None else (hx,))
        input, (h,), weights = self._alike(input, h)
        result = torch.gru_cell(input, h, *weights)
        return result if batched else result.squeeze(0)
