"""CMake by hand: chosen parts in a prefix, and the whole package where Python is.

All of it but THNN, which is edited, is taken from what has been built before.
"""

import pytest
from checkout import MODULES, SIGMOID, check_installed, make_venv, paths, run, site_packages


def scenario(source, python, prebuilt, folder, *arguments, status=0):
    """The commands of the seeds: cmake, make, make install, in a folder of their own."""
    folder.mkdir(exist_ok=True)
    command = ["cmake", source, "-DCMAKE_BUILD_TYPE=Release", f"-DPYTHON_EXECUTABLE={python}", *arguments]
    variables = {"TORCH_PREBUILT": prebuilt}
    said = run(*command, cwd=folder, status=status, **variables)
    assert "not used by the project" not in said and "CMake Warning" not in said, said
    return said


@pytest.fixture(scope="module")
def installed(edited, prebuilt, tmp_path_factory):
    """The Python of an environment into which it was installed, and the folder that it was built in."""
    root = tmp_path_factory.mktemp("cmake")
    python = make_venv(root / "venv")
    said = scenario(edited, python, prebuilt, root / "build", "-DUSE_CUDA=OFF", "-DUSE_MPI=ON", status=1)
    assert "USE_MPI=ON: allowed only with USE_DISTRIBUTED=1" in " ".join(said.split())
    scenario(edited, python, prebuilt, root / "build", "-DUSE_MPI=OFF", "-DUSE_DISTRIBUTED=OFF")
    run("make", "-j", "2", cwd=root / "build")
    run("make", "install", cwd=root / "build")
    return python, root / "build"


def test_make_install_puts_the_package_where_the_python_is_that_was_named(installed, edited, elf):
    python, folder = installed
    site = site_packages(python.parent.parent)
    check_installed(site, edited, elf)
    assert run(python, "-c", SIGMOID.replace("print(r", "print('derivative', r"), cwd="/").endswith("derivative 1.25\n")
    compiled = {path.relative_to(folder).parts[0] for path in folder.rglob("*.o")}
    assert compiled == {"THNN"}, "the rest was there"
    assert "torch" in run(python.parent / "torch-collect-env", cwd="/")
    # pip knows it, replaces it and removes it.
    run("make", "install", cwd=folder)
    run(python, "-m", "pip", "uninstall", "-y", "torch", cwd="/")
    assert {path.name for path in site.iterdir()} <= {"packages.pth", "__pycache__"}


def test_another_prefix_and_a_root(installed, tmp_path):
    python, folder = installed
    run("cmake", "--install", folder, "--prefix", tmp_path / "prefix", cwd="/")
    site = site_packages(tmp_path / "prefix")
    said = run(python, "-c", "import torch; print(torch.__file__)", cwd="/", PYTHONPATH=str(site))
    assert said == f"{site}/torch/__init__.py\n"
    assert {path.name for path in (tmp_path / "prefix").iterdir()} == {"bin", "lib"}
    # Another version takes the place of what lies there, and the environment keeps what it has.
    run("make", "install", cwd=folder)
    (site / "torch/removed.py").touch()
    (info,) = site.glob("torch-*.dist-info")
    record = (info / "RECORD").read_text().replace(info.name, "torch-0.1.dist-info")
    (info / "RECORD").write_text(f"{record}torch/removed.py,,\n")
    info.rename(info.with_name("torch-0.1.dist-info"))
    run("cmake", "--install", folder, "--prefix", tmp_path / "prefix", cwd="/")
    assert {path.name for path in site.iterdir()} == {"torch", info.name} and not (site / "torch/removed.py").exists()
    assert (site_packages(python.parent.parent) / "torch/__init__.py").exists()
    run(python, "-m", "pip", "uninstall", "-y", "torch", cwd="/")
    run("make", "install", cwd=folder, DESTDIR=str(tmp_path / "image"))
    (package,) = (tmp_path / "image").rglob("site-packages/torch")
    assert set(MODULES) <= paths(package) and not list(site_packages(python.parent.parent).glob("torch*"))


def test_several_configurations_of_one_source(tree, prebuilt, tmp_path):
    """Their names and versions differ, and neither is in the other's way. Here everything was there before."""
    for name, version in (("torch-one", "1.1.0a0+ffd6138"), ("torch-two", "2.0")):
        python = make_venv(tmp_path / f"{name}-venv")
        arguments = [f"-DTORCH_PACKAGE_NAME={name}", f"-DTORCH_BUILD_VERSION={version}"]
        scenario(tree, python, prebuilt, tmp_path / name, *arguments)
        run("make", cwd=tmp_path / name)
        run("make", "install", cwd=tmp_path / name)
        said = run(python, "-m", "pip", "list", "--format=freeze", cwd="/")
        assert f"{name}=={version}" in said
        assert run(python, "-c", "import torch; print(torch.__version__)", cwd="/") == f"{version}\n"
        assert not list((tmp_path / name).rglob("*.o"))


def test_chosen_parts(edited, prebuilt, python, elf, tmp_path):
    configure = ["cmake", "-G", "Ninja", "-B", tmp_path / "b", "-S", ".", f"-DPython3_EXECUTABLE={python}"]
    output = run(*configure, "-DTORCH_PARTS=THX", cwd=edited, status=1)
    assert "there is no part 'THX'" in output
    run(*configure, "-DTORCH_PARTS=THNN", f"-DTORCH_PREBUILT={prebuilt}", cwd=edited)
    run("cmake", "--build", tmp_path / "b", cwd=edited)
    run("cmake", "--install", tmp_path / "b", "--prefix", tmp_path / "p", cwd=edited)
    assert {"lib/libTHNN.so.1", "lib/cmake/THNN/THNNConfig.cmake", "include/THNN/THNN.h"} <= paths(tmp_path / "p")
    assert not (tmp_path / "p/lib/libTH.so.1").exists()
    assert "libTH.so.1" in elf(tmp_path / "p/lib/libTHNN.so.1")["NEEDED"]
