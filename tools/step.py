"""Runs one step of a build: all it prints into a log, progress on the screen, and an honest end.

    done = step.run("build_deps", ["cmake", "--build", "build"], log=Path("build/logs/build_deps.log"))
    print(done.seconds, done.edges)   # edges: how many commands ninja ran, 0 when nothing was to do

A step that fails raises StepFailed, whose last lines are the command, the log and the first error in it: the
hundred lines that other compilers wrote meanwhile stay in the log. `python -m tools.step LOG` finds it again.
"""

from __future__ import annotations

import codecs
import contextlib
import functools
import itertools
import locale
import os
import re
import selectors
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

# How ninja is told to begin each line about a command, and how such a line is found again. The seconds make
# it unlike what compilers print; ninja writes one such line per command when its output is no terminal.
NINJA_STATUS = "[%f/%t %es] "
STATUS = re.compile(r"\[(\d+)/(\d+) +[\d.]+s\] (.*)")
GLOBS = re.compile(r"^Re-checking globbed directories|/VerifyGlobs\.cmake\b")

# Colours and cursor movements, and the hyperlinks that GCC puts around warning options.
ESCAPES = re.compile(r"\x1b\[[0-9;:?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)")

SILENT = 0.2  # seconds: a step that ran no command and took less is not worth a line
REFRESH = 0.1  # seconds between two looks at the clock
GRACE = 2.0  # seconds that an interrupted step has to clean up, before and after SIGTERM


@dataclass(frozen=True)
class Done:
    seconds: float
    edges: int  # commands that ninja ran


class StepFailed(Exception):
    """A step did not succeed. `lines` is the whole message; it ends with the command, the log and `error`."""

    def __init__(self, what: str, command: str, log: Path, error: Sequence[str]):
        self.command, self.log, self.error = command, log, tuple(error)
        self.lines = (what, f"command: {command}", f"log: {log}", *error)
        super().__init__("\n".join(self.lines))


# ---- the first error of a log

# One line that says it all, as compilers, nvcc, drivers and Python write it ("a.cpp:1:2: error: …",
# "g++: fatal error: …", "SyntaxError: …"). The first wins, but for collect2's: it only says that ld has one.
ERROR = re.compile(
    r"""^(?!collect2:)\S.*?:\ (?:fatal\ error|internal\ compiler\ error|error):\s
      | (?:undefined\ reference\ to|multiple\ definition\ of)\b
      | ^\S*\bld(?:\.\w+)?:\ (?!warning|NOTE|.*:\ warning|.*:\ in\ function|.*\ skipping\ incompatible)
      | ^(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception):\s
      | ^ninja:\ (?:error|fatal):\ """,
    re.VERBOSE,
)
CMAKE = re.compile(r"CMake Error(?: at |: | \()")
TRACEBACK = "Traceback (most recent call last):"
CHAINED = ("During handling of the above exception", "The above exception was the direct cause")
# "a.h: In function …", "required from here": what stands above an error and explains it.
LED_TO = re.compile(r"^In file included| from |: [Ii]n |: note: ")
CONTEXT = 6  # lines shown before an error, which say where it was instantiated or included from
LENGTH = 12  # lines shown of an error that has many


def plain(text: str) -> str:
    """A line without colours, and of a line that was rewritten only what stood there last."""
    return ESCAPES.sub("", text).rstrip().rpartition("\r")[2]


def cmake_error(lines: list[str], start: int) -> list[str]:
    """CMake's message: its first line and the indented ones below."""
    found = [lines[start]]
    for line in lines[start + 1 :]:
        if line and not line.startswith("  ") or line.startswith("Call Stack"):
            break
        if line:
            found.append(line)
    return found[:LENGTH]


def python_error(lines: list[str], start: int) -> list[str]:
    """Where an exception was raised and what it says; of a chain of them the last, which ended it all."""
    where: list[str] = []
    for number in range(start + 1, len(lines)):
        line = lines[number]
        if line.startswith("  File "):
            where = [line]
        elif line and not line[0].isspace():
            following = [text for text in lines[number + 1 :] if text]
            if following and following[0].startswith(CHAINED):
                if TRACEBACK in lines[number:]:
                    return python_error(lines, lines.index(TRACEBACK, number))
            return [*where, line]
    return where or [lines[start]]


