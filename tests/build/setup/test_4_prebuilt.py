"""Parts that were built elsewhere."""

import os
import re
import zipfile

from checkout import ACTIVATION, SIGMOID, compiler_of, imported_from, run, watched


def test_a_wheel_from_the_source_distribution(archive, prebuilt, python, tmp_path):
    run(python, "-m", "build", "--no-isolation", "--wheel", "--outdir", tmp_path, cwd=archive,
        TORCH_PREBUILT=prebuilt)  # fmt: skip
    assert not (archive / "build/cmake").exists(), "everything was there"
    (wheel,) = tmp_path.iterdir()
    with zipfile.ZipFile(wheel) as unpacked:
        unpacked.extractall(tmp_path / "site")
    imported_from(python, tmp_path / "site", PYTHONPATH=str(tmp_path / "site"))


def test_only_what_was_edited_is_built_where_the_rest_is_prebuilt(edited, prebuilt, python):
    with watched(edited) as ran:
        run(python, "setup.py", "build_deps", cwd=edited, TORCH_PREBUILT=prebuilt)
        run(python, "setup.py", "build_ext", "--inplace", cwd=edited, TORCH_PREBUILT=prebuilt)
    assert ACTIVATION in ran.objects and all(output.startswith("THNN/") for output in ran.objects)
    assert os.readlink(edited / "torch/lib/libTH.so.1") in [
        f"{prefix}/lib/libTH.so.1" for prefix in prebuilt.split(":")
    ]
    assert (edited / "torch/lib/libTHNN.so.1").resolve() == (edited / "build/tmp_install/lib/libTHNN.so.1").resolve()
    assert run(python, "-c", SIGMOID, cwd=edited) == "1.25\n"


def test_another_compiler_and_build_type_build_anew(edited, prebuilt, python, tmp_path):
    """Objects of two compilers never come together; what is prebuilt stays."""
    calls = tmp_path / "calls"
    compiler = compiler_of(tmp_path / "c++", '"$@"', f'echo "$@" >> {calls}')
    with watched(edited) as ran:
        run(python, "setup.py", "build_deps", "--only", "THNN", cwd=edited, TORCH_PREBUILT=prebuilt,
            CXX=str(compiler), DEBUG="1", CCACHE_DISABLE="1")  # fmt: skip
    compiled = [line for line in calls.read_text().splitlines() if re.search(r" -c .*rectifiers\.cpp", line)]
    assert ran.objects >= {ACTIVATION} and len(compiled) == 1
    assert "-g" in compiled[0].split() and "-DNDEBUG" not in compiled[0].split()
    assert "debug = True" in (edited / "torch/version.py").read_text()
    assert run(python, "-c", SIGMOID, cwd=edited) == "1.25\n"
