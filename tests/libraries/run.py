"""Runs the first example of libraries over torch, and compares what comes out with what PyTorch 2.13 gave.

    python run.py [--record] [NAME...]     an example_NAME.py; all of them without a name

Each runs in a process of its own, with a folder of its own. --record, under PyTorch, writes recorded.json.
"""

import argparse
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
RECORDED = HERE / "recorded.json"
SECONDS = 120  # for one of them, on a busy machine
BOUND = 2e-3  # relative: some train for several steps, in single precision


def worker(name):
    """Writes the example's results to standard output, as the last line."""
    import importlib
    import inspect
    import warnings

    import torch

    warnings.simplefilter("ignore")
    if not hasattr(torch.version, "th"):  # to record: torchvision without its operators, which are made for one PyTorch
        torch.library.define("torchvision::nms", "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    torch.manual_seed(0)
    torch.set_num_threads(1)
    sys.path.insert(0, str(HERE))
    from common import numbers

    run = importlib.import_module(f"example_{name}").run
    with tempfile.TemporaryDirectory() as folder:
        results = run(folder) if inspect.signature(run).parameters else run()
    print("\n" + json.dumps(numbers(results)))


def differences(got, wanted, place=""):
    """Where two results differ, as text."""
    if isinstance(wanted, dict) and isinstance(got, dict) and got.keys() == wanted.keys():
        for key in wanted:
            yield from differences(got[key], wanted[key], f"{place}/{key}")
    elif isinstance(wanted, list) and isinstance(got, list) and len(got) == len(wanted):
        for i, each in enumerate(wanted):
            yield from differences(got[i], each, f"{place}[{i}]")
    elif isinstance(wanted, float) and isinstance(got, (int, float)) and not isinstance(got, bool):
        if not math.isclose(got, wanted, rel_tol=BOUND, abs_tol=BOUND / 10) and not (
            math.isnan(got) and math.isnan(wanted)
        ):
            yield f"{place}: {got} instead of {wanted}"
    elif got != wanted:
        yield f"{place}: {got!r} instead of {wanted!r}"


def results_of(name):
    """What the example gives; a text where it failed."""
    with tempfile.TemporaryDirectory() as home:
        environment = os.environ | {"HOME": home, "HF_HUB_OFFLINE": "1", "TQDM_DISABLE": "1", "MPLBACKEND": "Agg"}
        command = [sys.executable, "-W", "ignore", __file__, "--worker", name]
        try:
            done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=SECONDS, cwd=home)
        except subprocess.TimeoutExpired:
            return f"took more than {SECONDS} s"
    return json.loads(done.stdout.splitlines()[-1]) if not done.returncode else "\n" + done.stderr[-3000:]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--worker")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    if options.worker:
        return worker(options.worker)
    names = options.names or sorted(file.stem.removeprefix("example_") for file in HERE.glob("example_*.py"))
    recorded = json.loads(RECORDED.read_text()) if RECORDED.exists() else {}
    failed = 0
    for name in names:
        begin, got = time.monotonic(), results_of(name)
        if isinstance(got, str):
            wrong = [got]
        elif options.record:
            recorded[name], wrong = got, []
        else:
            wrong = list(differences(got, recorded[name]))
        failed += bool(wrong)
        print(
            f"{name}: {'differs' if wrong else 'as PyTorch'}, {time.monotonic() - begin:.1f} s",
            *wrong[:8],
            sep="\n  ",
            flush=True,
        )
    if options.record:
        lines = (f'"{name}": {json.dumps(value, sort_keys=True)}' for name, value in sorted(recorded.items()))
        RECORDED.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    print(f"{len(names) - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
