"""What processes cost: our library and PyTorch in turn, over gloo on this machine's loopback.

    python benchmarks/distributed.py --ours PYTHON --torch PYTHON [--only latency] [--rounds 3] [--json FILE | --write]
    python benchmarks/distributed.py --ours PYTHON --costs  bytes on the loopback against docs/distributed.md's formulas

Every measurement has processes of its own; the libraries take turns, `--rounds` times (three: four minutes), and the
best of each counts. Of calls that is the best of some windows of many calls. Times are the clock's (they include waiting
for others): run it on an idle machine; --write puts the table into benchmarks/results. A ratio is PyTorch's number to
ours where less is better, and ours to PyTorch's of bandwidths: above 1 ours is better; beside it the goal, if any.
Start-up is from the call of torchrun to the end of the first all_reduce of 4 processes; memory is that of a rank after
it, in MiB (RSS; PSS shares what ranks share).
"""

import argparse
import json
import os
import pathlib
import socket
import statistics
import subprocess
import sys
import tempfile
import time

import report

HERE = pathlib.Path(__file__).resolve()
SIZES = {"64 KB": 2**16, "1 MB": 2**20, "64 MB": 2**26}


# ---- in the processes --------------------------------------------------------------------------------------
def seconds(call, barrier, least=0.05, most=1000, windows=6):
    """Of one call, of many between two barriers: the least of some windows."""
    call()
    count = 1
    while True:
        passed = window(call, barrier, count)
        if passed > least or count >= most:
            return min([passed, *(window(call, barrier, count) for _ in range(windows))]) / count
        count = min(most, max(count * 2, int(count * least / max(passed, 1e-6)) + 1))


def window(call, barrier, count):
    barrier()
    begun = time.perf_counter()
    for _ in range(count):
        call()
    barrier()
    return shared(time.perf_counter() - begun)


def shared(number):
    """Rank 0's number: all ranks count alike."""
    import torch
    import torch.distributed as dist

    t = torch.tensor([number], dtype=torch.float64)
    dist.broadcast(t, src=0)
    return t.item()


def latency(store):
    import torch
    import torch.distributed as dist

    t = torch.ones(1)
    found = {"all_reduce of 4 bytes, µs": 1e6 * seconds(lambda: dist.all_reduce(t), dist.barrier)}
    if dist.get_world_size() == 2:
        key = f"key {dist.get_rank()}"
        found["store set, µs"] = 1e6 * seconds(lambda: store.set(key, "value"), dist.barrier)
        found["store get, µs"] = 1e6 * seconds(lambda: store.get(key), dist.barrier)
        found["store set and get, µs"] = 1e6 * seconds(lambda: (store.set(key, "value"), store.get(key)), dist.barrier)
    return found


def bandwidth(store):
    import torch
    import torch.distributed as dist

    found, size = {}, dist.get_world_size()
    for name, count in SIZES.items():
        t, out = torch.ones(count // 4), torch.empty(count // 4 // size * size)
        part = torch.ones(count // 4 // size)
        calls = {
            "all_reduce": lambda t=t: dist.all_reduce(t),
            "all_gather": lambda out=out, part=part: dist.all_gather_into_tensor(out, part),
            "broadcast": lambda t=t: dist.broadcast(t, src=0),
        }
        for kind, call in calls.items():
            found[f"{kind} of {name}, MB/s"] = count / 1e6 / seconds(call, dist.barrier)
    return found


def models():
    import torch
    from torch import nn

    torch.manual_seed(0)
    layer = nn.TransformerEncoderLayer(64, 4, 128, 0.0, batch_first=True)
    return {
        "MLP": (nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, 10)), (32, 64)),
        "CNN": (
            nn.Sequential(
                nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(),
                nn.Flatten(), nn.Linear(32 * 49, 10),
            ),
            (16, 1, 14, 14),
        ),
        "GPT": (nn.Sequential(nn.TransformerEncoder(layer, 2, enable_nested_tensor=False), nn.Linear(64, 96)), (4, 32, 64)),
    }  # fmt: skip


