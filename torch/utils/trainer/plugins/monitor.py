"""Monitor: a number for each iteration, its running average and the average of an epoch."""

from .plugin import Plugin


class Monitor(Plugin):
    """Base of what measures each iteration. A subclass has `stat_name` and `_get_value(*event)`.

    trainer.stats[stat_name] holds `last`; with `running_average` `running_avg`, in which an old value weighs
    `smoothing` of what it did; with `epoch_average` `epoch_mean`, of the last complete epoch and 0.0 before. The rest
    of it is for Logger: how many decimals (`precision`), or any `number_format` of a format string, and a `unit`.
    """

    stat_name = "value"

    def __init__(
        self, running_average=True, epoch_average=True, smoothing=0.7, precision=None, number_format=None, unit=""
    ):
        super().__init__([(1, "iteration"), (1, "epoch")])
        if not 0 <= smoothing < 1:
            raise ValueError(f"smoothing has to be at least 0 and below 1, got {smoothing}")
        decimals = 4 if precision is None else precision
        self.smoothing = smoothing
        self.with_running_average = running_average
        self.with_epoch_average = epoch_average
        self.log_format = number_format or f":.{decimals}f"
        self.log_unit = unit
        self.log_epoch_fields = ["{epoch_mean" + self.log_format + "}" + unit] if epoch_average else None
        self.log_iter_fields = ["{last" + self.log_format + "}" + unit]
        if running_average:
            self.log_iter_fields.append(" ({running_avg" + self.log_format + "}" + unit + ")")

    def register(self, trainer):
        """Makes its entry in the trainer's stats."""
        self.trainer = trainer
        self._sum, self._count = 0.0, 0
        stats = trainer.stats.setdefault(self.stat_name, {})
        stats.update(log_format=self.log_format, log_unit=self.log_unit, log_iter_fields=self.log_iter_fields)
        if self.with_epoch_average:
            stats.update(epoch_mean=0.0, log_epoch_fields=self.log_epoch_fields)

    def iteration(self, *event):
        """Measures."""
        stats = self.trainer.stats[self.stat_name]
        value = stats["last"] = self._get_value(*event)
        self._sum, self._count = self._sum + value, self._count + 1
        if self.with_running_average:
            before = stats.get("running_avg", value)  # nothing before the first value pulls the average down
            stats["running_avg"] = before * self.smoothing + value * (1 - self.smoothing)

    def epoch(self, *_):
        """Averages what was measured since the last epoch."""
        if self.with_epoch_average and self._count:
            self.trainer.stats[self.stat_name]["epoch_mean"] = self._sum / self._count
        self._sum, self._count = 0.0, 0

    def _get_value(self, *event):
        raise NotImplementedError(f"{type(self).__name__} does not say what it measures: it has no _get_value()")
