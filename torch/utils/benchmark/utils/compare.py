"""Compare: several measurements as a table."""

from __future__ import annotations

import collections
import enum
import itertools
import math

from torch.utils.benchmark.utils import common

__all__ = ["Colorize", "Compare"]

BEST = "\033[92m"
GOOD = "\033[34m"
BAD = "\033[2m\033[91m"
VERY_BAD = "\033[31m"
BOLD = "\033[1m"
TERMINATE = "\033[0m"


class Colorize(enum.Enum):
    """What numbers are compared with for their colour: none, those of their column, those of their row."""

    NONE = "none"
    COLUMNWISE = "columnwise"
    ROWWISE = "rowwise"


class _Options:
    """How tables of one Compare look."""

    def __init__(self):
        self.trim, self.colorize, self.warnings = False, Colorize.NONE, False


class Compare:
    """Measurements in rows by `sub_label` (or statement) and environment, in columns by `description`, a block for each number
    of threads, a table for each `label`.

        print(Compare([timer.blocked_autorange() for timer in timers]))
    """

    def __init__(self, results: list[common.Measurement]) -> None:
        self._results = []
        self.extend_results(results)
        self._options = _Options()

    def __str__(self) -> str:
        return "\n".join(self._render())

    def extend_results(self, results) -> None:
        """More of them."""
        results = list(results)
        for result in results:
            if not isinstance(result, common.Measurement):
                raise ValueError(f"Expected an instance of `Measurement`, got {type(result)} instead.")
        self._results.extend(results)

    def trim_significant_figures(self) -> None:
        """Digits that the scatter of the measurements does not bear out become zeros."""
        self._options.trim = True

    def colorize(self, rowwise=False) -> None:
        """The best numbers of a column, or of a row, are green, bad ones red."""
        self._options.colorize = Colorize.ROWWISE if rowwise else Colorize.COLUMNWISE

    def highlight_warnings(self) -> None:
        """Numbers whose measurements scatter a lot say so."""
        self._options.warnings = True

    def print(self) -> None:
        """Prints it."""
        print(str(self))

    def _render(self):
        merged = common.Measurement.merge(self._results)
        labels = collections.OrderedDict()
        for result in merged:
            labels.setdefault(result.label, []).append(result)
        return [self._layout(group) for group in labels.values()]

    def _layout(self, results):
        return _Table(results, self._options).render()


def _row_key(result):
    env = result.task_spec.env
    return (result.num_threads, f"({env})" if env is not None else "", result.as_row_name)


class _Table:
    """The measurements of one label."""

    def __init__(self, results, options):
        self.options, self.label = options, results[0].label
        self.unit, self.scale = common.select_unit(min(result.median for result in results))
        keys = common.ordered_unique(map(_row_key, results))
        self.row_keys = sorted(keys, key=lambda key: key[:2])  # statements stay in their order
        self.columns = common.ordered_unique(result.description for result in results)
        self.cells = {(_row_key(result), result.description): result for result in results}

    # ---- numbers
    def _digits(self, column):
        """How many places after the point the numbers of a column have."""
        found = [result for (_, name), result in self.cells.items() if name == column]
        needed = []
        for result in found:
            value = result.median / self.scale
            figures = result.significant_figures if self.options.trim else 2
            leading = math.ceil(math.log10(value)) if value > 0 else 0
            needed.append(max(figures - leading, 0) if self.options.trim else 1)
        return min(max(needed), 1) if needed else 0

    def _number(self, result, digits):
        value = result.median
        if self.options.trim:
            value = common.trim_sigfig(value, result.significant_figures)
        return f"{value / self.scale:.{digits}f}"

    def _note(self, result):
        if not (self.options.warnings and result.has_warnings):
            return ""
        return f" (! {result.iqr / result.median * 100:.0f}%)"

    def _column(self, name):
        """The texts of a column, of one width: numbers to the right, their notes after them."""
        digits = self._digits(name)
        results = [self.cells.get((key, name)) for key in self.row_keys]
        numbers = [self._number(result, digits) if result else "" for result in results]
        notes = [self._note(result) if result else "" for result in results]
        number_width, note_width = max(map(len, numbers)), max(map(len, notes))
        texts = [number.rjust(number_width) + note.ljust(note_width) for number, note in zip(numbers, notes)]
        width = max(len(name or ""), number_width + note_width)
        return [text.center(width) for text in texts]

    # ---- colours
    def _colored(self, text, result, others):
        others = [other.median for other in others if other is not None]
        if not others:
            return text
        best, value = min(others), result.median
        if value <= best * 1.05:
            return f"{BEST}{BOLD}{text}{TERMINATE}{TERMINATE}"
        if value <= best * 1.1:
            return f"{GOOD}{BOLD}{text}{TERMINATE}{TERMINATE}"
        if value <= best * 2 and len(others) > 1 and value <= sorted(others)[len(others) // 2]:
            return text
        return f"{VERY_BAD if value > best * 2 else BAD}{BOLD}{text}{TERMINATE}{TERMINATE}"

    def _group(self, row, name):
        """What a cell is compared with."""
        if self.options.colorize is Colorize.ROWWISE:
            return [self.cells.get((row, column)) for column in self.columns]
        same = [key for key in self.row_keys if key[0] == row[0] and key[2] == row[2]]
        return [self.cells.get((key, name)) for key in same]

    # ---- text
    def render(self):
        """The table, and what its numbers mean."""
        env_width = max(len(key[1]) for key in self.row_keys)
        names = self._row_names(env_width)
        name_width = max(map(len, names))
        columns = [self._column(name) for name in self.columns]
        widths = [max(len(name or ""), len(column[0])) for name, column in zip(self.columns, columns)]
        head = " " * name_width + "".join(
            f"  |  {(name or '').center(width)}" for name, width in zip(self.columns, widths)
        )
        total = len(head)
        lines = [self._title(total), head]
        for threads, rows in itertools.groupby(range(len(names)), key=lambda i: self.row_keys[i][0]):
            lines.append(f"{threads} threads: ".ljust(total, "-"))
            lines += [names[i].ljust(name_width) + self._cells(i, columns) for i in rows]
        lines += ["", f"Times are in {common.unit_to_english(self.unit)}s ({self.unit}).", ""]
        if self.options.warnings and any(self._note(result) for result in self.cells.values()):
            lines.insert(-1, "(! XX%) Measurement has high variance, where XX is the IQR / median * 100.")
        return "\n".join(lines)

    def _row_names(self, env_width):
        names, before = [], None
        for threads, env, name in self.row_keys:
            shown = env if (threads, env) != before else ""
            before = (threads, env)
            names.append(f"  {shown.ljust(env_width)}  {name}" if env_width else f"      {name}")
        return names

    def _cells(self, i, columns):
        row, text = self.row_keys[i], ""
        for name, column in zip(self.columns, columns):
            result, cell = self.cells.get((row, name)), column[i]
            if result is not None and self.options.colorize is not Colorize.NONE:
                cell = self._colored(cell, result, self._group(row, name))
            text += "  |  " + cell
        return text

    def _title(self, width):
        text = f" {self.label or ''} "
        return "[" + text.center(width - 2, "-") + "]"


Table = _Table
