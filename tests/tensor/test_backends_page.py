"""The example of docs/backends.md prints what the page says."""

import pathlib
import re
import subprocess
import sys


def test_the_example_prints_what_the_page_says():
    page = (pathlib.Path(__file__).parents[2] / "docs/backends.md").read_text()
    code, output = re.findall(r"```(?:python)?\n(.*?)```", page, re.DOTALL)[:2]
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, check=True)
    assert done.stdout == output
