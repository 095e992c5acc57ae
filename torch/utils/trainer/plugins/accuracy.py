"""AccuracyMonitor."""

from .monitor import Monitor


class AccuracyMonitor(Monitor):
    """How many percent of a batch have their largest output, along dimension 1, at the target's index."""

    stat_name = "accuracy"

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **{"unit": "%", "precision": 2, **kwargs})

    def _get_value(self, iteration, batch, target, output, loss):
        if not target.numel():
            return 0.0
        return 100.0 * (output.argmax(1) == target).sum().item() / target.numel()
