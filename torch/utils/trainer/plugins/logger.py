"""Logger: prints what monitors have measured."""

from .plugin import Plugin


class Logger(Plugin):
    """A line for each iteration, a framed block for each epoch.

    fields    what of the trainer's stats to print: "loss" as its monitor formats it, "loss.last" that one number
    interval  when: pairs (number, event)

    A field that nobody has measured, or not yet, is left out.
    """

    alignment = 4
    separator = "#" * 80

    def __init__(self, fields, interval=None):
        super().__init__([(1, "iteration"), (1, "epoch")] if interval is None else interval)
        self.field_paths = [field.split(".") for field in fields]

    def register(self, trainer):
        """Remembers whose stats to print."""
        self.trainer = trainer

    def log(self, text):
        """Where lines go: to print(). A subclass may write them to a file."""
        print(text)

    def iteration(self, *event):
        """Prints a line."""
        if found := self._texts("log_iter_fields"):
            self.log("\t".join(found))

    batch = update = iteration

    def epoch(self, number, *event):
        """Prints the block."""
        found = self._texts("log_epoch_fields")
        indent = " " * self.alignment
        self.log(
            "\n".join([self.separator, f"Epoch {number} summary:", *(indent + text for text in found), self.separator])
        )

    def _texts(self, key):
        return [text for path in self.field_paths if (text := self._text(path, key))]

    def _text(self, path, key):
        stats = self.trainer.stats
        for name in path[:-1]:
            stats = stats.get(name, {})
        found = stats.get(path[-1])
        if not isinstance(found, dict):  # one number, as its monitor formats it
            if found is None:
                return ""
            form = stats.get("log_format", "") if isinstance(found, float) else ""
            return f"{'.'.join(path)}: {('{' + form + '}').format(found)}{stats.get('log_unit', '')}"
        try:
            text = "".join(field.format(**found) for field in found.get(key) or ())
        except KeyError:  # nothing has been measured yet
            return ""
        return f"{'.'.join(path)}: {text}" if text else ""
