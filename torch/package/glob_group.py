"""Sets of module names by patterns."""

from __future__ import annotations

import re


class GlobGroup:
    """The names that one of `include` fits and none of `exclude`: each a pattern or several. `*` stands for anything within
    a part of the name, `**` for any number of parts."""

    def __init__(self, include, *, exclude=(), separator: str = ".") -> None:
        self.separator = separator
        self._include, self._exclude = ([one] if isinstance(one, str) else list(one) for one in (include, exclude))
        self.include, self.exclude = (
            [re.compile(_regex(pattern, separator)) for pattern in patterns]
            for patterns in (self._include, self._exclude)
        )

    def matches(self, candidate: str) -> bool:
        """Whether a name is one of them."""
        full = self.separator + candidate
        return any(p.fullmatch(full) for p in self.include) and not any(p.fullmatch(full) for p in self.exclude)

    def __repr__(self):
        return f"GlobGroup(include={self._include}, exclude={self._exclude})"


def _regex(pattern, separator):
    sep = re.escape(separator)
    parts = []
    for part in pattern.split(separator):
        if part == "**":
            parts.append(f"({sep}[^{sep}]+)*")
            continue
        if "**" in part:
            raise ValueError("** can only appear as an entire path segment")
        parts.append(sep + f"[^{sep}]*".join(map(re.escape, part.split("*"))))
    return "".join(parts)
