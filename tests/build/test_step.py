"""Running a step: the log, the progress, the first error, and that nothing outlives an interruption."""

import io
import os
import shlex
import shutil
import signal
import subprocess
import sys
import textwrap
import time

import pytest

from tools import step
from tools.step import StepFailed, first_error

ninja = pytest.mark.skipif(not shutil.which("ninja"), reason="needs ninja")


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def log(tmp_path):
    return tmp_path / "logs" / "step.log"  # its folder does not exist yet


def shell(script, log, **options):
    return step.run("demo", ["sh", "-c", script], log=log, **options)


def failure(command, log, **options):
    with pytest.raises(StepFailed) as error:
        step.run("demo", command, log=log, quiet=True, **options)
    assert str(error.value) == "\n".join(error.value.lines)
    return error.value


def graph(folder, rules):
    """A build.ninja whose edges run shell commands: {output: command}."""
    text = "rule run\n  command = $do\n  description = Building CXX object demo.dir/$out.o\n"
    for output, command in rules.items():
        text += f"build {output}: run\n  do = {command}\n"
    (folder / "build.ninja").write_text(text)


# ---- the log


def test_the_log_has_the_command_its_folder_and_everything_printed(log, tmp_path, capfd):
    folder = tmp_path / "a b"
    folder.mkdir()
    script = "echo out; echo err >&2; printf '\\377end'; pwd"
    done = shell(script, log, cwd=folder, quiet=True)
    first, rest = log.read_bytes().split(b"\n", 1)
    assert first.decode() == f"(cd '{folder}' && {shlex.join(['sh', '-c', script])})"
    assert rest == b"out\nerr\n\xffend" + os.fsencode(folder) + b"\n"
    assert done.edges == 0 and 0 < done.seconds < 60
    assert capfd.readouterr() == ("", "")


def test_a_log_is_written_anew(log):
    shell("echo one", log, quiet=True)
    shell("echo two", log, quiet=True)
    assert log.read_text().splitlines()[1:] == ["two"]


def test_the_environment_is_the_one_given_and_programs_speak_english(log, monkeypatch):
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    monkeypatch.setenv("FROM_OUTSIDE", "yes")
    shell("echo $LC_ALL $FROM_OUTSIDE", log, quiet=True)
    assert log.read_text().splitlines()[1:] == [f"{step.english()} yes"]
    shell("echo $MINE $FROM_OUTSIDE", log, env={"PATH": os.environ["PATH"], "MINE": "1"}, quiet=True)
    assert log.read_text().splitlines()[1:] == ["1"]


def test_verbose_copies_to_stderr(log, capfd):
    shell("echo one; echo zwölf >&2", log, verbose=True)
    assert capfd.readouterr() == ("", "one\nzwölf\n")
    assert log.read_text().splitlines()[1:] == ["one", "zwölf"]


def test_a_server_left_behind_does_not_keep_the_step(log):
    start = time.monotonic()
    shell("echo ready; setsid sleep 30 &", log, quiet=True)
    assert time.monotonic() - start < 20


def test_output_that_is_closed_early_does_not_end_the_step(log, tmp_path):
    shell(f"exec >&- 2>&-; sleep 0.3; : > {tmp_path}/late", log, quiet=True)
    assert (tmp_path / "late").exists()


# ---- progress


@ninja
def test_edges_are_the_commands_that_ninja_ran(log, tmp_path, monkeypatch):
    monkeypatch.setenv("NINJA_STATUS", "mine %p ")  # must not confuse the count
    graph(tmp_path, {name: f"echo [1/3] no status; touch {name}" for name in ("a", "b", "c")})
    assert step.run("demo", ["ninja"], log=log, cwd=tmp_path, quiet=True).edges == 3
    assert step.run("demo", ["ninja"], log=log, cwd=tmp_path, quiet=True).edges == 0
    (tmp_path / "b").unlink()
    assert step.run("demo", ["ninja"], log=log, cwd=tmp_path, quiet=True).edges == 1


@ninja
def test_without_a_terminal_there_is_a_line_at_start_and_one_at_end(log, tmp_path, capfd):
    graph(tmp_path, {name: f"touch {name}" for name in ("a", "b")})
    step.run("demo", ["ninja"], log=log, cwd=tmp_path)
    first, last = capfd.readouterr().err.splitlines()
    assert first == "demo …" and last.startswith("demo  2 commands, 0.") and last.endswith(" s")
    step.run("demo", ["ninja"], log=log, cwd=tmp_path)  # no work to do
    assert capfd.readouterr().err == ""


