"""The parts of tools/wheel one by one. run.sh names this file to pytest, which else passes it over."""

import os
import pathlib
import subprocess
import sys
import zipfile

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parents[2]))

from tools.wheel import archive, bundle, libraries, notice, platform_tag  # noqa: E402
from tools.wheel.elf import SharedObject  # noqa: E402


def compile_library(path, *options, source="int f(void) { return 1; }"):
    path.with_suffix(".c").write_text(source)
    # Nix's linker adds folders of its own to the rpath unless told not to.
    subprocess.run(
        ["gcc", "-shared", "-fPIC", "-o", path, path.with_suffix(".c"), *options],
        check=True,
        env=os.environ | {"NIX_DONT_SET_RPATH": "1"},
    )
    return path


@pytest.mark.parametrize(
    ("version", "glibc"),
    [
        ("GLIBC_2.2.5", (2, 2)),
        ("GLIBC_2.38", (2, 38)),
        ("GLIBCXX_3.4", (2, 5)),
        ("GLIBCXX_3.4.28", (2, 31)),
        ("GLIBCXX_3.4.31", (2, 39)),
        ("CXXABI_1.3.13", (2, 34)),
        ("GCC_7.0.0", (2, 27)),
        ("GCC_4.8.0", (2, 17)),
    ],
)
def test_glibc_for(version, glibc):
    assert platform_tag.glibc_for(version) == glibc


@pytest.mark.parametrize("version", ["GLIBCXX_3.4.99", "GLIBC_PRIVATE", "GLIBC_ABI_DT_RELR", "OMP_5.0"])
def test_unknown_versions_are_refused(version):
    with pytest.raises(ValueError, match=version):
        platform_tag.glibc_for(version)


def test_read_what_the_linker_wrote(tmp_path):
    path = compile_library(
        tmp_path / "libx.so",
        "-Wl,-soname,libx.so.3",
        "-Wl,-rpath,$ORIGIN/a",
        "-lm",
        "-Wl,--disable-new-dtags",
        source="#include <math.h>\ndouble f(double x) { return exp(x) + pow(x, x); }",
    )
    library = SharedObject(path)
    assert library.soname == ["libx.so.3"] and "libm.so.6" in library.needed
    assert library.rpath == ["$ORIGIN/a"] and library.runpath == []
    assert library.versions["libm.so.6"] == {"GLIBC_2.29"} and b"f" in library.used
    assert platform_tag.lowest([path]) == "manylinux_2_29_x86_64"


def test_no_elf_is_refused(tmp_path):
    (tmp_path / "liby.so.1").write_text("INPUT(libx.so)")
    with pytest.raises(ValueError, match="liby.so.1 is no ELF file"):
        libraries.shared_objects(tmp_path)


def test_only_dead_strings_are_erased(tmp_path):
    path = compile_library(tmp_path / "libx.so", "-Wl,-rpath,/some/where/lib")
    with pytest.raises(ValueError, match="still refers to .*/some/where/lib"):
        libraries.erase_dead(path, "/some/where")
    subprocess.run(["patchelf", "--remove-rpath", path], check=True)
    assert b"/some/where" in path.read_bytes()
    libraries.erase_dead(path, "/some/where")
    assert b"/some/where" not in path.read_bytes() and b"f" in SharedObject(path).used


def test_a_live_tail_of_a_dead_string_stops(tmp_path):
    # The linker stores the name of the function as the end of the rpath.
    path = compile_library(tmp_path / "libx.so", "-Wl,-rpath,/some/where/tail", source="int tail(void) { return 1; }")
    subprocess.run(["patchelf", "--remove-rpath", path], check=True)
    with pytest.raises(ValueError, match="'tail'.* end a string that holds /some/where"):
        libraries.erase_dead(path, "/some/where")


def test_a_missing_library_is_named(tmp_path):
    compile_library(tmp_path / "libx.so", "-Wl,-soname,libx.so")
    user = compile_library(tmp_path / "libuser.so", "-Wl,--no-as-needed", "-Wl,-rpath,$ORIGIN", tmp_path / "libx.so")
    assert libraries.resolve("libx.so", SharedObject(user)) == tmp_path / "libx.so"
    (tmp_path / "libx.so").unlink()
    with pytest.raises(ValueError, match="libuser.so needs libx.so, which is in none of"):
        libraries.resolve("libx.so", SharedObject(user))


def test_private_names():
    assert bundle.private_name("libgomp.so.1", "torch") == "libgomp-torch.so.1"
    with pytest.raises(ValueError, match="'libgomp'"):
        bundle.private_name("libgomp", "torch")


