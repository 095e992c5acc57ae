"""The programs of programs.py in this torch and in PyTorch 2.13, statement by statement.

PyTorch answers if TORCH_ORACLE names a Python that has it; else its recorded answers (data/programs.txt) are what there is.
"""

import collections
import functools
import json
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
RECORDED = HERE / "data" / "programs.txt"
KNOWN = HERE / "data" / "differing.txt"  # of those, the programs that are known to end differently here, and where
SEED = "recorded"  # of those that are recorded
_SECONDS = 60  # for one program


def _python(executable, *arguments, **how):
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH" or executable == sys.executable}
    command = [executable, "-B", "-W", "ignore", HERE / "programs.py", *map(str, arguments)]
    return subprocess.Popen(command, env=environment, cwd="/", text=True, stdout=subprocess.PIPE, **how)


def ask(executable, seed, first, last):
    """{number: words}; of a program that ends the process the word is "ends"."""
    found = {}
    while first < last:
        process = _python(executable, seed, first, last, stderr=subprocess.DEVNULL)
        try:
            text, _ = process.communicate(timeout=_SECONDS + (last - first))
        except subprocess.TimeoutExpired:
            process.kill()
            text, _ = process.communicate()
        for line in text.splitlines():
            number, *words = line.split()
            found[int(number)] = words
        first = max(found, default=first - 1) + 1 if text else first
        if first < last:
            found[first] = ["", "ends"]
            first += 1
    return found


def recorded():
    lines = RECORDED.read_text().splitlines()
    return dict(enumerate(line.split() for line in lines))


def known():
    """{number: the statement that differs}."""
    return {int(number): int(at) for number, at in map(str.split, KNOWN.read_text().splitlines())}


class Answers:
    """A process that tells what becomes of any program."""

    def __init__(self, executable):
        self.process = _python(executable, "-", stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self._answers = functools.lru_cache(maxsize=1000)(self._answer)

    def __call__(self, program):
        return self._answers(program)

    def _answer(self, program):
        self.process.stdin.write(json.dumps([program.tensors, program.statements]) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline() or '[["ends"], []]')


def difference(ours, theirs):
    """The number of the first statement that differs, or None. Where PyTorch's raises and has changed something, ours
    must raise the same and may not; what follows is not compared, nor is what is not defined."""
    for i, (mine, other) in enumerate(zip(ours, theirs, strict=False)):
        if other == "~":
            return None
        if mine.endswith("!") or mine[0] != other[0]:
            return i
        if other.endswith("!"):
            return None
        if mine != other:
            return i
    return None if len(ours) == len(theirs) else min(len(ours), len(theirs))


def smaller(program, ours, theirs):
    """The fewest statements that end in the same disagreement."""
    from fuzz.programs import Program

    def outcome(candidate):
        a, b = ours(candidate)[0], theirs(candidate)[0]
        at = difference(a, b)
        return None if at is None else (at, candidate.statements[at], a[at][0], b[at][0])

    at, *same = outcome(program)
    program = Program(program.tensors, program.statements[: at + 1])
    progress = True
    while progress:
        progress = False
        for candidate in program.smaller():
            found = outcome(candidate)
            if found and list(found[1:]) == same:
                program, progress = candidate, True
                break
    return program


def form(statement):
    return re.sub(r"\b[abcd]\b", "x", re.sub(r"-?\d+\.?\d*", "0", statement))


def explain(program, answers):
    words, steps = answers(program)
    return [f"{words[-1][:1]} {steps[-1][0]}", *(f"    {text}" for text in steps[-1][1])] if steps else words


def main(count, seed="0", first=0):
    first = int(first)
    from fuzz.programs import make

    oracle = os.environ.get("TORCH_ORACLE")
    if not oracle and (seed != SEED or first + count > len(recorded())):
        raise SystemExit(
            f"recorded are the answers to {len(recorded())} programs of seed {SEED}; for more, TORCH_ORACLE=…/python"
        )
    theirs = ask(oracle, seed, first, first + count) if oracle else recorded()
    ours = ask(sys.executable, seed, first, first + count)
    wrong = [n for n in range(first, first + count) if difference(ours[n][1:], theirs[n][1:]) is not None]
    statements = sum(len(theirs[n]) - 1 for n in range(first, first + count))
    raised = sum(word[0] != "." for n in range(first, first + count) for word in theirs[n][1:])
    print(
        f"{count} programs of {statements} statements, of which {raised} raise; "
        f"{count - len(wrong)} as in PyTorch ({100 * (1 - len(wrong) / count):.2f} %)",
        flush=True,
    )
    expected = known() if seed == SEED else {}
    gone = [n for n in range(first, first + count) if n in expected and n not in wrong]
    if gone:
        print(f"no longer different, to be taken out of {KNOWN.name}: {gone}")
    wrong = [n for n in wrong if expected.get(n) != difference(ours[n][1:], theirs[n][1:])]
    groups = collections.defaultdict(list)
    mine, other = Answers(sys.executable), Answers(oracle) if oracle else None
    for n in wrong:
        program = make(n, seed)
        at = difference(ours[n][1:], theirs[n][1:])
        if ours[n][0] and ours[n][0] != theirs[n][0]:
            print(f"program {n} of seed {seed} is another than the recorded one: python tests/fuzz record")
            continue
        what = "ends" if ours[n][1:] == ["ends"] else f"{ours[n][1:][at][:1]} for {theirs[n][1:][at][:1]}"
        groups[what, form(program.statements[at])].append(n)
    for (what, _), numbers in sorted(groups.items(), key=lambda item: (-len(item[1]), item[0])):
        n = numbers[0]
        program = make(n, seed)
        print(f"{len(numbers)} times {what}: program {n} of seed {seed}")
        if other and what != "ends":
            program = smaller(program, mine, other)
        print(f"    {program}")
        if what != "ends":
            print(*(f"  ours   {line}" for line in explain(program, mine)), sep="\n")
        if other:
            print(*(f"  theirs {line}" for line in explain(program, other)), sep="\n", flush=True)
    return 1 if wrong or gone else 0


def record(count):
    """Writes the answers of the PyTorch that TORCH_ORACLE names, and which of them are others here."""
    theirs, ours = (ask(python, SEED, 0, count) for python in (os.environ["TORCH_ORACLE"], sys.executable))
    RECORDED.parent.mkdir(exist_ok=True)
    RECORDED.write_text("".join(" ".join(theirs[n]) + "\n" for n in range(count)))
    places = [(n, difference(ours[n][1:], theirs[n][1:])) for n in range(count)]
    KNOWN.write_text("".join(f"{n} {at}\n" for n, at in places if at is not None))
