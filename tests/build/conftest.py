"""Makes `tools` importable: the root comes last on sys.path, so that its torch/ hides no installed one."""

import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2]))
