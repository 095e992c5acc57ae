"""Time per call of what sparse tensors do: our library, PyTorch and SciPy.

    python benchmarks/sparse.py --ours PYTHON --torch PYTHON [--scipy PYTHON] [--only SpMM] [--rounds 3] [--threads 1]
        [--rows 100000] [--json FILE]

Each library has a process of its own; they take turns at every case, `--rounds` times, and the least time of each
counts. A ratio is that of the better of PyTorch and SciPy to ours: above 1 ours is faster. The processor's time
counts, not that of others who want it; with several threads, the clock's. SciPy needs an interpreter that has it. The
matrices are drawn by NumPy from one seed: uniform (10 entries a row), power-law (rows of very different lengths, 10 in
the mean, the longest of thousands) and banded (11 a row). Small tensors have 100 entries. Then the memory that a
product of two sparse matrices takes while it is made, and the training of a table of 10^6 × 64, as multiples of the
result's and in MiB besides the table's.
"""

import argparse
import json
import math
import os
import pathlib
import subprocess
import sys
import time
import timeit

import report

HERE = pathlib.Path(__file__).resolve()
OURS = HERE.parent.parent
KINDS = ("uniform", "power law", "banded")
LIBRARIES = ("ours", "torch", "scipy")

# {case: what is timed of ours; of PyTorch, None: the same; of SciPy, "": it has none}. a, b: CSR matrices; c, e: the same
# by coordinates; of SciPy likewise.
PRODUCTS = {
    "SpMV": ("a @ v", None, "a @ v"),
    "SpMM 16": ("a @ d16", None, "a @ d16"),
    "SpMM 128": ("a @ d128", None, "a @ d128"),
    "SpGEMM": ("a @ b", None, "a @ b"),
}
OTHERS = {
    "SpMV, indices of 32 bits": ("s @ v", None, "a @ v"),
    "coalesce of 10^7": (
        "torch.sparse_coo_tensor(many, values, (n, n)).coalesce()",
        None,
        "coo(many, values).tocsr()",
    ),
    "COO to CSR": ("c.to_sparse_csr()", None, "c.tocsr()"),
    "CSR to CSC": ("a.to_sparse_csc()", None, "a.tocsc()"),
    "transpose": ("c.t().coalesce()", None, "c.T.tocsr()"),
    "add of CSR": ("a + b", None, "a + b"),
    "add of COO": ("c + e", None, "c + e"),
    "rows of CSR": ("a.index_select(0, rows)", "c.index_select(0, rows)", "a[rows]"),
    "rows of COO": ("c.index_select(0, rows)", None, "c.tocsr()[rows]"),
    "half the rows": ("c.narrow_copy(0, n // 4, n // 2)", None, "c.tocsr()[n // 4 : 3 * n // 4]"),
    "one row": ("c[7]", None, "c.tocsr()[[7]]"),
    "softmax": ("torch.sparse.softmax(c, 1)", None, ""),
    "sampled_addmm": ("torch.sparse.sampled_addmm(a, d16, t16, beta=0)", None, ""),
    "embedding step": ("embedding_step()", None, ""),
    "GCN step": ("gcn_step()", None, ""),
}
SMALL = {
    "sparse_coo_tensor": ("torch.sparse_coo_tensor(i, x, (n, n))", None, "coo((x, (i[0], i[1])), shape=(n, n))"),
    "coalesce": ("u.coalesce()", None, ""),
    "add": ("c + e", None, "a + b"),
    "mm": ("a @ d16", None, "a @ d16"),
    "SpGEMM": ("a @ b", None, "a @ b"),
    "to_dense": ("c.to_dense()", None, "c.toarray()"),
    "to CSR": ("c.to_sparse_csr()", None, "c.tocsr()"),
    "transpose": ("c.t()", None, "c.T"),
    "one row": ("c[7]", None, "a[[7]]"),
    "sum": ("torch.sparse.sum(c)", None, "a.sum()"),
}
SMALL_ROWS = 50