def recognised(lines: list[str]) -> list[str]:
    """The first error in a known form, with the lines that led to it; empty where there is none."""
    for number, line in enumerate(lines):
        if CMAKE.match(line):
            return cmake_error(lines, number)
        if line == TRACEBACK:
            return python_error(lines, number)
        if ERROR.search(line):
            before: list[str] = []
            for earlier in reversed(lines[max(number - CONTEXT, 0) : number]):
                if STATUS.match(earlier) or not LED_TO.search(earlier):
                    break
                before.insert(0, earlier)
            killed = "; it was killed: out of memory? MAX_JOBS says how many run at a time"
            return [*before, line + (killed if "Killed signal" in line else "")]
    return []


def last(lines: list[str]) -> list[str]:
    return [line for line in lines if line][-LENGTH:]


def first_error(text: str) -> list[str]:
    """The lines of a log that say why the step failed; the last lines where none looks like an error."""
    lines = [plain(line) for line in text.split("\n")]
    failed = next((n for n, line in enumerate(lines) if line.startswith("FAILED: ")), None)
    if failed is None:
        return recognised(lines) or last(lines)
    # "FAILED: target", the command, then what the command printed. Only that is searched: what a command that
    # succeeded has printed is no reason, even where it looks like one.
    output = list(
        itertools.takewhile(lambda line: not (STATUS.match(line) or line.startswith("ninja: ")), lines[failed + 2 :])
    )
    # Nothing printed: the command had the terminal to itself (CMake, run by ninja), its words come earlier.
    found = recognised(output) or last(output) or recognised(lines) or last(lines[failed:])
    return found if lines[failed] in found else [lines[failed], *found]


def printed(log: Path) -> str:
    """What the command of a log has printed: all but the first line."""
    return log.read_text(encoding="utf-8", errors="replace").partition("\n")[2]


# ---- progress


def clock(seconds: float) -> str:
    minutes, seconds = divmod(int(seconds), 60)
    return f"{minutes:02}:{seconds:02}" if minutes < 60 else f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"


def about(seconds: float) -> str:
    """An estimate as vague as it deserves: "about 40 s", "about 3 min"."""
    return f"about {max(round(seconds / 5) * 5, 5)} s" if seconds < 90 else f"about {round(seconds / 60)} min"


def compiled(description: str) -> str:
    """What CMake's description of a command is about: the source, the library, or the description itself."""
    if match := re.match(r"Building \w+ object (.*?)(?:\.o)?$", description):
        return os.path.basename(match[1])
    if match := re.match(r"Linking \w+ (?:static |shared )?(?:library|module|executable) (.*)", description):
        return f"linking {os.path.basename(match[1])}"
    return description


