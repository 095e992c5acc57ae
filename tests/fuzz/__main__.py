"""Random inputs for torch, in child processes, so that a crash or a hang is a finding and not the end.

    python tests/fuzz files COUNT [SEED [FIRST]]   torch.load (files.py)
    python tests/fuzz calls COUNT [SEED [FIRST]]   every function, method, index and constructor (calls.py)
    python tests/fuzz programs COUNT [SEED [FIRST]]   programs of several statements, against PyTorch's answers (programs.py)
    python tests/fuzz record COUNT                 writes PyTorch's answers to the first programs (agreement.py)

An input is made by its number and the seed alone. A finding is printed with both, and a call as a line of Python, made
as small as it gets. Exits with 1 if there was one.
"""

import collections
import faulthandler
import mmap
import os
import pathlib
import re
import resource
import signal
import struct
import sys
import tempfile
import time
import warnings

sys.path[0] = str(pathlib.Path(__file__).parent.parent)

CPU_SECONDS, WALL_SECONDS = 10, 300  # for one input; the machine may be busy with other things
MEMORY = 2**29  # beyond what the process has
if "asan" in os.environ.get("LD_PRELOAD", ""):
    MEMORY *= 4  # it keeps freed blocks for a while, and maps before it uses
    CPU_SECONDS *= 12  # a report with names and lines takes long
BATCH = 20_000  # inputs of one child: what leaks shows in the next ones' memory limit


def warm_up():
    """OpenBLAS takes its memory the first time, and where there is none it asks again for ever."""
    import torch

    a = torch.ones(64, 64)
    torch.mm(a, a)


class Child:
    """A forked process that works through inputs and says where it is in memory that it shares with us."""

    def __init__(self, work):
        self.place = mmap.mmap(-1, 16)
        self.output = tempfile.TemporaryFile()  # noqa: SIM115 - closed by collect
        self.pid = os.fork()
        if self.pid:
            return
        status = 1
        try:
            os.dup2(self.output.fileno(), 1)
            os.dup2(self.output.fileno(), 2)
            faulthandler.enable()
            warm_up()
            now = int(pathlib.Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
            resource.setrlimit(resource.RLIMIT_AS, (now + MEMORY, now + MEMORY))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            work(self)
            sys.stdout.flush()
            status = 0
        except BaseException:  # noqa: BLE001 - the end of the process
            import traceback

            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(status)

    def at(self, number):
        """In the child: works on this input now."""
        struct.pack_into("<q", self.place, 0, number)

    def number(self):
        return struct.unpack_from("<q", self.place, 0)[0]

    def _cpu(self):
        fields = pathlib.Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def collect(self):
        """Waits. Returns (None or why it ended early, what it printed)."""
        number, cpu, wall = -1, 0.0, time.monotonic()
        pause = 0.001
        while True:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                break
            if self.number() != number:
                number, cpu, wall = self.number(), self._cpu(), time.monotonic()
            elif self._cpu() - cpu > CPU_SECONDS or time.monotonic() - wall > WALL_SECONDS:
                os.kill(self.pid, signal.SIGKILL)
                os.waitpid(self.pid, 0)
                status = "hangs"
                break
            time.sleep(pause)
            pause = min(2 * pause, 0.1)
        self.output.seek(0)
        text = self.output.read().decode(errors="replace")
        self.output.close()
        if status == "hangs":
            return status, text
        code = os.waitstatus_to_exitcode(status)
        return (
            None if code == 0 else f"crashes with {signal.Signals(-code).name}" if code < 0 else f"exits with {code}"
        ), text


def work_on(kind, first, last, seed):
    """In the child: these inputs. Findings and counts go to standard output, a line each."""

    def files(child):
        from fuzz import files as module

        loaded = 0
        for number in range(first, last):
            child.at(number)
            try:
                loaded += module.run(1, seed, number)
            except AssertionError as error:
                print(f"FINDING {number} {error}")
        print(f"COUNT loaded {loaded}")
        print(f"COUNT refused {last - first - loaded}")

    def calls(child):
        from fuzz import calls as module

        counts = collections.Counter()
        for number in range(first, last):
            child.at(number)
            end, wrong = module.run(module.make(number, seed))
            counts[end] += 1
            if wrong:
                print(f"FINDING {number} {wrong}".replace("\n", " ")[:300], flush=True)
        for end, count in counts.items():
            print(f"COUNT {end} {count}")

    return {"files": files, "calls": calls}[kind]


def one(call):
    """What happens to one call, in a child of its own."""
    from fuzz import calls

    early, text = Child(lambda child: print("WRONG", calls.run(call)[1])).collect()
    if early:
        return early
    return next((line[6:] for line in text.splitlines() if line.startswith("WRONG")), "")


def shrink(number, seed, wrong):
    """The smallest call that ends in the same way."""
    from fuzz import calls

    call, tries, same = calls.make(number, seed), 0, " ".join(wrong.split()[:2])
    progress = True
    while progress and tries < 150:
        progress = False
        for candidate in calls.simpler(call):
            tries += 1
            if " ".join(one(candidate).split()[:2]) == same:
                call, progress = candidate, True
                break
    return call


def main(kind, count, seed=0, first=0):
    warnings.simplefilter("ignore")
    start, number, end = time.monotonic(), first, first + count
    counts, findings = collections.Counter(), {}
    while number < end:
        last = min(number + BATCH, end)
        child = Child(work_on(kind, number, last, seed))
        early, text = child.collect()
        found = []
        for line in text.splitlines():
            word, _, rest = line.partition(" ")
            if word == "FINDING":
                found.append((int(rest.partition(" ")[0]), rest.partition(" ")[2], ""))
            elif word == "COUNT":
                counts[rest.rpartition(" ")[0]] += int(rest.rpartition(" ")[2])
        if early:
            last = child.number() + 1
            # AddressSanitizer's operator new cannot throw std::bad_alloc, which Python would see as MemoryError.
            if "AddressSanitizer: allocation-size-too-big" in text or "AddressSanitizer: out of memory" in text:
                counts["MemoryError"] += 1
            else:
                found.append((child.number(), early, text[-6000:]))
        for at, wrong, output in found:
            from fuzz import calls

            # The same call failing the same way is one finding, and so is the same place in a sanitizer's report.
            report = re.search(r"\S+: runtime error: .*|SUMMARY: .*|\n +#0 .*", output)
            same = calls.make(at, seed).text if kind == "calls" else at
            key = report[0] if report else (same, " ".join(wrong.split()[:4]))
            findings[key] = findings.get(key, 0) + 1
            if findings[key] == 1:
                print(f"input {at} of seed {seed}: {wrong}", flush=True)
                if kind == "calls":
                    print(f"    {calls.make(at, seed) if wrong == 'hangs' else shrink(at, seed, wrong)}", flush=True)
                print(
                    "".join(f"        {line}\n" for line in output.splitlines() if "FINDING" not in line),
                    end="",
                    flush=True,
                )
        number = last
        print(
            f"{number - first} inputs, {dict(sorted(counts.items()))}, {len(findings)} findings, {time.monotonic() - start:.0f} s",
            flush=True,
        )
    return 1 if findings else 0


if __name__ == "__main__":
    faulthandler.enable()
    if sys.argv[1] in ("programs", "record"):
        from fuzz import agreement

        count, *rest = sys.argv[2:]
        sys.exit(agreement.record(int(count)) if sys.argv[1] == "record" else agreement.main(int(count), *rest))
    sys.exit(main(sys.argv[1], *map(int, sys.argv[2:])))
