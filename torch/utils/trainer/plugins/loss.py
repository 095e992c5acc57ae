"""LossMonitor."""

from .monitor import Monitor


class LossMonitor(Monitor):
    """The loss of each iteration, in stats["loss"]."""

    stat_name = "loss"

    def _get_value(self, iteration, batch, target, output, loss):
        return loss.item() if hasattr(loss, "item") else float(loss)
