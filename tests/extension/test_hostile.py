"""LD_LIBRARY_PATH with stray libraries of torch's names: extensions do not see them, a control does."""

import pathlib

import pytest
from torch.utils._extension import locations

HERE = pathlib.Path(__file__).parent


@pytest.fixture
def decoys(tmp_path, run):
    """A folder of libraries that report when they are loaded, and the report."""
    folder = tmp_path / "decoys"
    folder.mkdir()
    for library in locations.libraries():
        run(
            "gcc",
            "-shared",
            "-fPIC",
            f'-DNAME="{library.name}"',
            f"-Wl,-soname,{library.name}",
            HERE / "decoy.c",
            "-o",
            folder / library.name,
        )
    log = tmp_path / "decoys.log"
    log.touch()
    return folder, log


def test_decoys(decoys, tmp_path, run, python):
    folder, log = decoys
    world = {"LD_LIBRARY_PATH": str(folder), "DECOY_LOG": str(log)}
    load = (
        "from torch.utils.cpp_extension import load_inline\n"
        "m = load_inline('safe', 'torch::Tensor two(torch::Tensor x) { return x * 2; }', functions='two')\n"
    )
    python(load)
    path = tmp_path / "extensions/safe/safe.so"

    # The extension first, before torch has brought any library in.
    code = (
        "import importlib.util, sys\n"
        f"spec = importlib.util.spec_from_file_location('safe', {str(path)!r})\n"
        "m = importlib.util.module_from_spec(spec); spec.loader.exec_module(m)\n"
        "import torch; print(m.two(torch.ones(2)).tolist())"
    )
    assert python(code, **world) == "[2.0, 2.0]\n"
    assert log.read_text() == ""

    # The control needs the same libraries and says nothing about where they are.
    control = tmp_path / "control.so"
    (tmp_path / "control.c").write_text("int control;")
    needed = [f"-l:{library.name}" for library in locations.libraries()]
    run(
        "gcc",
        "-shared",
        tmp_path / "control.c",
        "-o",
        control,
        "-Wl,--no-as-needed",
        f"-L{locations.LIB}",
        *needed,
        f"-Wl,-rpath-link,{locations.LIB}",
        NIX_DONT_SET_RPATH="1",
    )
    python(f"import ctypes; ctypes.CDLL({str(control)!r})", **world)
    assert sorted(set(log.read_text().split())) == [library.name for library in locations.libraries()]
