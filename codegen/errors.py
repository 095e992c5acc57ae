"""The one error of this package."""

import dataclasses


@dataclasses.dataclass(frozen=True, order=True)
class Where:
    """A place in a source file."""

    file: str
    line: int

    def __str__(self):
        return f"{self.file}:{self.line}"


class DeclarationError(Exception):
    """Something in a declaration or a header that we cannot accept, and where it stands."""

    def __init__(self, where, message):
        super().__init__(f"{where}: {message}")


def choices(words):
    """The words as a message lists them."""
    return ", ".join(sorted(words))