class Screen:
    """What a step shows: its output (verbose), a line that is rewritten (terminal), two lines, or nothing."""

    def __init__(self, name: str, *, verbose: bool, quiet: bool):
        self.name, self.verbose = name, verbose
        self.progress = not verbose and not quiet
        self.stream = sys.stderr
        self.terminal = self.stream.isatty() and os.environ.get("TERM") != "dumb"
        self.start = self.base = time.monotonic()
        self.edges = self.finished = self.total = 0
        self.current = ""
        self.shown = ""

    def write(self, text: str) -> None:
        """Writes to the screen; one that is closed (`| head`) is no reason to stop a build."""
        with contextlib.suppress(OSError, ValueError):
            self.stream.write(text)
            self.stream.flush()

    def line(self, text: str) -> None:
        """Counts what ninja says it has done; that CMake looks for new files first is no work."""
        if not (match := STATUS.match(plain(text))) or GLOBS.search(match[3]):
            return
        finished, self.total, self.current = int(match[1]), int(match[2]), compiled(match[3])
        if finished < self.finished:  # ninja began anew, after it had CMake write build.ninja again
            self.base = time.monotonic()
        self.finished = finished
        self.edges += 1

    def text(self) -> str:
        now = time.monotonic()
        parts = [self.name]
        if self.total:
            parts += [f"[{self.finished}/{self.total}] {self.current}"]
        left = ""
        if self.finished >= 3 and now - self.base > 1:
            left = f", {about((now - self.base) * (self.total - self.finished) / self.finished)} to go"
        return "  ".join([*parts, clock(now - self.start) + left])

    def fit(self, text: str) -> str:
        """Cut in its middle, so that the time at its end stays visible, to what fits on one line."""
        try:
            width = os.get_terminal_size(self.stream.fileno()).columns
        except (OSError, ValueError, AttributeError):
            width = shutil.get_terminal_size().columns
        width = max((width or 80) - 1, 20)  # 0: a terminal that was never told its size
        if len(text) <= width:
            return text
        tail = text.rpartition("  ")[2]
        return text[: max(width - len(tail) - 3, 0)] + "…  " + tail[-(width - 3) :]

    def tick(self) -> None:
        if not self.progress or (not self.edges and time.monotonic() - self.start < SILENT):
            return
        if self.terminal:
            text = self.fit(self.text())
            if text != self.shown:
                self.write(f"\r{text}\x1b[K")
                self.shown = text
        elif not self.shown:
            self.shown = f"{self.name} …"
            self.write(self.shown + "\n")

    def end(self, *, success: bool) -> None:
        if not self.progress:
            return
        if self.terminal and self.shown:
            self.write("\r\x1b[K")
        seconds = time.monotonic() - self.start
        if not success or (not self.edges and seconds < SILENT):
            return
        count = f"{self.edges} command{'s'[: self.edges != 1]}, " if self.edges else ""
        self.write(f"{self.name}  {count}{clock(seconds) if seconds >= 10 else f'{seconds:.1f} s'}\n")


# ---- processes


@functools.cache
def english() -> str:
    """The locale that programs run in: the first error is found by its words, which have to be English ones.

    Where the C library has no C.UTF-8 (that of nix/pkgs), bash would warn of it above each command's output.
    """
    before = locale.setlocale(locale.LC_CTYPE)
    try:
        return locale.setlocale(locale.LC_CTYPE, "C.UTF-8")
    except locale.Error:
        return "C"
    finally:
        locale.setlocale(locale.LC_CTYPE, before)


def members(session: int) -> list[int]:
    """The living processes of a session, from /proc. A compiler that ninja started has a process group of its
    own, so the session is what all that a step started have in common."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # ended meanwhile
            # "pid (name) state parent group session …"; the name may hold blanks and parentheses.
            fields = (folder / "stat").read_text(errors="replace").rpartition(")")[2].split()
            if int(fields[3]) == session and fields[0] not in "ZX":
                found.append(int(folder.name))
    return found


def stop(process: subprocess.Popen) -> None:
    """Ends a step and everything that it started: first as Ctrl-C would, so that ninja removes half-written
    files, then with less and less patience. Returns when nothing is left."""
    try:
        # What is left of a step that has ended by itself has nobody to wait for.
        for number in (signal.SIGTERM,) if process.poll() is not None else (signal.SIGINT, signal.SIGTERM):
            if not (left := members(process.pid)) and process.poll() is not None:
                return
            for member in left:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(member, number)
            deadline = time.monotonic() + GRACE
            while time.monotonic() < deadline and (process.poll() is None or members(process.pid)):
                time.sleep(0.02)
    finally:  # a second Ctrl-C comes here at once
        process.poll()
        while left := members(process.pid):
            for member in left:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(member, signal.SIGKILL)
            process.poll()
            time.sleep(0.01)
        process.wait()


@contextlib.contextmanager
def ended_as_interrupted() -> Iterator[None]:
    """SIGTERM and SIGHUP raise SystemExit here, so that they too end what the step has started."""

    def leave(number: int, _frame: object) -> None:
        raise SystemExit(128 + number)

    replaced = []
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) is signal.SIG_DFL:
                signal.signal(number, leave)
                replaced.append(number)
    try:
        yield
    finally:
        for number in replaced:
            signal.signal(number, signal.SIG_DFL)


def cannot_start(error: OSError, command: Sequence[str], cwd: Path) -> str:
    """Which program or folder kept a command from starting."""
    if not cwd.is_dir():
        return f"no such folder to run it in: {cwd}"
    if isinstance(error, FileNotFoundError):
        where = "" if os.sep in command[0] else " on PATH"
        return f"no such program{where}: {command[0]}"
    return f"cannot run {command[0]}: {error.strerror}"


def follow(process: subprocess.Popen, log, screen: Screen) -> None:
    """Copies what a process prints until it has ended and nothing more comes."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    pending = ""
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while True:
            if selector.select(REFRESH):
                data = os.read(process.stdout.fileno(), 1 << 16)
                log.write(data)
                text = decoder.decode(data, final=not data)
                if screen.verbose:
                    screen.write(text)
                *lines, pending = (pending + text).split("\n")
                for line in lines:
                    screen.line(line)
                if not data:
                    screen.line(pending)
                    break
            elif process.poll() is not None:
                screen.line(pending)
                break  # a server that the step left behind (a compiler cache's) keeps the pipe open
            screen.tick()
    while process.poll() is None:  # it closed its output and works on
        screen.tick()
        time.sleep(REFRESH / 10)


