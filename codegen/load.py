"""From .cwrap files to operators that emitters can use."""

import pathlib

from .cwrap import parse_files
from .plugins import refine


def operators(folder):
    """The operators declared in a folder: {name: overloads, refined, in the order in which they are tried}."""
    return refine(parse_files(sorted(pathlib.Path(folder).glob("*.cwrap"))))