def drawn(kind, n, rng):
    """(rows, columns) of the entries, each once, sorted."""
    import numpy as np

    if kind == "banded":
        places = np.add.outer(np.arange(n), np.arange(-5, 6))
        rows = np.repeat(np.arange(n), 11)
        columns = places.reshape(-1)
        inside = (columns >= 0) & (columns < n)
        return rows[inside], columns[inside]
    if kind == "uniform":
        lengths = np.full(n, 10)
    else:
        lengths = np.minimum((rng.pareto(1.2, n) * 2 + 1).astype(np.int64), n // 10)
        lengths = np.maximum(1, lengths * 10 * n // max(1, lengths.sum()))
    rows = np.repeat(np.arange(n), lengths)
    keys = np.unique(rows * n + rng.integers(0, n, rows.size))
    return keys // n, keys % n


def cases(only):
    """{case: (kind of matrix, what is timed)}"""
    found = {f"{name}, {kind}": (kind, texts) for name, texts in PRODUCTS.items() for kind in KINDS}
    found |= {name: ("uniform", texts) for name, texts in OTHERS.items()}
    found |= {f"{name} of 100": ("small", texts) for name, texts in SMALL.items()}
    return {name: case for name, case in found.items() if only in name}


def least(statement, names, timer):
    """Seconds for one call: the least of several of half a second in all."""
    clock = timeit.Timer(statement, globals=names, timer=timer)
    # The processor's time has steps: what is short is done several times.
    times = 1
    while (took := clock.timeit(times)) < 2e-4:
        times *= 4
    found = [took / times]
    start = time.perf_counter()
    while len(found) < 3 or (len(found) < 50 and time.perf_counter() - start < 0.5):
        found.append(clock.timeit(times) / times)
    return min(found)


def members(kind, n):
    """{name: array} that a kind's cases need."""
    import numpy as np

    rng = np.random.default_rng(0)
    made = {}
    for name in "ab":
        if kind == "small":
            keys = np.unique(rng.integers(0, n * n, 100))
            rows, columns = keys // n, keys % n
        else:
            rows, columns = drawn(kind, n, rng)
        made[name] = (rows, columns, rng.standard_normal(rows.size).astype(np.float32))
    for width in (16, 128):
        made[f"d{width}"] = rng.standard_normal((n, width)).astype(np.float32)
    made["v"] = rng.standard_normal(n).astype(np.float32)
    made["rows"] = rng.permutation(n)[: n // 10]
    made["i"], made["x"] = rng.integers(0, n, (2, 100)), rng.standard_normal(100).astype(np.float32)
    return made


def many(n):
    import numpy as np

    rng = np.random.default_rng(1)
    return rng.integers(0, n, (2, 100 * n)), rng.standard_normal(100 * n).astype(np.float32)


EMBEDDING = """
table = torch.nn.Parameter(torch.randn(10 * n, 64))
optimizer = torch.optim.SGD([table], lr=0.1)
places = torch.randint(10 * n, (4096,))
def embedding_step():
    optimizer.zero_grad()
    torch.nn.functional.embedding(places, table, sparse=True).square().sum().backward()
    optimizer.step()
"""
GCN = """
first, second = torch.nn.Linear(128, 16), torch.nn.Linear(16, 7)
both = torch.optim.Adam([*first.parameters(), *second.parameters()], lr=0.01)
classes = torch.randint(7, (n,))
def gcn_step():
    both.zero_grad()
    h = torch.relu(torch.sparse.mm(a, first(d128)))
    torch.nn.functional.cross_entropy(torch.sparse.mm(a, second(h)), classes).backward()
    both.step()
"""


def of_torch(kind, n, statement):
    """The names that a statement needs."""
    import torch

    made = members(kind, n)
    names = {"torch": torch, "n": n}
    for name, array in made.items():
        if name in "ab":
            rows, columns, values = array
            places = torch.stack([torch.from_numpy(rows), torch.from_numpy(columns)])
            at = torch.sparse_coo_tensor(places, torch.from_numpy(values), (n, n), is_coalesced=True)
            names[name] = at.to_sparse_csr()
            names["ce"["ab".index(name)]] = at
        else:
            names[name] = torch.from_numpy(array)
    names["t16"] = names["d16"].t()
    rows, columns = (names["a"].crow_indices(), names["a"].col_indices())
    names["s"] = torch.sparse_csr_tensor(rows.int(), columns.int(), names["a"].values(), (n, n))
    names["u"] = torch.sparse_coo_tensor(names["i"], names["x"], (n, n))
    if "many" in statement:
        names["many"], names["values"] = map(torch.from_numpy, many(n))
    torch.manual_seed(0)
    exec(EMBEDDING * ("embedding_step" in statement) + GCN * ("gcn_step" in statement), names)
    return names


def of_scipy(kind, n, statement):
    import scipy.sparse as sp

    made = members(kind, n)
    names = {name: made[name] for name in ("d16", "d128", "v", "rows", "i", "x")} | {"n": n, "coo": sp.coo_array}
    for name in "ab":
        rows, columns, values = made[name]
        at = sp.coo_array((values, (rows, columns)), shape=(n, n))
        names[name] = at.tocsr()
        names["ce"["ab".index(name)]] = at
    if "many" in statement:
        names["many"], names["values"] = many(n)
        names["coo"] = lambda places, values: sp.coo_array((values, (places[0], places[1])), shape=(n, n))
    return names


def worker(library, n, threads):
    """Reads cases, a line each, and answers with seconds, or why there are none."""
    import warnings

    warnings.simplefilter("ignore")
    timer = time.process_time if threads == 1 else time.perf_counter
    if library != "scipy":
        import torch

        torch.set_num_threads(threads)
    every = cases("")
    print(json.dumps(version(library)), flush=True)
    for line in sys.stdin:
        kind, texts = every[line.strip()]
        statement = texts[LIBRARIES.index(library)] if library != "torch" else texts[1] or texts[0]
        answer = None
        if statement:
            try:
                size = SMALL_ROWS if kind == "small" else n
                answer = least(statement, (of_scipy if library == "scipy" else of_torch)(kind, size, statement), timer)
            except Exception as error:  # what one library has not is a line of the table
                answer = f"{type(error).__name__}: {error}"[:100]
        print(json.dumps(answer), flush=True)


def version(library):
    if library == "scipy":
        import scipy

        return scipy.__version__
    import torch

    return torch.__version__


MEMORY = """
import resource, sys
sys.path.insert(0, {folder!r})
import sparse, torch
torch.set_num_threads(1)
def most():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
def shrink():  # what was only needed to draw the matrices does not count
    open("/proc/self/clear_refs", "w").write("5")
names = sparse.of_torch("uniform", {n}, {statement!r})
if "step" in {statement!r}:
    names["n"] = 0
    shrink()
    before = most()
    names["embedding_step"]()
    print((most() - before) / 2**20)
else:
    shrink()
    before = most()
    r = names["a"] @ names["b"]
    bytes_of = sum(t.numel() * t.element_size() for t in (r.crow_indices(), r.col_indices(), r.values()))
    print((most() - before) / bytes_of)
"""


def environment_of(library, threads):
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads)}
    environment.pop("PYTHONPATH", None)
    if library == "ours":
        environment["PYTHONPATH"] = str(OURS)
    return environment


def memory(library, python, n, statement):
    code = MEMORY.format(folder=str(HERE.parent), n=n, statement=statement)
    run = [python, "-c", code]
    done = subprocess.run(run, env=environment_of(library, 1), cwd="/", check=True, stdout=subprocess.PIPE)
    return float(done.stdout)


class Worker:
    """A library's process."""

    def __init__(self, library, python, options, threads):
        run = [python, str(HERE), "--worker", library, *options]
        self.process = subprocess.Popen(
            run, env=environment_of(library, threads), cwd="/", stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.version = json.loads(self.process.stdout.readline())

    def measured(self, case):
        self.process.stdin.write(case + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


def shown(time):
    return f"{time * 1e3:10.4f}" if isinstance(time, float) else f"{'-':>10}"


def row_of(case, found):
    """The report's line of one case, and prints it."""
    theirs = [found.get(library) for library in ("torch", "scipy")]
    numbers = [t for t in theirs if isinstance(t, float)]
    ours = found["ours"]
    row = {"name": case, **{library: took for library, took in found.items() if took is not None}}
    line = f"{case:28}{shown(ours)}{shown(theirs[0])}{shown(theirs[1])}"
    if isinstance(ours, float) and numbers:
        row["ratio"] = min(numbers) / ours
        if isinstance(theirs[0], float):
            row["ratio to torch"] = theirs[0] / ours
        line += f"{row['ratio']:8.2f}"
    print(line + (f"  {ours}" if isinstance(ours, str) else ""), flush=True)
    return row


def summary(rows):
    """{name: [geometric mean, least ratio]}, and prints it."""
    means = {}
    for key, name in (("ratio to torch", "PyTorch"), ("ratio", "the better")):
        known = [row[key] for row in rows if key in row]
        if known:
            means[name] = [math.exp(sum(map(math.log, known)) / len(known)), min(known)]
            print(f"{name}: {means[name][0]:.2f} times as fast (mean of {len(known)}), at least {means[name][1]:.2f}")
    return means


def least_of(before, took):
    return min(before, took) if isinstance(before, float) and isinstance(took, float) else took


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--ours", metavar="PYTHON", default=sys.executable, help="interpreter that imports our torch")
    parser.add_argument("--torch", metavar="PYTHON", help="interpreter that imports PyTorch")
    parser.add_argument("--scipy", metavar="PYTHON", help="interpreter that imports SciPy")
    parser.add_argument("--only", metavar="TEXT", default="", help="cases whose name contains this")
    parser.add_argument("--rows", type=int, default=10**5, help="of the matrices")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", metavar="FILE", help="also write what was measured there")
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.worker:
        return worker(asked.worker, asked.rows, asked.threads)
    options = ["--rows", str(asked.rows), "--threads", str(asked.threads)]
    pythons = {library: getattr(asked, library) for library in LIBRARIES if getattr(asked, library)}
    workers = {library: Worker(library, python, options, asked.threads) for library, python in pythons.items()}
    print(f"{'milliseconds':28}{'ours':>10}{'PyTorch':>10}{'SciPy':>10}{'ratio':>8}")
    rows = []
    for case in cases(asked.only):
        found = {}
        for _ in range(asked.rounds):
            for library, process in workers.items():
                found[library] = least_of(found.get(library), process.measured(case))
        rows.append(row_of(case, found))
    means = summary(rows)
    used = {}
    for library in pythons if not asked.only else ():
        if library != "scipy":
            used[library] = {
                "SpGEMM, times the result": memory(library, pythons[library], asked.rows, "a @ b"),
                "embedding step, MiB besides the table": memory(
                    library, pythons[library], asked.rows, "embedding_step()"
                ),
            }
            print(f"memory, {library}: {used[library]}")
    if asked.json:
        report.write(
            asked.json,
            {
                "machine": f"{report.processor()}, {os.cpu_count()} cores",
                "load": list(os.getloadavg()[:2]),
                "command": "python benchmarks/sparse.py --ours PYTHON --torch PYTHON --scipy PYTHON "
                f"--rounds {asked.rounds}",
                "threads": asked.threads,
                "versions": {library: process.version for library, process in workers.items()},
                "means": means,
                "memory": used,
                "rows": rows,
            },
        )
    return None


if __name__ == "__main__":
    main()
