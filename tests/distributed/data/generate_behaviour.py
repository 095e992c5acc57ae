"""Writes data/behaviour.json: what PyTorch 2.13's torch.distributed over gloo answers to the calls of behaviour.py.

cd /tmp && /tmp/oracle/bin/python …/tests/distributed/data/generate_behaviour.py

{size: {call: answer, or a list of one for each rank where they differ}}. Each call has groups of its own; "!hangs" and
"!ends the process" stand for calls that did not come back; give it an idle machine, or some that would have are among them.
"""

import datetime
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))


def rank_main(rank, size, first, folder):
    """Answers calls from the first on, a line for each."""
    import behaviour
    import torch
    import torch.distributed as dist

    torch.set_num_threads(1)
    with open(f"{folder}/answers{rank}", "a") as out:
        print(json.dumps([-1, "begun"]), file=out, flush=True)
        for i, (family, call) in enumerate(behaviour.calls(size)):
            if i < first:
                continue
            if size:
                limit = datetime.timedelta(seconds=60)  # who waits in vain is ended after 12
                init = f"file://{folder}/store{i}"
                dist.init_process_group("gloo", init_method=init, rank=rank, world_size=size, timeout=limit)
            answer = behaviour.evaluate(family, call, f"{folder}/file{i}")
            print(json.dumps([i, answer]), file=out, flush=True)
            if dist.is_initialized():
                dist.destroy_process_group()


def read(folder, size):
    found = [{} for _ in range(size)]
    for rank in range(size):
        path = pathlib.Path(folder, f"answers{rank}")
        for line in path.read_text().splitlines() if path.exists() else ():
            i, answer = json.loads(line)
            found[rank].setdefault(i, answer)
    return found


def answers(size, calls):
    """[[answer of each rank] of each call]"""
    ranks = max(size, 1)
    with tempfile.TemporaryDirectory() as folder:
        first = 0
        while first < len(calls):
            command = [sys.executable, __file__]
            started = [
                subprocess.Popen(
                    [*command, str(rank), str(size), str(first), folder],
                    stderr=subprocess.DEVNULL,
                )
                for rank in range(ranks)
            ]
            files = [pathlib.Path(folder, f"answers{rank}") for rank in range(ranks)]
            before = [f.stat().st_size if f.exists() else 0 for f in files]
            seen, since = before, time.monotonic()
            while any(p.poll() is None for p in started):
                time.sleep(0.2)
                now = [f.stat().st_size if f.exists() else 0 for f in files]
                if now != seen:
                    seen, since = now, time.monotonic()
                begun = all(map(int.__gt__, now, before))  # who has not is importing still
                if time.monotonic() - since > (12 if begun else 90) or any(p.returncode for p in started):
                    break
            hung = all(p.poll() in (None, 0) for p in started)
            time.sleep(0 if hung else 4)  # what the others say of it
            found = read(folder, ranks)
            for process in started:
                process.kill()
                process.wait()
            first = next((i for i in range(first, len(calls)) if any(i not in f for f in found)), len(calls))
            if first < len(calls):
                for rank in range(ranks):
                    if first not in found[rank]:
                        with open(f"{folder}/answers{rank}", "a") as out:
                            print(json.dumps([first, "!hangs" if hung else "!ends the process"]), file=out)
                print(size, "hangs" if hung else "ends", calls[first], file=sys.stderr)
                first += 1
        found = read(folder, ranks)
        return [[f[i] for f in found] for i in range(len(calls))]


def main():
    """Writes the file."""
    import behaviour

    data = {}
    for size in (0, 2, 3):
        calls = [(family, " ".join(call.split())) for family, call in behaviour.calls(size)]
        found = answers(size, calls)
        data[size] = {call: a[0] if len(set(a)) == 1 else a for (_, call), a in zip(calls, found)}
    path = HERE / "behaviour.json"
    path.write_text(json.dumps(data, indent=0, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        rank_main(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
    else:
        os.environ["OMP_NUM_THREADS"] = "1"
        main()