def test_a_slow_step_without_ninja_is_shown_too(log, capfd):
    shell("sleep 0.4", log)
    assert capfd.readouterr().err.splitlines() == ["demo …", "demo  0.4 s"]


@ninja
def test_on_a_terminal_one_line_is_rewritten(log, tmp_path, monkeypatch):
    graph(tmp_path, {name: f"sleep 0.15; touch {name}" for name in ("a", "b", "c")})
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("TERM", "xterm")
    step.run("demo", ["ninja", "-j1"], log=log, cwd=tmp_path)
    *progress, last = screen.getvalue().split("\r\x1b[K")
    shown = "".join(progress)
    assert "\n" not in shown and "\rdemo  [1/3] a  00:00\x1b[K" in shown
    assert last.startswith("demo  3 commands, 0.") and last.count("\n") == 1


def test_the_progress_line_fits_and_estimates(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setenv("COLUMNS", "50")
    screen = step.Screen("build_deps", verbose=False, quiet=False)
    screen.start = screen.base = time.monotonic() - 12
    screen.line("[12/48 12.0s] \x1b[32mBuilding CXX object lib/TH/CMakeFiles/TH.dir/src/a.cpp.o\x1b[0m")
    assert screen.text() == "build_deps  [12/48] a.cpp  00:12, about 35 s to go"
    screen.line("[12/48 12.0s] Building CXX object x/a_name_that_is_much_too_long_for_one_line.cpp.o")
    line = screen.fit(screen.text())
    assert len(line) < 50 and line.startswith("build_deps  [12/48]")
    assert line.endswith("00:12, about 35 s to go")


def test_the_estimate_begins_anew_with_ninja():
    screen = step.Screen("demo", verbose=False, quiet=False)
    screen.start = screen.base = time.monotonic() - 500
    screen.line("[1/1 500.0s] Re-running CMake...")
    screen.line("[0/9 0.1s] Building CXX object a.o")
    screen.base -= 30  # that long ago
    screen.line("[6/9 30.0s] Building CXX object b.o")
    assert screen.text() == "demo  [6/9] b  08:20, about 15 s to go" and screen.edges == 3


@pytest.mark.parametrize(
    "description,name",
    [
        ("Building CXX object lib/TH/CMakeFiles/TH.dir/src/x.cpp.o", "x.cpp"),
        ("Linking CXX shared library lib/libTH.so.1", "linking libTH.so.1"),
        ("Linking CXX shared module torch/_C.so", "linking _C.so"),
        ("Linking CXX executable bin/t", "linking t"),
        ("Generating a.h, b.h", "Generating a.h, b.h"),
    ],
)
def test_what_a_command_is_about(description, name):
    assert step.compiled(description) == name


def test_estimates_are_vague():
    assert [step.about(s) for s in (1, 42, 89, 100, 600)] == [
        "about 5 s",
        "about 40 s",
        "about 90 s",
        "about 2 min",
        "about 10 min",
    ]
    assert [step.clock(s) for s in (0, 61, 3661)] == ["00:00", "01:01", "1:01:01"]


# ---- failures


def test_a_failure_ends_with_the_command_the_log_and_the_error(log, capfd):
    command = ["sh", "-c", "echo fine; echo 'x y.cpp:1:2: error: bad'; echo more; exit 3"]
    error = failure(command, log)
    assert error.lines[0] == "demo failed with status 3 after 00:00"
    assert error.lines[1:] == (f"command: {shlex.join(command)}", f"log: {log}", "x y.cpp:1:2: error: bad")
    assert capfd.readouterr().err == ""


def test_a_failure_without_words_and_by_a_signal(log):
    assert failure(["false"], log).lines[-1] == "it printed nothing"
    assert "by signal 9 (Killed)" in failure(["sh", "-c", "kill -9 $$"], log).lines[0]
    assert failure(["sh", "-c", "echo a; echo; echo b; exit 1"], log).error == ("a", "b")


def test_what_cannot_start_says_why(log, tmp_path):
    script = tmp_path / "script"
    script.write_text("#!/bin/sh\n")
    for command, options, reason in (
        (["no-such-tool", "x"], {}, "no such program on PATH: no-such-tool"),
        (["./no-tool"], {}, "no such program: ./no-tool"),
        ([str(script)], {}, f"cannot run {script}: Permission denied"),
        (["true"], {"cwd": tmp_path / "away"}, f"no such folder to run it in: {tmp_path}/away"),
    ):
        error = failure(command, log, **options)
        assert error.lines == ("demo could not start", f"command: {shlex.join(command)}", f"log: {log}", reason)
        assert log.read_text().splitlines()[1:] == [reason]
    with pytest.raises(ValueError, match="the command is empty"):
        step.run("demo", [], log=log)


@ninja
def test_the_error_of_the_command_that_failed_is_shown(log, tmp_path):
    graph(tmp_path, {"a": "echo a.cpp:1:2: error: not this one", "b": "echo saying; echo why; false", "c": "true"})
    error = failure(["ninja", "-j1", "-k0"], log, cwd=tmp_path)
    assert error.error == ("FAILED: b", "saying", "why")
    assert failure(["ninja", "zork"], log, cwd=tmp_path).lines[-1] == "ninja: error: unknown target 'zork'"


@pytest.mark.skipif(not shutil.which("g++"), reason="needs a compiler")
def test_real_compilers_and_linkers(log, tmp_path):
    bad, alone = tmp_path / "bad.cpp", tmp_path / "alone.cpp"
    bad.write_text("int f() {\n  return nope;\n}\nint g() { return nada; }\n")
    alone.write_text("int away();\nint main() { return away(); }\n")
    error = failure(["g++", "-fdiagnostics-color=always", "-c", str(bad), "-o", "/dev/null"], log)
    assert b"\x1b[" in log.read_bytes()
    quotes = "‘’" if step.english() == "C.UTF-8" else "''"
    assert error.lines[-1] == f"{bad}:2:10: error: {quotes[0]}nope{quotes[1]} was not declared in this scope"
    error = failure(["g++", str(alone), "-o", f"{tmp_path}/x"], log)
    assert "undefined reference to `away()'" in error.lines[-1]
    error = failure(["g++", str(alone), "-lnowhere", "-o", f"{tmp_path}/x"], log)
    assert "cannot find -lnowhere" in error.lines[-1]


LOGS = {
    "template": (
        """\
        [1/9 0.1s] Building CXX object ok.o
        ok.cpp:1:1: warning: unused
        [2/9 0.2s] Building CXX object bad.o
        FAILED: [code=1] bad.o
        c++ -c bad.cpp
        In file included from bad.cpp:1:
        bad.h: In instantiation of ‘void f() [with T = int]’:
        bad.cpp:3:7:   required from here
        bad.h:7:3: error: static assertion failed
            7 |   static_assert(x);
        bad.h:9:3: error: another
        [3/9 0.2s] Building CXX object late.o
        late.cpp:1:1: error: later
        ninja: build stopped: subcommand failed.""",
        [
            "FAILED: [code=1] bad.o",
            "In file included from bad.cpp:1:",
            "bad.h: In instantiation of ‘void f() [with T = int]’:",
            "bad.cpp:3:7:   required from here",
            "bad.h:7:3: error: static assertion failed",
        ],
    ),
    "linker": (
        """\
        FAILED: m
        c++ m.o -o m
        /usr/bin/ld: warning: odd.o: missing .note.GNU-stack section
        /usr/bin/ld: NOTE: this is deprecated
        /usr/bin/ld: m.o: in function `main':
        m.cpp:(.text+0x5): undefined reference to `zz()'
        collect2: error: ld returned 1 exit status""",
        ["FAILED: m", "/usr/bin/ld: m.o: in function `main':", "m.cpp:(.text+0x5): undefined reference to `zz()'"],
    ),
    "linker, in words of its own": (
        """\
        FAILED: m
        c++ m.o -o m
        m.o: relocation R_X86_64_32 can not be used
        collect2: error: ld returned 1 exit status""",
        ["FAILED: m", "m.o: relocation R_X86_64_32 can not be used", "collect2: error: ld returned 1 exit status"],
    ),
    "CMake": (
        """\
        -- Looking for x
        CMake Warning at CMakeLists.txt:1 (message):
          only this
        CMake Error at CMakeLists.txt:7 (find_package):
          Could not find X.

          Set X_DIR.
        Call Stack (most recent call first):
          y.cmake:1 (z)
        -- Configuring incomplete, errors occurred!""",
        ["CMake Error at CMakeLists.txt:7 (find_package):", "  Could not find X.", "  Set X_DIR."],
    ),
    "CMake, run by ninja": (
        """\
        [0/1 0.1s] Re-running CMake...
        CMake Error: no CMAKE_CXX_COMPILER could be found.
        FAILED: build.ninja
        cmake --regenerate-during-build
        ninja: error: rebuilding 'build.ninja': subcommand failed""",
        ["FAILED: build.ninja", "CMake Error: no CMAKE_CXX_COMPILER could be found."],
    ),
    "Python": (
        """\
        Traceback (most recent call last):
          File "a.py", line 1, in <module>
            f()
        KeyError: 'x'

        During handling of the above exception, another exception occurred:

        Traceback (most recent call last):
          File "b.py", line 2, in f
            raise ValueError("x")
        ValueError: x is wrong
        make: *** [all] Error 1""",
        ['  File "b.py", line 2, in f', "ValueError: x is wrong"],
    ),
    "Python's parser": (
        """\
          File "a.py", line 1
            f(
        SyntaxError: '(' was never closed""",
        ["SyntaxError: '(' was never closed"],
    ),
    "nvcc": (
        "a.cu(12): error: identifier x is undefined\n1 error detected",
        ["a.cu(12): error: identifier x is undefined"],
    ),
    "missing header": (
        "a.cpp:1:10: fatal error: x.h: No such file or directory\ncompilation terminated.",
        ["a.cpp:1:10: fatal error: x.h: No such file or directory"],
    ),
    "out of memory": (
        "g++: fatal error: Killed signal terminated program cc1plus\ncompilation terminated.",
        [
            "g++: fatal error: Killed signal terminated program cc1plus"
            "; it was killed: out of memory? MAX_JOBS says how many run at a time"
        ],
    ),
    "nothing known": ("one\n\ntwo\n", ["one", "two"]),
    "nothing": ("\n\n", []),
}


@pytest.mark.parametrize("kind", LOGS)
def test_first_errors(kind):
    text, expected = LOGS[kind]
    assert first_error(textwrap.dedent(text)) == expected
    text = textwrap.dedent(text).replace("error:", "\x1b[01;31m\x1b[Kerror:\x1b[m\x1b[K")
    coloured = "\n".join(f"\x1b[01m\x1b[K{line}\x1b[m\x1b[K" for line in text.split("\n"))
    assert first_error(coloured) == expected


def test_hyperlinks_and_rewritten_lines_are_seen_through():
    link = "a.cpp:1:2: error: x [\x1b]8;;https://example.org/x\x1b\\-Werror=x\x1b]8;;\x07]"
    assert first_error(f" 10%\r 99%\r{link}\r\n") == ["a.cpp:1:2: error: x [-Werror=x]"]


def test_a_log_can_be_searched_by_hand(log):
    failure(["sh", "-c", "echo a.cpp:1:2: error: bad; echo more; exit 1"], log)
    root = os.path.dirname(os.path.dirname(step.__file__))
    found = subprocess.run([sys.executable, "-m", "tools.step", log], cwd=root, text=True, capture_output=True)
    assert found.stdout == "a.cpp:1:2: error: bad\n"


# ---- interruptions

# A step with a child, one that ignores SIGINT and one that has a process group of its own, as ninja's have.
# Who starts the tests in the background may have them ignore SIGINT.
STUBBORN = """
import os, pathlib, signal, subprocess, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.path.append(sys.argv[1])
from tools import step
step.GRACE = 0.2
step.run("demo", ["sh", "-c", "trap '' INT; sleep 61.25 & setsid -w true; "
         + sys.executable + " -c 'import os,time; os.setpgid(0, 0); time.sleep(61.25)' & "
         + "echo started; : > " + sys.argv[2] + "; wait"], log=sys.argv[3], quiet=True)
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_step_leaves_nothing_running(number, log, tmp_path):
    root = os.path.dirname(os.path.dirname(step.__file__))
    started = tmp_path / "started"
    builder = subprocess.Popen(
        [sys.executable, "-c", STUBBORN, root, started, log],
        stderr=subprocess.PIPE,
        start_new_session=True,
        env={**os.environ, "STEP_TEST": str(tmp_path)},
    )
    try:
        deadline = time.monotonic() + 10
        # The builder, sh and its two children; one that is just being started has no environment yet.
        while not (started.exists() and len(alive(tmp_path)) >= 4) and time.monotonic() < deadline:
            time.sleep(0.01)
        assert len(alive(tmp_path)) >= 4
        builder.send_signal(number)
        message = builder.communicate(timeout=10)[1]
    finally:
        builder.kill()
    assert builder.returncode == (-number if number == signal.SIGINT else 128 + number), message
    assert alive(tmp_path) == []


def test_a_step_that_fails_leaves_nothing_running(log, tmp_path):
    failure(["sh", "-c", "sleep 62 & kill -9 $$"], log, env={**os.environ, "STEP_TEST": str(tmp_path)})
    assert alive(tmp_path) == []


def alive(mark):
    """The processes whose environment has STEP_TEST=mark."""
    found = []
    for process in os.listdir("/proc"):
        try:
            with open(f"/proc/{process}/environ", "rb") as file:
                if f"STEP_TEST={mark}".encode() in file.read().split(b"\0"):
                    found.append(process)
        except OSError:  # no process, or none of ours
            pass
    return found
