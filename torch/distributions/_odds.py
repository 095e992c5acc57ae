"""A parameter that is given as a probability or as the logarithm of odds."""

from __future__ import annotations

from torch.distributions.utils import lazy_property, logits_to_probs, probs_to_logits

TYPE_CHECKING = False  # type checkers take it for True
if TYPE_CHECKING:
    import torch


class Odds:
    """`probs` and `logits`, of which the constructor has set one, and `_param` to the same."""

    @lazy_property
    def logits(self) -> torch.Tensor:
        """log (p / (1 - p))."""
        return probs_to_logits(self.probs, is_binary=True)

    @lazy_property
    def probs(self) -> torch.Tensor:
        """The probability."""
        return logits_to_probs(self.logits, is_binary=True)

    @property
    def param_shape(self) -> torch.Size:
        """Shape of the parameter."""
        return self._param.size()

    def _new(self, *args, **kwargs):
        return self._param.new(*args, **kwargs)

    def _expand_odds(self, instance, batch_shape, *names):
        """expand() of `probs`, `logits` and other parameters."""
        return self._expand_parameters(instance, batch_shape, "probs", "logits", "_param", *names)
