"""What the process is told once."""

import warnings

_said = set()


def note_once(text, depth):
    """A UserWarning the first time that this text is given, about the line `depth` calls up from the caller."""
    if text not in _said:
        _said.add(text)
        warnings.warn(text, UserWarning, stacklevel=depth + 1)
