"""Time per call of what sparse tensors do: our library, PyTorch and SciPy.

    python benchmarks/sparse.py --ours PYTHON --torch PYTHON [--scipy PYTHON] [--only SpMM] [--rounds 3] [--threads 1]
        [--rows 100000] [--json FILE]

Each library runs in processes of its own, one after the other, `--rounds` times; the least time of each case counts. A ratio
is that of the better of PyTorch and SciPy to ours: above 1 ours is faster. The processor's time counts, not that of others who
want it; with several threads, the clock's. SciPy needs an interpreter that has it. The matrices are drawn by NumPy from one seed:
uniform (10 entries a row), power-law (rows of very different lengths, 10 in the mean, the longest of thousands) and banded (11 a
row).
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

HERE = pathlib.Path(__file__).resolve()
OURS = HERE.parent.parent
KINDS = ("uniform", "power law", "banded")

# {case: (what is timed of torch, the same of SciPy or "")}. a, b: CSR matrices; c: a by coordinates; of SciPy likewise.
PRODUCTS = {
    "SpMV": ("a @ v", "a @ v"),
    "SpMM 16": ("a @ d16", "a @ d16"),
    "SpMM 128": ("a @ d128", "a @ d128"),
    "SpGEMM": ("a @ b", "a @ b"),
}
OTHERS = {
    "coalesce of 10^7": ("torch.sparse_coo_tensor(many, values, (n, n)).coalesce()", "coo(many, values).tocsr()"),
    "COO to CSR": ("c.to_sparse_csr()", "c.tocsr()"),
    "CSR to CSC": ("a.to_sparse_csc()", "a.tocsc()"),
    "transpose": ("c.t().coalesce()", "c.T.tocsr()"),
    "add": ("a + b", "a + b"),
    "rows": ("c.index_select(0, rows)", "a[rows]"),
    "softmax": ("torch.sparse.softmax(c, 1)", ""),
    "sampled_addmm": ("torch.sparse.sampled_addmm(a, d16, t16, beta=0)", ""),
    "embedding step": ("embedding_step()", ""),
    "GCN step": ("gcn_step()", ""),
}


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
    found = {f"{name}, {kind}": (kind, texts) for name, texts in PRODUCTS.items() for kind in KINDS}
    found |= {name: ("uniform", texts) for name, texts in OTHERS.items()}
    return {name: case for name, case in found.items() if only in name}


def least(statement, names, timer):
    """Seconds for one call: the least of several of at least a second in all."""
    clock = timeit.Timer(statement, globals=names, timer=timer)
    took = clock.timeit(1)
    found = [took]
    start = time.perf_counter()
    while len(found) < 3 or (len(found) < 50 and time.perf_counter() - start < 1):
        found.append(clock.timeit(1))
    return min(found)


def members(kind, n):
    """{name: array} that a kind's cases need."""
    import numpy as np

    rng = np.random.default_rng(0)
    made = {}
    for name in "ab":
        rows, columns = drawn(kind, n, rng)
        made[name] = (rows, columns, rng.standard_normal(rows.size).astype(np.float32))
    for width in (16, 128):
        made[f"d{width}"] = rng.standard_normal((n, width)).astype(np.float32)
    made["v"] = rng.standard_normal(n).astype(np.float32)
    made["rows"] = rng.permutation(n)[: n // 10]
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
            if name == "a":
                names["c"] = at
        else:
            names[name] = torch.from_numpy(array)
    names["t16"] = names["d16"].t()
    if "many" in statement:
        names["many"], names["values"] = map(torch.from_numpy, many(n))
    torch.manual_seed(0)
    exec(EMBEDDING * ("embedding_step" in statement) + GCN * ("gcn_step" in statement), names)
    return names


def of_scipy(kind, n, statement):
    import scipy.sparse as sp

    made = members(kind, n)
    names = {name: made[name] for name in ("d16", "d128", "v", "rows")}
    for name in "ab":
        rows, columns, values = made[name]
        at = sp.coo_array((values, (rows, columns)), shape=(n, n))
        names[name] = at.tocsr()
        if name == "a":
            names["c"] = at
    if "many" in statement:
        names["many"], names["values"] = many(n)
        names["coo"] = lambda places, values: sp.coo_array((values, (places[0], places[1])), shape=(n, n))
    return names


def worker(library, only, n, threads):
    """Prints {case: seconds, or why there is none}."""
    import warnings

    warnings.simplefilter("ignore")
    timer = time.process_time if threads == 1 else time.perf_counter
    if library != "scipy":
        import torch

        torch.set_num_threads(threads)
    found = {}
    for name, (kind, texts) in cases(only).items():
        statement = texts[library == "scipy"]
        if not statement:
            continue
        try:
            made = (of_scipy if library == "scipy" else of_torch)(kind, n, statement)
            found[name] = least(statement, made, timer)
        except Exception as error:  # what one library has not is a line of the table
            found[name] = f"{type(error).__name__}: {error}"[:100]
    print(json.dumps(found))


def measured(library, python, options, threads):
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads)}
    if library == "ours":
        environment["PYTHONPATH"] = str(OURS)
    elif library == "torch":
        environment.pop("PYTHONPATH", None)
    run = [python, str(HERE), "--worker", library, *options]
    return json.loads(subprocess.run(run, env=environment, cwd="/", check=True, stdout=subprocess.PIPE).stdout)


def shown(time):
    return f"{time * 1e3:10.3f}" if isinstance(time, float) else f"{'-':>10}"


def table(best):
    """Prints the table; returns {case: [ratio to PyTorch, ratio to the better one]}."""
    print(f"{'milliseconds':28}{'ours':>10}{'PyTorch':>10}{'SciPy':>10}{'ratio':>8}")
    ratios = {}
    for case, ours in best["ours"].items():
        theirs = [best[library].get(case) for library in ("torch", "scipy")]
        numbers = [t for t in theirs if isinstance(t, float)]
        line = f"{case:28}{shown(ours)}{shown(theirs[0])}{shown(theirs[1])}"
        if isinstance(ours, float) and numbers:
            ratios[case] = [t / ours if isinstance(t, float) else None for t in (theirs[0], min(numbers))]
            line += f"{ratios[case][1]:8.2f}"
        print(line + (f"  {ours}" if isinstance(ours, str) else ""))
    for place, name in enumerate(("PyTorch", "the better")):
        known = [pair[place] for pair in ratios.values() if pair[place]]
        if known:
            mean = math.exp(sum(map(math.log, known)) / len(known))
            print(f"{name}: {mean:.2f} times as fast (geometric mean of {len(known)}), at least {min(known):.2f}")
    return ratios


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
        return worker(asked.worker, asked.only, asked.rows, asked.threads)
    options = ["--only", asked.only, "--rows", str(asked.rows), "--threads", str(asked.threads)]
    best = {"ours": {}, "torch": {}, "scipy": {}}
    for _ in range(asked.rounds):
        for library in best:
            python = getattr(asked, library)
            if not python:
                continue
            for case, took in measured(library, python, options, asked.threads).items():
                before = best[library].get(case, took)
                best[library][case] = min(took, before) if isinstance(took, float) else took
    ratios = table(best)
    if asked.json:
        pathlib.Path(asked.json).write_text(json.dumps({"seconds": best, "ratios": ratios}, indent=1) + "\n")
    return None


if __name__ == "__main__":
    main()
