"""Criteria: numbers that say how far an input is from a target, and their gradients."""

import math

import torch
from torch.legacy.nn._module import Tape, Typed, configured, flat, keep, shaped
from torch.legacy.nn.utils import recursiveAdd, recursiveFill, recursiveResizeAs
from torch.nn import functional as F


class Criterion(Typed):
    """The base class of all criteria. `compute(input, target)` of a subclass is a differentiable expression; one that
    has none defines updateOutput and updateGradInput."""

    def __init__(self):
        super().__init__()
        self.output = 0

    def compute(self, input, target):
        raise NotImplementedError(f"nn.{type(self).__name__}.compute")

    def _recorded(self, input, target):
        return Tape(lambda given: self.compute(given, target), input, [])

    def _key(self, input, target):
        targets = flat(target)
        return Tape.mark(input, targets), [each for each in targets if not isinstance(each, torch.Tensor)]

    def updateOutput(self, input, target=None):
        tape = self._recorded(input, target)
        self._tape = self._key(input, target), tape
        self.output = float(tape.output.detach())
        return self.output

    def forward(self, input, target=None):
        return self.updateOutput(input, target)

    def backward(self, input, target=None):
        return self.updateGradInput(input, target)

    def updateGradInput(self, input, target=None):
        if self._tape is None or self._tape[0] != self._key(input, target):
            self._tape = self._key(input, target), self._recorded(input, target)
        tape = self._tape[1]
        gradients = tape.gradients(torch.ones_like(tape.output))[0]
        self.gradInput = keep(self.gradInput, shaped(input, iter(gradients)))
        return self.gradInput

    def clone(self):
        import copy

        return copy.deepcopy(self)


def criterion(function):
    """Makes a criterion of a function of (input, target, options…)."""
    return configured(function, Criterion, 2, "")


def _reduction(sizeAverage):
    return "mean" if sizeAverage else "sum"


def _same(name, input, target):
    if input.numel() != target.numel():
        raise RuntimeError(f"nn.{name}: an input of size {tuple(input.size())} and a target of {tuple(target.size())}")
    return target.to(input.dtype).view_as(input)


@criterion
def AbsCriterion(input, target, sizeAverage=True):
    return F.l1_loss(input, _same("AbsCriterion", input, target), reduction=_reduction(sizeAverage))


@criterion
def MSECriterion(input, target, sizeAverage=True):
    return F.mse_loss(input, _same("MSECriterion", input, target), reduction=_reduction(sizeAverage))


@criterion
def WeightedMSECriterion(input, target, weight, sizeAverage=True):
    """The mean square of the input minus the target times the weight."""
    target = _same("WeightedMSECriterion", input, target) * weight
    return F.mse_loss(input, target, reduction=_reduction(sizeAverage))


@criterion
def SmoothL1Criterion(input, target, sizeAverage=True):
    return F.smooth_l1_loss(input, _same("SmoothL1Criterion", input, target), reduction=_reduction(sizeAverage))


@criterion
def BCECriterion(input, target, weights=None, sizeAverage=True):
    target = _same("BCECriterion", input, target)
    weights = weights if weights is None else weights.expand_as(input)
    return F.binary_cross_entropy(input, target, weights, reduction=_reduction(sizeAverage))


@criterion
def MultiLabelSoftMarginCriterion(input, target, weights=None, sizeAverage=True):
    target = _same("MultiLabelSoftMarginCriterion", input, target)
    weights = weights if weights is None else weights.expand_as(input)
    return F.binary_cross_entropy_with_logits(input, target, weights, reduction=_reduction(sizeAverage))


@criterion
def DistKLDivCriterion(input, target, sizeAverage=True):
    """Of logarithms of probabilities from probabilities."""
    losses = F.kl_div(input, _same("DistKLDivCriterion", input, target), reduction="none")
    return losses.mean() if sizeAverage else losses.sum()


@criterion
def ClassNLLCriterion(input, target, weights=None, sizeAverage=True, ignore_index=-100):
    """Of logarithms of probabilities from the numbers of classes, from 0 on."""
    target = target.long() if input.dim() > 1 else target.long().reshape(())
    return F.nll_loss(input, target, weights, ignore_index=ignore_index, reduction=_reduction(sizeAverage))


@criterion
def SpatialClassNLLCriterion(input, target, weights=None, sizeAverage=True):
    """ClassNLLCriterion at each place of images."""
    if input.dim() != 4 or target.dim() != 3:
        raise RuntimeError(
            "nn.SpatialClassNLLCriterion: expected an input of 4 dimensions and a target of 3, got "
            f"{tuple(input.size())} and {tuple(target.size())}"
        )
    return F.nll_loss(input, target.long(), weights, reduction=_reduction(sizeAverage))


@criterion
def CrossEntropyCriterion(input, target, weights=None):
    """ClassNLLCriterion of LogSoftMax."""
    input, target = input.squeeze(), target.long().squeeze()
    return F.cross_entropy(input, target, weights)


@criterion
def CosineEmbeddingCriterion(input, target, margin=0, sizeAverage=True):
    first, second = input
    squares = ((first * first).sum(-1) + 1e-12) * ((second * second).sum(-1) + 1e-12)
    cosine = (first * second).sum(-1) / squares.sqrt()
    target = torch.as_tensor(target, device=first.device).reshape(cosine.size())
    losses = torch.where(target == 1, 1 - cosine, torch.where(target == -1, (cosine - margin).clamp(min=0), cosine))
    return losses.mean() if sizeAverage else losses.sum()