def ddp(store):
    import torch
    import torch.distributed as dist

    found = {}
    for name, (model, shape) in models().items():
        x = torch.randn(shape)

        def step(model, optimizer, x=x):
            optimizer.zero_grad()
            model(x).square().mean().backward()
            optimizer.step()

        def measured(model, step=step):
            optimizer = torch.optim.SGD(model.parameters(), 0.01)
            return seconds(lambda: step(model, optimizer), dist.barrier)

        alone = measured(model)
        both = torch.nn.parallel.DistributedDataParallel(model)
        if not list(both.parameters()):  # a build in which the name alone is there
            return {}
        together = measured(both)
        found |= {
            f"step of {name}, ms": 1e3 * together,
            f"overhead of {name}'s step, ms": 1e3 * max(together - alone, 1e-6),
        }
    return found


def memory(store):
    import torch
    import torch.distributed as dist

    dist.all_reduce(torch.ones(1))
    rows = dict(line.split()[:2] for line in open("/proc/self/smaps_rollup").read().splitlines()[1:])
    dist.barrier()
    return {f"{kind} of a rank, MiB": int(rows[f"{kind.capitalize()}:"]) / 1024 for kind in ("rss", "pss")}


def bytes_sent():
    """Those that have gone over the loopback, all processes' together."""
    line = next(line for line in open("/proc/net/dev") if line.strip().startswith("lo:"))
    return int(line.split(":")[1].split()[0])


def costs(store):
    import torch
    import torch.distributed as dist

    size, count, times = dist.get_world_size(), 2**20, 8
    t, part = torch.ones(count), torch.ones(count // size)
    calls = {
        "all_reduce": lambda: dist.all_reduce(t),
        "all_gather": lambda: dist.all_gather_into_tensor(t, part),
        "broadcast": lambda: dist.broadcast(t, src=0),
        "reduce_scatter": lambda: dist.reduce_scatter_tensor(part, t),
        "all_to_all": lambda: dist.all_to_all_single(t.clone(), t),
    }
    found = {}
    for name, call in calls.items():
        call()
        dist.barrier()
        before = bytes_sent()
        for _ in range(times):
            call()
        dist.barrier()
        found[name] = (bytes_sent() - before) / times / (4 * count)
        dist.barrier()
    return found


CASES = {"latency": (latency, (2, 4)), "bandwidth": (bandwidth, (2, 4)), "ddp": (ddp, (2,)), "memory": (memory, (4,))}
GOALS = {"all_reduce of 4 bytes": 1 / 0.7, "overhead of": 2.0, "torchrun": 4.0, "rss": 3.0, "pss": 3.0, "store": 1.0}
COSTS = {  # bytes sent by all ranks together, in multiples of the (whole) tensor's
    "all_reduce": lambda p: 2 * (p - 1),
    "all_gather": lambda p: p - 1,
    "broadcast": lambda p: p - 1,
    "reduce_scatter": lambda p: p - 1,
    "all_to_all": lambda p: p - 1,
}


def rank(case):
    import torch
    import torch.distributed as dist

    torch.set_num_threads(1)
    dist.init_process_group("gloo")
    me, size = dist.get_rank(), dist.get_world_size()
    store = dist.TCPStore("127.0.0.1", int(os.environ["OTHER_PORT"]), size, me == 0)
    found = {"costs": costs, **{name: function for name, (function, _) in CASES.items()}}[case](store)
    dist.barrier()
    if me == 0:
        print(json.dumps(found))
    dist.destroy_process_group()


FIRST = """
import os, sys, time, torch, torch.distributed as dist
dist.init_process_group("gloo")
dist.all_reduce(torch.ones(1))
if dist.get_rank() == 0:
    print(time.time())
dist.destroy_process_group()
"""


# ---- around them -------------------------------------------------------------------------------------------
def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def environment(library):
    said = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    if library == "ours" and (path := os.environ.get("PYTHONPATH")):
        said["PYTHONPATH"] = path
    return said | {"OMP_NUM_THREADS": "1", "GLOO_SOCKET_IFNAME": "lo"}


def measured(library, python, case, size):
    """{name: number} of processes of one library."""
    common = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(free_port()), "OTHER_PORT": str(free_port())}
    common |= {"WORLD_SIZE": str(size)}
    processes = [
        subprocess.Popen(
            [python, str(HERE), "--rank", case], env=environment(library) | common | {"RANK": str(r)},
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd="/",
        )
        for r in range(size)
    ]  # fmt: skip
    try:
        said = [process.communicate(timeout=300) for process in processes]
    finally:
        for process in processes:
            process.kill()
    if any(process.returncode for process in processes):
        raise SystemExit(f"{library}, {case}, {size} ranks:\n" + "\n".join(err for _, err in said))
    return json.loads(said[0][0].splitlines()[-1])


