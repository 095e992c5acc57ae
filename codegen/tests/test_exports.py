"""C++ headers: the symbols that they promise are those that the library exports."""

import re
import shutil
import subprocess

import pytest

from codegen import exports
from codegen.errors import DeclarationError

pytestmark = pytest.mark.skipif(not shutil.which("g++"), reason="needs g++")

GUARDED = """\
#pragma once
#ifndef SMALL_API
#define SMALL_API __attribute__((visibility("default")))
#endif
"""
HEADER = """\
#include <string>
#include <vector>
#include <small/export.h>
namespace small {
SMALL_API int sum(const std::vector<int> &values, int start = 0);
SMALL_API int sum(int a, int b);
[[noreturn]] SMALL_API void refuse(const std::string &text) noexcept;
inline int twice(int a) { return sum(a, a); }
int hidden();
class Plain {
 public:
  SMALL_API Plain(int value);
  SMALL_API ~Plain();
  SMALL_API static Plain make();
  SMALL_API int value() const noexcept;
  int known() const { return 1; }
 private:
  int work() const;
  const int value_;
};
class SMALL_API Base {
 public:
  SMALL_API Base();
  SMALL_API virtual ~Base();
  virtual int id() const = 0;
  virtual int other() const { return 0; }
};
}
extern "C" SMALL_API int small_start(void);
"""
SOURCE = """\
#include <small/small.h>
namespace small {
int sum(const std::vector<int> &values, int start) { for (int v : values) start += v; return start; }
int sum(int a, int b) { return a + b; }
void refuse(const std::string &) noexcept { for (;;) sum(1, 2); }
int hidden() { return 3; }
Plain::Plain(int value) : value_(value) {}
Plain::~Plain() {}
Plain Plain::make() { return Plain(1); }
int Plain::value() const noexcept { return work(); }
int Plain::work() const { return value_; }
Base::Base() {}
Base::~Base() {}
}
int small_start() { return small::hidden(); }
"""


@pytest.fixture
def include(tmp_path):
    folder = tmp_path / "include"
    (folder / "small").mkdir(parents=True)
    (folder / "small/export.h").write_text(GUARDED)
    (folder / "small/small.h").write_text(HEADER)
    return folder


def exported(include, tmp_path):
    """Symbols of a library with bodies for what the header declares; among them vtables, which are weak."""
    source, made = tmp_path / "small.cpp", tmp_path / "libsmall.so"
    source.write_text(SOURCE)
    flags = ["-std=c++20", "-fPIC", "-shared", "-fvisibility=hidden", "-fvisibility-inlines-hidden"]
    subprocess.run(["g++", *flags, f"-I{include}", "-o", made, source], check=True)
    listed = subprocess.run(["nm", "-D", "--defined-only", made], capture_output=True, text=True, check=True).stdout
    return sorted(line.split()[2] for line in listed.splitlines() if line.split()[1] in "TDRBV")


def test_what_the_headers_promise_is_what_the_library_exports(include, tmp_path):
    symbols = exports.read([include], "SMALL_API")
    assert symbols == exported(include, tmp_path)
    assert {"small_start", "_ZN5small5PlainC1Ei", "_ZTIN5small4BaseE"} < set(symbols)


def test_several_folders(include, tmp_path):
    more = tmp_path / "generated"
    more.mkdir()
    (more / "more.h").write_text("#include <small/export.h>\nnamespace small { SMALL_API void more(); }\n")
    assert set(exports.read([include, more], "SMALL_API")) - set(exports.read([include], "SMALL_API")) == {
        "_ZN5small4moreEv"
    }


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text.replace("SMALL_API", ""), "no header marks anything with SMALL_API"),
        (lambda text: text + "SMALL_API extern int counter;\n", "counter.* alias between function and variable"),
        (lambda text: text.replace("int hidden", "SMALL_API Unknown hidden"), "Unknown.* does not name a type"),
    ],
)
def test_headers_that_cannot_be_read(include, change, message):
    (include / "small/export.h").unlink()
    (include / "small/small.h").write_text(change(HEADER.replace("#include <small/export.h>\n", "")))
    with pytest.raises(DeclarationError) as error:
        exports.read([include], "SMALL_API")
    assert re.search(message, str(error.value))


def test_a_macro_that_headers_define_themselves(include):
    (include / "small/export.h").write_text(GUARDED.replace("#ifndef SMALL_API", "#if 1\n#undef SMALL_API"))
    with pytest.raises(DeclarationError, match="define it under #ifndef"):
        exports.read([include], "SMALL_API")
