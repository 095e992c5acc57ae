"""ProgressMonitor."""

from .plugin import Plugin


class ProgressMonitor(Plugin):
    """How much of an epoch is done, in stats["progress"]: `samples_used` of `epoch_size` items, `percent`."""

    stat_name = "progress"

    def __init__(self):
        super().__init__([(1, "iteration"), (1, "epoch")])

    def register(self, trainer):
        """Makes its entry in the trainer's stats; the dataset must have a length."""
        self.trainer = trainer
        self.trainer.stats[self.stat_name] = {
            "samples_used": 0,
            "epoch_size": len(trainer.dataset),
            "percent": 0.0,
            "log_iter_fields": ["{samples_used}/{epoch_size}", " ({percent:.2f}%)"],
        }

    def iteration(self, *event):
        """Counts."""
        stats = self.trainer.stats[self.stat_name]
        stats["samples_used"] += 1
        stats["percent"] = 100.0 * stats["samples_used"] / stats["epoch_size"]

    def epoch(self, *event):
        """Starts anew; the dataset may have another length now."""
        stats = self.trainer.stats[self.stat_name]
        stats.update(samples_used=0, epoch_size=len(self.trainer.dataset), percent=0.0)
