"""A source distribution, and parts that were built elsewhere; CMake by hand."""

import os
import re
import tarfile
import zipfile

from checkout import ACTIVATION, SIGMOID, VERSION, compiler_of, imported_from, paths, run, watched


def test_a_source_distribution_has_the_sources_and_nothing_that_is_built(tree, untouched, archive, python):
    names = paths(archive)
    for path in untouched:
        if path.startswith(("tests", "codegen/tests")) or (tree / path).is_dir():
            continue
        assert path in names, f"{path} is missing"
    built = {"torch.egg-info", "PKG-INFO", "setup.cfg"}
    assert {name for name in names if name.split("/")[0] not in built} <= untouched
    assert run(python, "setup.py", "--version", cwd=archive).split() == [VERSION]


def test_a_source_distribution_keeps_the_version_that_it_was_made_as(tree, python, tmp_path):
    """A checkout's has the commit in it, which nobody can tell who has the archive alone."""
    before = (tree / "version.txt").read_text()
    run(python, "setup.py", "-q", "sdist", "--dist-dir", tmp_path, cwd=tree, TORCH_BUILD_VERSION="1.1.0a0+ffd6138")
    with tarfile.open(tmp_path / "torch-1.1.0a0+ffd6138.tar.gz") as packed:
        assert packed.extractfile("torch-1.1.0a0+ffd6138/version.txt").read() == b"1.1.0a0+ffd6138\n"
    assert (tree / "version.txt").read_text() == before


def test_a_wheel_from_the_source_distribution(archive, prebuilt, python, tmp_path):
    run(python, "-m", "build", "--no-isolation", "--wheel", "--outdir", tmp_path, cwd=archive,
        TORCH_PREBUILT=str(prebuilt))  # fmt: skip
    assert not (archive / "build/cmake").exists(), "everything was there"
    (wheel,) = tmp_path.iterdir()
    with zipfile.ZipFile(wheel) as unpacked:
        unpacked.extractall(tmp_path / "site")
    imported_from(python, tmp_path / "site", PYTHONPATH=str(tmp_path / "site"))


def test_only_what_was_edited_is_built_where_the_rest_is_prebuilt(edited, prebuilt, python):
    with watched(edited) as ran:
        run(python, "setup.py", "build_deps", cwd=edited, TORCH_PREBUILT=str(prebuilt))
        run(python, "setup.py", "build_ext", "--inplace", cwd=edited, TORCH_PREBUILT=str(prebuilt))
    assert ACTIVATION in ran.objects and all(output.startswith("THNN/") for output in ran.objects)
    assert os.readlink(edited / "torch/lib/libTH.so.1") == str(prebuilt / "lib/libTH.so.1")
    assert (edited / "torch/lib/libTHNN.so.1").resolve() == (edited / "build/tmp_install/lib/libTHNN.so.1").resolve()
    assert run(python, "-c", SIGMOID, cwd=edited) == "1.25\n"


def test_another_compiler_and_build_type_build_anew(edited, prebuilt, python, tmp_path):
    """Objects of two compilers never come together; what is prebuilt stays."""
    calls = tmp_path / "calls"
    compiler = compiler_of(tmp_path / "c++", '"$@"', f'echo "$@" >> {calls}')
    with watched(edited) as ran:
        run(python, "setup.py", "build_deps", "--only", "THNN", cwd=edited, TORCH_PREBUILT=str(prebuilt),
            CXX=str(compiler), DEBUG="1", CCACHE_DISABLE="1")  # fmt: skip
    compiled = [line for line in calls.read_text().splitlines() if re.search(r" -c .*activation\.cpp", line)]
    assert ran.objects >= {ACTIVATION} and len(compiled) == 1
    assert "-g" in compiled[0].split() and "-DNDEBUG" not in compiled[0].split()
    assert "debug = True" in (edited / "torch/version.py").read_text()
    assert run(python, "-c", SIGMOID, cwd=edited) == "1.25\n"