def test_an_unknown_licence_is_refused(tmp_path):
    with pytest.raises(ValueError, match="libnone.so.1 would be bundled"):
        notice.write(tmp_path, {pathlib.Path("/p/lib/libnone.so.1"): "libnone-torch.so.1"})


def test_licences_of_what_the_libraries_contain_are_named(tmp_path):
    licence = tmp_path / "doc/pocketfft/LICENSE"
    licence.parent.mkdir(parents=True)
    licence.write_text("Redistributions in binary form\n")
    notice.write(tmp_path, {}, [licence])
    text = (tmp_path / "NOTICE.txt").read_text()
    assert "\npocketfft, in libTH\n\nRedistributions in binary form\n" in text


def test_the_store_is_found_in_any_file(tmp_path):
    path = f"/some/store/{'0a' * 16}-TH/lib"
    (tmp_path / "config.cmake").write_text(f"set(x 1)\nset(prefix {path})\n")
    with pytest.raises(ValueError, match=f"config.cmake names {path}$"):
        archive.require_absent(tmp_path, "/some/store")
    archive.require_absent(tmp_path, "/other/store")
    (tmp_path / "config.cmake").write_text("# not in /some/store/\n")
    archive.require_absent(tmp_path, "/some/store")


def test_pack_twice_gives_the_same_bits(tmp_path):
    info = tmp_path / "root" / "x-1.dist-info"
    info.mkdir(parents=True)
    (info / "WHEEL").write_text("Wheel-Version: 1.0\nTag: cp313-cp313-linux_x86_64\n")
    (tmp_path / "root" / "a,b.py").write_text("1")
    archive.write_metadata(info, "manylinux_2_39_x86_64")
    first = archive.pack(tmp_path / "root", info.name, tmp_path / "first")
    second = archive.pack(tmp_path / "root", info.name, tmp_path / "second")
    assert first.name == "x-1-cp313-cp313-manylinux_2_39_x86_64.whl"
    assert first.read_bytes() == second.read_bytes()
    assert zipfile.ZipFile(first).read("x-1.dist-info/RECORD").startswith(b'"a,b.py",sha256=')


CUDA = [libraries.Beside("nvidia-x==13.0.*", "nvidia/cu13/lib", stem) for stem in ("libx", "libxLt")]


def test_what_another_distribution_brings_stays_out_and_is_required(tmp_path):
    site = tmp_path / "site"
    for folder in (site / "torch/lib", tmp_path / "toolkit", tmp_path / "copy/torch/lib"):
        folder.mkdir(parents=True)
    for stem in ("libx", "libxLt"):
        compile_library(tmp_path / f"toolkit/{stem}.so.13", f"-Wl,-soname,{stem}.so.13")
    ours = compile_library(
        site / "torch/lib/libours.so.1",
        "-Wl,--no-as-needed,--disable-new-dtags",
        f"-Wl,-rpath,{tmp_path}/toolkit",
        tmp_path / "toolkit/libx.so.13",
    )
    copy = tmp_path / "copy/torch/lib/libours.so.1"
    copy.write_bytes(ours.read_bytes())
    assert bundle.bundle(site / "torch", tmp_path / "copy/torch", CUDA) == {}
    assert bundle.relink(site / "torch", tmp_path / "copy/torch", {}, CUDA) == ["nvidia-x==13.0.*"]
    made = SharedObject(copy)
    assert made.rpath == ["$ORIGIN:$ORIGIN/../../nvidia/cu13/lib"] and made.runpath == []
    assert {"libx.so.13", "libxLt.so.13"} <= set(made.needed), "all that lie there, found our way"
    assert bundle.bundle(site / "torch", tmp_path / "copy/torch"), "without that it is brought in"


def test_requirements_stand_in_the_head_of_the_metadata(tmp_path):
    (tmp_path / "WHEEL").write_text("Tag: cp313-cp313-linux_x86_64\n")
    for before, after in (
        ("Name: x\n", "Name: x\nRequires-Dist: y==1.*\n"),
        ("Name: x\n\nWords\n\nmore\n", "Name: x\nRequires-Dist: y==1.*\n\nWords\n\nmore\n"),
    ):
        (tmp_path / "METADATA").write_text(before)
        archive.write_metadata(tmp_path, "manylinux_2_39_x86_64", ["y==1.*"])
        assert (tmp_path / "METADATA").read_text() == after
        (tmp_path / "WHEEL").write_text("Tag: cp313-cp313-linux_x86_64\n")


def test_a_wheel_of_several_tags_is_refused(tmp_path):
    (tmp_path / "WHEEL").write_text("Tag: py3-none-any\nTag: py2-none-any\n")
    with pytest.raises(ValueError, match="2 tags"):
        archive.write_metadata(tmp_path, "manylinux_2_39_x86_64")
