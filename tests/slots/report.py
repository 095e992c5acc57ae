"""Which rows of kernels no operator has called: python report.py COUNTS SLOTS.json…

COUNTS is the folder in which counting.py has counted. Fails where a slot was never called that uncalled.toml does not
list, and where one that it lists was called or does not exist. That some dtype of a slot was never called is said, and no
failure.
"""

import json
import pathlib
import sys
import tomllib

try:
    from . import counting
except ImportError:  # run as a program
    import counting

EXCEPTIONS = pathlib.Path(__file__).parent / "uncalled.toml"


def exceptions(backend, file=EXCEPTIONS):
    """{slot: reason}"""
    listed = {}
    for group in tomllib.loads(pathlib.Path(file).read_text()).get(backend, []):
        for slot in group["slots"]:
            if slot in listed:
                raise ValueError(f"{file} lists {slot} of {backend} twice")
            listed[slot] = group["reason"]
    return listed


def compare(slots, counts, allowed):
    """(what is wrong, what is good to know), lines of text. counts: {C function: how often it was called}"""
    backend, rows = slots["backend"], slots["slots"]
    called = {slot for slot, row in rows.items() if any(counts[f] for f in row)}
    uncalled = [slot for slot in rows if slot not in called | allowed.keys()]
    wrong = [f"{backend}: no operator has called {', '.join(uncalled)}"] if uncalled else []
    for slot in allowed:
        if slot not in rows:
            wrong.append(f"{backend}: uncalled.toml lists {slot}, which has no row")
        elif slot in called:
            wrong.append(f"{backend}: uncalled.toml lists {slot}, which has been called")
    never = {slot: [d for f, d in rows[slot].items() if not counts[f]] for slot in rows if slot in called}
    known = [f"{backend}: {slot} was never called for {', '.join(dtypes)}" for slot, dtypes in never.items() if dtypes]
    functions = sum(map(len, rows.values()))
    known.append(
        f"{backend}: {sum(counts.values())} calls of {sum(map(bool, counts.values()))} of {functions} kernels; "
        f"operators have called {len(called)} of {len(rows)} slots, {len(allowed)} are listed in uncalled.toml"
    )
    return wrong, known


def main(folder, *tables):
    failed = []
    for table in tables:
        slots = json.loads(pathlib.Path(table).read_text())
        counts = dict(zip(counting.functions_of(slots), counting.counters_of(slots, folder).tolist(), strict=True))
        wrong, known = compare(slots, counts, exceptions(slots["backend"]))
        failed += wrong
        print("\n".join(known))
    if failed:
        sys.exit("\n".join(failed))


if __name__ == "__main__":
    main(*sys.argv[1:])
