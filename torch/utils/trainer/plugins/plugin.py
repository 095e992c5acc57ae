"""Plugin: what a Trainer calls."""


class Plugin:
    """Base of plugins. `interval`: pairs (number, event), or one of them; none: it is never called.

    A plugin has a method for each event that it waits for: `batch`, `iteration`, `update`, `epoch`; see Trainer.
    """

    def __init__(self, interval=None):
        self.trigger_interval = [] if interval is None else interval

    def register(self, trainer):
        """Called once, when a trainer takes it in."""
        raise NotImplementedError(f"{type(self).__name__} does not say what to do with a trainer: it has no register()")
