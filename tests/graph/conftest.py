"""The program under test, from the repository that holds this folder."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2]))
