"""From .cwrap files to operators that emitters can use."""

import pathlib

from . import derivatives
from .cwrap import parse_files
from .plugins import refine


def operators(folder):
    """The operators declared in a folder: {name: overloads, refined, in the order in which they are tried}."""
    folder = pathlib.Path(folder)
    found = refine(parse_files(sorted(folder.glob("*.cwrap"))))
    derivatives.check(found)
    return found


def compiled(folder):
    """The same without those whose body is Python: what C++ is generated from."""
    return {name: found for name, found in operators(folder).items() if not found[0].in_python}
