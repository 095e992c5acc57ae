"""Statements in C++, compiled into extension modules that time them."""

import hashlib
import os
import tempfile
import textwrap

from torch.utils import cpp_extension

CXX_FLAGS = ["-O2"]
EXTRA_INCLUDE_PATHS = []

_TIMEIT = """\
#include <chrono>
#include <torch/extension.h>

{global_setup}

static double timeit(int64_t n) {{
{setup}
  const auto begun = std::chrono::high_resolution_clock::now();
  for (int64_t loop_index = 0; loop_index < n; ++loop_index) {{
{stmt}
  }}
  return std::chrono::duration<double>(std::chrono::high_resolution_clock::now() - begun).count();
}}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {{
  m.def("timeit", &timeit);
}}
"""


def compile_timeit_template(*, stmt, setup, global_setup):
    """A module with timeit(n): the seconds of n executions. Compiled once for a text."""
    source = _TIMEIT.format(
        global_setup=global_setup,
        setup=textwrap.indent(setup, "  "),
        stmt=textwrap.indent(stmt, "    "),
    )
    name = "timer_" + hashlib.sha256(source.encode()).hexdigest()[:16]
    folder = os.path.join(tempfile.gettempdir(), f"torch_benchmark_{os.getuid()}", name)
    os.makedirs(folder, mode=0o700, exist_ok=True)
    return cpp_extension.load_inline(
        name,
        cpp_sources=source,
        extra_cflags=CXX_FLAGS,
        extra_include_paths=EXTRA_INCLUDE_PATHS,
        build_directory=folder,
    )


def compile_callgrind_template(*, stmt, setup, global_setup):
    """Raises NotImplementedError: instructions are counted of Python statements only."""
    raise NotImplementedError("statements in C++ cannot be counted by callgrind here")


def get_compat_bindings():
    """Raises NotImplementedError: they are for versions of PyTorch before 1.8."""
    raise NotImplementedError("there are no bindings for older versions here")
