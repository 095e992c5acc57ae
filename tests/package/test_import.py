"""`import torch` of something incomplete says what is wrong and what to type.

(Of ours alone: no statement about PyTorch.)
"""

import importlib.machinery
import sys

import pytest
from package_copy import copied, python, smallest_vendor

SUFFIX = importlib.machinery.EXTENSION_SUFFIXES[0]


@pytest.fixture
def package(tmp_path):
    return copied(tmp_path)


def message(package, before="", **variables):
    """What `import torch` ends with, from the exception's name on."""
    done = python("-c", before + "import torch", folder=package.parent, path=package.parent, **variables)
    assert done.returncode == 1, done.stdout + done.stderr
    assert done.stderr.count("Traceback") == 1, "a second traceback hides the message:\n" + done.stderr
    return done.stderr[done.stderr.index("ImportError: ") :]


def make_checkout(package):
    """The file that tells a checkout from an installation."""
    (package.parent / "lib").mkdir()
    (package.parent / "lib" / "libraries.toml").touch()


def test_the_copy_works(package):
    done = python(
        "-c",
        "import torch; print(torch.__file__, torch.ones(2).sum().item())",
        folder=package.parent,
        path=package.parent,
    )
    assert (done.stdout, done.stderr) == (f"{package / '__init__.py'} 2.0\n", "")


def test_unbuilt_checkout(package):
    make_checkout(package)
    (package / f"_C{SUFFIX}").unlink()
    text = message(package)
    assert "torch has not been built in this checkout" in text
    for command in ("./nixw develop", "python setup.py develop", "pip install -e .", "./nixw run . -- script.py"):
        assert command in text
    assert "another folder" in text


def test_incomplete_installation(package):
    (package / f"_C{SUFFIX}").unlink()
    text = message(package)
    assert f"{package / ('_C' + SUFFIX)} is missing" in text
    assert "--force-reinstall torch" in text and "setup.py" not in text


@pytest.mark.parametrize("name", ["version", "_torch_docs", "_python_bodies"])
def test_generated_file_is_missing(package, name):
    (package / f"{name}.py").unlink()
    assert f"{package / name}.py, which the build writes, is missing" in message(package)


def test_built_for_another_python(package):
    (package / f"_C{SUFFIX}").rename(package / "_C.cpython-27-x86_64-linux-gnu.so")
    text = message(package)
    assert f"torch was built for Python 2.7, and this is Python {sys.version_info[0]}.{sys.version_info[1]}" in text
    assert "_C.cpython-27-x86_64-linux-gnu.so" in text and f"_C{SUFFIX}" in text


@pytest.mark.parametrize("library", ["libtorch_python.so.1", "libTH.so.1"])
def test_library_is_missing(package, library):
    (package / "lib" / library).unlink()
    text = message(package)
    assert f"{library}, a library that it needs, is missing" in text
    assert f"looked for in {package / 'lib'}\n" in text
    assert "needed by:" in text
    assert "LD_LIBRARY_PATH" not in text


def test_library_is_missing_and_not_in_ld_library_path(package, tmp_path):
    (package / "lib" / "libTH.so.1").unlink()
    assert f"{tmp_path} (LD_LIBRARY_PATH)" in message(package, LD_LIBRARY_PATH=str(tmp_path))


def test_link_to_nowhere(package):
    library = package / "lib" / "libTH.so.1"
    library.unlink()
    library.symlink_to("/nix/store/collected/lib/libTH.so.1")
    make_checkout(package)
    text = message(package)
    assert f"{library} is a link to /nix/store/collected/lib/libTH.so.1, which is gone" in text
    assert "python setup.py develop" in text


def test_extension_is_a_link_to_nowhere(package):
    """The store has been cleaned, or build/ removed, after torch was linked into the checkout."""
    make_checkout(package)
    (package / f"_C{SUFFIX}").unlink()
    (package / f"_C{SUFFIX}").symlink_to("/nix/store/collected/_C.so")
    text = message(package)
    assert f"{package / ('_C' + SUFFIX)} is a link to /nix/store/collected/_C.so" in text
    assert "has not been built" not in text and "python setup.py develop" in text


@pytest.mark.parametrize("content, reason", [(b"", "file too short"), (b"no library " * 100, "invalid ELF header")])
def test_library_is_damaged(package, content, reason):
    (package / "lib" / "libTHPP.so.1").write_bytes(content)
    text = message(package)
    assert "libTHPP.so.1" in text and reason in text and "damaged" in text


def test_foreign_library_is_named(package):
    """Linked by soname, torch takes the libTH that is loaded already; here it is another library by that name."""
    vendor = smallest_vendor()
    name = b"\0" + vendor.soname.encode() + b"\0"
    stray = package.parent / "stray.so"
    with open(vendor.path, "rb") as file:
        stray.write_bytes(file.read().replace(name, b"\0libTH.so.1".ljust(len(name), b"\0")))
    text = message(package, before=f"import ctypes; ctypes.CDLL({str(stray)!r}); ")
    assert "undefined symbol: TH" in text and "A foreign library is in this process:" in text
    assert f"{stray} (named libTH.so.1, loaded instead of {package}/lib/libTH.so.1)" in text


def test_compiled_part_of_another_version(package):
    source = package / "__init__.py"
    source.write_text(source.read_text().replace("torch._C as _C", "torch._C as _C; from torch._C import of_tomorrow"))
    text = message(package)
    assert "of another version than its Python files: it has no 'of_tomorrow'" in text


@pytest.mark.parametrize(
    "said, expected",
    [
        ("lib/libTHPP.so.1: undefined symbol: THFloatTensor_add", "Its libraries do not come from the same build"),
        ("/lib/libc.so.6: version `GLIBC_2.38' not found (required by x)", "built on a newer system"),
    ],
)
def test_other_errors_of_the_loader(said, expected):
    from torch import _import_error

    error = ImportError(said, name="torch._C", path=_import_error.PACKAGE + "/_C.so")
    text = str(_import_error.explained(error))
    assert said in text and expected in text


def test_errors_of_others_stay_as_they_are(package):
    with open(package / "random.py", "a") as file:
        file.write("\nimport a_module_that_nobody_has\n")
    done = python("-c", "import torch", folder=package.parent, path=package.parent)
    assert done.stderr.endswith("ModuleNotFoundError: No module named 'a_module_that_nobody_has'\n")


def test_a_good_import_reads_no_explanation(tmp_path):
    done = python(
        "-c",
        "import sys, torch; print([m for m in sys.modules if m.startswith(('torch._import', 'torch.utils'))])",
        folder=tmp_path,
    )
    assert done.stdout == "[]\n", done.stderr