def run(
    name: str,
    command: Sequence[str | os.PathLike],
    *,
    log: str | os.PathLike,
    cwd: str | os.PathLike | None = None,
    env: Mapping[str, str] | None = None,
    verbose: bool = False,
    quiet: bool = False,
) -> Done:
    """Runs one command to its end; says how long it took and how many commands ninja ran for it.

    log      receives the command, its folder and then all it prints; written anew
    env      its whole environment, instead of this process'
    verbose  copies all it prints to stderr; otherwise stderr shows progress, or with `quiet` nothing

    StepFailed where the command cannot start or ends with another status than 0. Whatever else ends this
    function (Ctrl-C, SIGTERM) first ends every process that the command has started.
    """
    arguments = [os.fspath(argument) for argument in command]
    if not arguments:
        raise ValueError(f"step {name!r}: the command is empty")
    folder, log = Path(cwd or ".").absolute(), Path(log).absolute()
    written = shlex.join(arguments)
    environment = dict(os.environ if env is None else env)
    environment |= {"NINJA_STATUS": NINJA_STATUS, "LC_ALL": english()}
    log.parent.mkdir(parents=True, exist_ok=True)
    with open(log, "wb", buffering=0) as file, ended_as_interrupted():
        file.write(f"(cd {shlex.quote(str(folder))} && {written})\n".encode(errors="surrogateescape"))
        screen = Screen(name, verbose=verbose, quiet=quiet)
        try:
            process = subprocess.Popen(
                arguments,
                cwd=folder,
                env=environment,
                start_new_session=True,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
            )
        except OSError as error:
            reason = cannot_start(error, arguments, folder)
            file.write(f"{reason}\n".encode(errors="surrogateescape"))
            raise StepFailed(f"{name} could not start", written, log, [reason]) from error
        success = False
        try:
            follow(process, file, screen)
            success = process.returncode == 0
        finally:
            if not success:
                stop(process)  # after a failure too: a killed ninja leaves its compilers behind
            process.stdout.close()
            screen.end(success=success)
        seconds = time.monotonic() - screen.start
    if not success:
        status = process.returncode
        how = f"with status {status}" if status > 0 else f"by signal {-status} ({signal.strsignal(-status)})"
        raise StepFailed(
            f"{name} failed {how} after {clock(seconds)}",
            written,
            log,
            first_error(printed(log)) or ["it printed nothing"],
        )
    return Done(seconds, screen.edges)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m tools.step LOG: prints the first error of a log")
    print("\n".join(first_error(printed(Path(sys.argv[1])))))
