"""A softmax over many classes, the rare ones in clusters of their own (Grave et al., 2017)."""

from collections import namedtuple
from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn import functional as F
from torch.nn.modules.container import ModuleList, Sequential
from torch.nn.modules.linear import Linear
from torch.nn.modules.module import Module

__all__ = [
    "AdaptiveLogSoftmaxWithLoss",
]

_ASMoutput = namedtuple("_ASMoutput", ["output", "loss"])


class AdaptiveLogSoftmaxWithLoss(Module):
    """The log-probabilities of n_classes classes, sorted by falling frequency, and the loss.

    `cutoffs` are the classes at which the clusters begin; the i-th is projected to in_features / div_value^(i + 1) numbers
    first. forward(input, target): input (N, in_features) and classes (N), or (in_features) and (), to a named tuple of the
    targets' log-probabilities `output` (N) and the `loss`, their negative mean. ValueError for cutoffs that do not rise,
    RuntimeError for targets and shapes that do not fit.
    """

    in_features: int
    n_classes: int
    cutoffs: list[int]
    div_value: float
    head_bias: bool
    head: Linear
    tail: ModuleList

    def __init__(
        self,
        in_features: int,
        n_classes: int,
        cutoffs: Sequence[int],
        div_value: float = 4.0,
        head_bias: bool = False,
        device=None,
        dtype=None,
    ) -> None:
        super().__init__()
        cutoffs = list(cutoffs)
        if not cutoffs:
            raise ValueError("cutoffs should be a sequence of length larger than 0")
        rising = cutoffs == sorted(set(cutoffs)) and all(int(c) == c for c in cutoffs)
        if not rising or cutoffs[0] <= 0 or cutoffs[-1] > n_classes - 1:
            raise ValueError(
                "cutoffs should be a sequence of unique, positive integers sorted in an increasing order, where each value "
                "is between 1 and n_classes-1"
            )
        self.in_features = in_features
        self.n_classes = n_classes
        self.cutoffs = [*cutoffs, n_classes]
        self.div_value = div_value
        self.head_bias = head_bias
        self.shortlist_size = self.cutoffs[0]
        self.n_clusters = len(self.cutoffs) - 1
        self.head_size = self.shortlist_size + self.n_clusters
        factory = {"device": device, "dtype": dtype}
        self.head = Linear(in_features, self.head_size, bias=head_bias, **factory)
        self.tail = ModuleList()
        for i in range(self.n_clusters):
            hidden = int(in_features // (div_value ** (i + 1)))
            classes = self.cutoffs[i + 1] - self.cutoffs[i]
            self.tail.append(
                Sequential(
                    Linear(in_features, hidden, bias=False, **factory), Linear(hidden, classes, bias=False, **factory)
                )
            )

    def reset_parameters(self) -> None:
        """Draws all weights again."""
        self.head.reset_parameters()
        for projection, classes in self.tail:
            projection.reset_parameters()
            classes.reset_parameters()

    def forward(self, input_: Tensor, target_: Tensor) -> _ASMoutput:
        if target_.dim() not in (0, 1):
            raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
        if target_.dim() == 1 and input_.dim() != 2:
            raise RuntimeError(f"1D target tensor expects 2D input tensors, but found inputs with size {input_.size()}")
        if target_.dim() == 0 and input_.dim() != 1:
            raise RuntimeError(f"0D target tensor expects 1D input tensors, but found inputs with size {input_.size()}")
        if target_.dim() == 1 and input_.shape[0] != target_.shape[0]:
            raise RuntimeError("Input and target should have the same size in the batch dimension.")
        input, target = (input_, target_) if target_.dim() else (input_.unsqueeze(0), target_.unsqueeze(0))
        if target.numel() and (int(target.min()) < 0 or int(target.max()) >= self.n_classes):
            raise RuntimeError(
                f"Target values should be in [0, {self.n_classes - 1}], but values in range [{int(target.min())}, "
                f"{int(target.max())}] were found. "
            )
        # the class in the head: that of the shortlist, or the cluster's
        in_head = target.clone()
        in_clusters = torch.zeros(target.size(), dtype=input.dtype, device=input.device)
        for i, cluster in enumerate(self.tail):
            low, high = self.cutoffs[i], self.cutoffs[i + 1]
            rows = ((target >= low) & (target < high)).nonzero().view(-1)
            if rows.numel() == 0:
                continue
            log_probabilities = F.log_softmax(cluster(input.index_select(0, rows)), dim=1)
            local = log_probabilities.gather(1, (target.index_select(0, rows) - low).unsqueeze(1)).squeeze(1)
            in_clusters = in_clusters.index_add(0, rows, local.to(in_clusters.dtype))
            in_head.index_fill_(0, rows, self.shortlist_size + i)
        head = F.log_softmax(self.head(input), dim=1)
        output = in_clusters + head.gather(1, in_head.unsqueeze(1)).squeeze(1)
        loss = (-output).mean()
        return _ASMoutput(output if target_.dim() else output.squeeze(0), loss)

    def _get_full_log_prob(self, input, head_output):
        """The log-probabilities of all classes, given what the head has computed."""
        head = F.log_softmax(head_output, dim=1)
        parts = [head[:, : self.shortlist_size]]
        for i, cluster in enumerate(self.tail):
            of_cluster = head[:, self.shortlist_size + i].unsqueeze(1)
            parts.append(F.log_softmax(cluster(input), dim=1) + of_cluster)
        return torch.cat(parts, 1)

    def log_prob(self, input: Tensor) -> Tensor:
        """The log-probabilities (N, n_classes) of all classes."""
        return self._get_full_log_prob(input, self.head(input))

    def predict(self, input: Tensor) -> Tensor:
        """The most probable classes (N). Clusters are computed for those samples alone that need them."""
        head_output = self.head(input)
        best = head_output.argmax(1)
        in_tail = (best >= self.shortlist_size).nonzero().view(-1)
        if in_tail.numel():
            rows = input.index_select(0, in_tail)
            found = self._get_full_log_prob(rows, head_output.index_select(0, in_tail)).argmax(1)
            best = best.index_copy(0, in_tail, found)
        return best
