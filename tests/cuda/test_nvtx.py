"""torch.cuda.nvtx: what a profiler is told. The one here is a library that writes it down, found as NVTX finds any."""

import os
import shutil
import subprocess
import sys

import pytest
import torch

# NVTX's protocol: the tool asks for the table of the module 1 and puts its functions there, by their numbers.
TOOL = r"""
#include <cstdint>
#include <cstdio>
#include <cstddef>

using Function = void (*)();
struct Callbacks {
  size_t size;
  int (*table)(int module, Function ***table, unsigned *size);
};
static thread_local int depth;
static void mark(const char *text) { std::printf("mark %s\n", text); }
static uint64_t start(const char *text) { return std::printf("start %s\n", text), 41; }
static void end(uint64_t range) { std::printf("end %d\n", int(range)); }
static int push(const char *text) { return std::printf("push %s\n", text), depth++; }
static int pop() { return std::printf("pop\n"), --depth; }

extern "C" int InitializeInjectionNvtx2(const void *(*tables)(uint32_t)) {
  std::setvbuf(stdout, nullptr, _IONBF, 0);
  Function **table;
  unsigned size;
  if (!static_cast<const Callbacks *>(tables(1))->table(1, &table, &size) || size < 12) return 0;
  *table[2] = Function(mark);
  *table[5] = Function(start);
  *table[7] = Function(end);
  *table[9] = Function(push);
  *table[11] = Function(pop);
  return 1;
}
"""


@pytest.fixture(scope="module")
def tool(tmp_path_factory):
    compiler = shutil.which("g++") or shutil.which("c++")
    if not compiler:
        pytest.skip("needs a C++ compiler")
    folder = tmp_path_factory.mktemp("tool")
    (folder / "tool.cpp").write_text(TOOL)
    command = [compiler, "-std=c++17", "-shared", "-fPIC", "tool.cpp", "-o", "tool.so"]
    subprocess.run(command, cwd=folder, check=True)
    return folder / "tool.so"


def run(code, tool):
    environment = {**os.environ, "NVTX_INJECTION64_PATH": str(tool)}
    command = [sys.executable, "-u", "-c", f"from torch.cuda import nvtx\n{code}"]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.splitlines()


def test_a_profiler_hears_it(tool):
    assert run("nvtx.mark('here')", tool) == ["mark here"]
    assert run("print(nvtx.range_push('a'), nvtx.range_push('b'), nvtx.range_pop(), nvtx.range_pop())", tool) == [
        "push a",
        "push b",
        "pop",
        "pop",
        "0 1 1 0",
    ]
    assert run("r = nvtx.range_start('long'); print(r); nvtx.range_end(r)", tool) == ["start long", "41", "end 41"]


def test_ranges_are_contexts_and_decorators(tool):
    code = (
        "@nvtx.range('step {} of {n}', 3, n=5)\n"
        "def step(): print('works')\n"
        "step(); step()\n"
        "try:\n"
        "    with nvtx.range('bad'): raise KeyError\n"
        "except KeyError: print('raised')"
    )
    expected = ["push step 3 of 5", "works", "pop"]
    assert run(code, tool) == [*expected, *expected, "push bad", "pop", "raised"]


def test_threads_have_ranges_of_their_own(tool):
    code = (
        "import threading\n"
        "nvtx.range_push('outer')\n"
        "thread = threading.Thread(target=lambda: print(nvtx.range_push('inner'))); thread.start(); thread.join()"
    )
    assert run(code, tool) == ["push outer", "push inner", "0"]


def test_without_a_profiler(tmp_path):
    nvtx = torch.cuda.nvtx
    assert nvtx.mark("x") is None and nvtx.range_push("x") == nvtx.range_pop() == -2
    assert nvtx.range_start("x") == 0 and nvtx.range_end(0) is None
    with nvtx.range("x {}", 1):
        pass
    assert run("print(nvtx.range_push('x'))", tmp_path / "missing.so") == ["-2"]
    code = "import sys; nvtx.mark('x'); print('torch._cuda' in sys.modules, 'torch._nvrtc' in sys.modules)"
    assert run(code, tmp_path / "missing.so") == ["False False"]


def test_wrong_texts():
    nvtx = torch.cuda.nvtx
    for call in (nvtx.mark, nvtx.range_push, nvtx.range_start):
        with pytest.raises(TypeError, match="must be a str, not int: 3"):
            call(3)
        with pytest.raises(ValueError, match="null character"):
            call("a\0b")
    with pytest.raises((TypeError, OverflowError)):
        nvtx.range_end(-1)