@criterion
def HingeEmbeddingCriterion(input, target, margin=1, sizeAverage=True):
    target = torch.as_tensor(target, device=input.device)
    return F.hinge_embedding_loss(input, target, margin, reduction=_reduction(sizeAverage))


@criterion
def L1HingeEmbeddingCriterion(input, target, margin=1):
    """The L1 distance of two tensors (target 1), or how far it is below the margin (-1)."""
    distance = (input[0] - input[1]).abs().sum()
    return (margin - distance).clamp(min=0) if float(target) == -1 else distance


@criterion
def L1Cost(input, target):
    return input.abs().sum()


@criterion
def MarginCriterion(input, target, sizeAverage=True, margin=1):
    losses = (margin - input * _same("MarginCriterion", input, target)).clamp(min=0)
    return losses.mean() if sizeAverage else losses.sum()


@criterion
def MarginRankingCriterion(input, target, margin=1, sizeAverage=True):
    losses = (margin - target * (input[0] - input[1])).clamp(min=0)
    return losses.mean() if sizeAverage else losses.sum()


@criterion
def MultiLabelMarginCriterion(input, target, sizeAverage=True):
    return F.multilabel_margin_loss(input, target.long(), reduction=_reduction(sizeAverage))


@criterion
def MultiMarginCriterion(input, target, p=1, weights=None, margin=1, sizeAverage=True):
    return F.multi_margin_loss(input, target.long(), p, margin, weights, reduction=_reduction(sizeAverage))


@criterion
def SoftMarginCriterion(input, target, sizeAverage=True):
    target = _same("SoftMarginCriterion", input, target)
    return F.soft_margin_loss(input, target, reduction=_reduction(sizeAverage))


class ClassSimplexCriterion(Criterion):
    """The mean square distance from a class's corner of a regular simplex around the origin, of which all lie at
    distance 1."""

    def __init__(self, nClasses):
        super().__init__()
        if nClasses < 2:
            raise ValueError(f"nn.ClassSimplexCriterion: a simplex of {nClasses} corners")
        self.nClasses = nClasses
        self.sizeAverage = True
        self.simplex = self._corners(nClasses)

    @staticmethod
    def _corners(count):
        """(count, count), the last column zero. Corner k has its first k coordinates in common with those after it."""
        corners = torch.zeros(count, count, dtype=torch.float64)
        for k in range(count - 1):
            own = math.sqrt(1 - float(corners[k, :k].square().sum()))
            corners[k, k] = own
            # two corners have the scalar product -1 / (count - 1)
            corners[k + 1 :, k] = (-1 / (count - 1) - float(corners[k, :k].square().sum())) / own
        return corners.to(torch.get_default_dtype())

    def compute(self, input, target):
        if target.dim() != 1 or input.size() != (target.size(0), self.nClasses):
            raise RuntimeError(
                f"nn.ClassSimplexCriterion: expected an input of {self.nClasses} columns and as many classes as rows, "
                f"got {tuple(input.size())} and {tuple(target.size())}"
            )
        return F.mse_loss(input, self.simplex[target.long()], reduction=_reduction(self.sizeAverage))

    def getPredictions(self, input):
        return torch.mm(input, self.simplex.t())

    def getTopPrediction(self, input):
        return self.getPredictions(input).max(-1)[1].view(-1)


class MultiCriterion(Criterion):
    """The sum of criteria of one input and target, each times its weight."""

    def __init__(self):
        super().__init__()
        self.criterions, self.weights = [], []

    def add(self, criterion, weight=1):
        self.criterions.append(criterion)
        self.weights.append(weight)
        return self

    def _each(self, input, target):
        """(criterion, weight, input, target) of all."""
        return [(c, w, input, target) for c, w in zip(self.criterions, self.weights)]

    def updateOutput(self, input, target=None):
        self.output = sum(w * c.updateOutput(i, t) for c, w, i, t in self._each(input, target))
        return self.output

    def updateGradInput(self, input, target=None):
        self.gradInput = recursiveFill(recursiveResizeAs(self.gradInput, input)[0], 0)
        for c, w, i, t in self._each(input, target):
            recursiveAdd(self.gradInput, w, c.updateGradInput(i, t))
        return self.gradInput


class ParallelCriterion(MultiCriterion):
    """The sum of criteria of the elements of a list, each with its target, or all with one (`repeatTarget`)."""

    def __init__(self, repeatTarget=False):
        super().__init__()
        self.repeatTarget = repeatTarget
        self.gradInput = []

    def _each(self, input, target):
        if len(input) != len(self.criterions):
            raise RuntimeError(f"nn.ParallelCriterion: {len(input)} inputs for {len(self.criterions)} criteria")
        targets = [target] * len(input) if self.repeatTarget else target
        return list(zip(self.criterions, self.weights, input, targets))

    def updateGradInput(self, input, target=None):
        self.gradInput = recursiveFill(recursiveResizeAs(self.gradInput, list(input))[0], 0)
        for place, (c, w, i, t) in zip(self.gradInput, self._each(input, target)):
            recursiveAdd(place, w, c.updateGradInput(i, t))
        return self.gradInput
