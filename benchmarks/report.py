"""The files that benchmarks leave: one line per case, numbers of four digits, no raw samples."""

import json
import pathlib
import time


def rounded(value):
    """The value with its floats to four significant digits."""
    if isinstance(value, float):
        return float(f"{value:.4g}")
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [rounded(item) for item in value]
    return value


def text(report):
    """The JSON of a report, a dict whose `rows` stand one in a line."""
    lines = [f" {json.dumps(key)}: {json.dumps(rounded(value))}" for key, value in report.items() if key != "rows"]
    rows = ",\n".join(f"  {json.dumps(rounded(row))}" for row in report["rows"])
    return "{\n" + ",\n".join([*lines, f' "rows": [\n{rows}\n ]']) + "\n}\n"


def processor():
    """The name of this machine's processor."""
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "unknown")


def write(path, report):
    """Writes the report with today's date."""
    pathlib.Path(path).write_text(text({"date": time.strftime("%Y-%m-%d"), **report}))