def started(library, python):
    """Seconds from the call of torchrun to the end of the first collective operation."""
    with tempfile.TemporaryDirectory() as folder:
        script = pathlib.Path(folder, "first.py")
        script.write_text(FIRST)
        begun = time.time()
        command = [python, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "4", str(script)]
        done = subprocess.run(
            command, env=environment(library), capture_output=True, text=True, cwd="/", timeout=120, check=True
        )
        return float(done.stdout.split()[-1]) - begun


def results(pythons, only, rounds):
    """{(case, ranks, name): {library: number}}, the best of all rounds."""
    found = {}

    def keep(key, library, number):
        best = max if key[2].endswith("MB/s") else min
        place = found.setdefault(key, {})
        place[library] = best(place.get(library, number), number)

    for _ in range(rounds):
        for case, (_, sizes) in CASES.items():
            for size in sizes if only in ("", case) else ():
                for library, python in pythons.items():
                    for name, number in measured(library, python, case, size).items():
                        keep((case, size, name), library, number)
        for library, python in pythons.items() if only in ("", "start") else ():
            keep(("start", 4, "torchrun to the first all_reduce, s"), library, started(library, python))
    return found


def goal_of(name):
    """The ratio that is wanted at least; None: no goal is set."""
    return 1.0 if name.endswith("MB/s") else next((g for start, g in GOALS.items() if name.startswith(start)), None)


def show(found):
    rows = []
    print(f"{'case':46}{'ours':>12}{'PyTorch':>12}{'ratio':>8}{'goal':>8}")
    for (_, size, name), numbers in found.items():
        row = {"case": f"{name}, {size} ranks", **numbers}
        line = f"{row['case']:46}" + "".join(f"{row[k]:12.4g}" if k in row else " " * 12 for k in ("ours", "torch"))
        if len(numbers) == 2:
            ours, theirs = numbers["ours"], numbers["torch"]
            row["ratio"] = ours / theirs if name.endswith("MB/s") else theirs / ours
            line += f"{row['ratio']:8.2f}"
            if goal := goal_of(name):
                row["goal"] = goal
                line += f"{goal:8.2f}" + ("" if row["ratio"] >= goal else "  missed")
        rows.append(row)
        print(line)
    if ratios := [row["ratio"] for row in rows if "ratio" in row]:
        missed = sum(row.get("goal", 0) > row["ratio"] for row in rows)
        print(f"geometric mean of {len(ratios)} ratios: {statistics.geometric_mean(ratios):.2f}; {missed} goals missed")
    return rows


def version_of(library, python):
    command = [python, "-c", "import torch; print(torch.__version__)"]
    return subprocess.check_output(command, env=environment(library), text=True, cwd="/").strip()


def commit():
    command = ["git", "-C", str(HERE.parent), "rev-parse", "--short=12", "HEAD"]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.stdout.strip() or "unknown"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ours", default=sys.executable)
    parser.add_argument("--torch")
    parser.add_argument("--only", default="", choices=["", "start", *CASES])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--write", action="store_true", help="to benchmarks/results, under today's date")
    parser.add_argument("--costs", action="store_true")
    parser.add_argument("--rank", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.rank:
        return rank(options.rank)
    if options.costs:
        for size in (2, 4, 8):
            for name, number in measured("ours", options.ours, "costs", size).items():
                print(f"{name:15} {size} ranks: {number:6.2f} of the tensor, by the formula {COSTS[name](size)}")
        return None
    pythons = {"ours": options.ours} | ({"torch": options.torch} if options.torch else {})
    load, begun = os.getloadavg(), time.time()
    rows = show(results(pythons, options.only, options.rounds))
    print(f"{time.time() - begun:.0f} s")
    name = f"{time.strftime('%Y-%m-%d')}-distributed-{os.cpu_count()}cores.json"
    for path in filter(None, [options.json, options.write and HERE.parent / "results" / name]):
        words = ["python benchmarks/distributed.py --ours PYTHON --torch PYTHON", f"--rounds {options.rounds}"]
        about = {
            "benchmark": "distributed",
            "machine": f"{report.processor()}, {os.cpu_count()} cores",
            "load": list(load[:2]),
            "command": " ".join([*words, *(["--only " + options.only] if options.only else [])]),
            "commit": commit(),
            "versions": {library: version_of(library, python) for library, python in pythons.items()},
        }
        report.write(path, {**about, "rows": rows})
    return None


if __name__ == "__main__":
    main()
