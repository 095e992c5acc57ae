"""Runs the README's example and compares what it prints with what the README says.

Usage: readme.py README.md. A check of its own (nix/checks/readme.nix), so that an edit of the README
repeats no other test.
"""

import contextlib
import io
import pathlib
import re
import sys


def main():
    text = pathlib.Path(sys.argv[1]).read_text()
    code, expected = re.search(r"```python\n(.*?)```\n+```\n(.*?)```", text, re.DOTALL).groups()
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, {})
    if printed.getvalue() != expected:
        sys.exit(f"README.md says\n{expected}\nand its example prints\n{printed.getvalue()}")
    print("1 passed, 0 failed")


main()
