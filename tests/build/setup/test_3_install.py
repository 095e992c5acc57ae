"""What is installed: its layout, and that nothing is compiled for it again."""

import os
import pathlib
import re
import shutil
import tarfile
import zipfile

from checkout import MODULES, VERSION, check_installed, imported_from, make_venv, paths, run, site_packages, watched


def test_the_package_without_the_libraries(tree, setup):
    with watched(tree) as ran:
        (tree / "torch/mine.py").touch()
        setup("build_py")
        (tree / "torch/mine.py").unlink()
        setup("build_py")
        (folder,) = (tree / "build").glob("lib*")
        built = paths(folder / "torch")
        assert {"__init__.py", "version.py", "utils/collect_env.py"} <= built
        assert "mine.py" not in built and not [path for path in built if ".so" in path]
        setup("build_ext")
        assert {
            *MODULES,
            "lib/libTHPP.so.1",
            "lib/include/TH/TH.h",
            "_torch_docs.py",
            "_python_bodies.py",
            "_operators.py",
            "_sharding.py",
        } <= paths(folder / "torch")
        shutil.rmtree(folder)
        setup("build_module")
        assert {"__init__.py", "version.py", *MODULES} <= paths(folder / "torch")
    assert ran.outputs == set()


def test_install_in_a_prefix(tree, setup, python, elf, tmp_path):
    prefix = pathlib.Path(os.path.relpath(tmp_path / "relative", tree))
    with watched(tree) as ran:
        setup("install", f"--prefix={prefix}")
    assert ran.objects == set()
    site = site_packages(tmp_path / "relative")
    check_installed(site, tree, elf)
    assert (tmp_path / "relative/bin/torch-collect-env").exists()
    imported_from(python, site, PYTHONPATH=str(site))


def test_install_below_a_root(tree, setup, tmp_path):
    setup("build", "install", "--root", tmp_path / "image", "--prefix", "/opt/torch")
    (package,) = (tmp_path / "image").rglob("site-packages/torch")
    assert package.is_relative_to(tmp_path / "image/opt/torch") and (package / "lib/libTH.so.1").is_file()
    assert "not known here" in setup("install", "--home", tmp_path / "home", status=1)
    assert not (tmp_path / "home").exists()


def test_install_what_was_built_and_nothing_else(tree, edit, elf, tmp_path):
    """--skip-build takes what `build` has left, though the sources have changed since."""
    python = make_venv(tmp_path / "venv")
    run(python, "setup.py", "build", cwd=tree)
    for path in ("lib/THNN/src/activation/rectifiers.cpp", "torch/__init__.py"):
        edit.append(path, "this is no program\n")
    with watched(tree) as ran:
        run(python, "setup.py", "install", "--skip-build", cwd=tree)
    edit.back()
    assert ran.outputs == set()
    check_installed(site_packages(tmp_path / "venv"), tree, elf)
    imported_from(python, site_packages(tmp_path / "venv"))
    run(python, "setup.py", "build", "install", "--skip-build", "--prefix", tmp_path / "prefix", cwd=tree)
    imported_from(python, site_packages(tmp_path / "prefix"), PYTHONPATH=str(site_packages(tmp_path / "prefix")))


def test_pip_install_into_a_new_environment(tree, elf, tmp_path):
    python = make_venv(tmp_path / "venv")
    site = site_packages(tmp_path / "venv")
    before = paths(tmp_path / "venv")
    with watched(tree) as ran:
        run(python, "-m", "pip", "install", "--no-build-isolation", "--no-index", ".", cwd=tree)
    assert ran.objects == set()
    check_installed(site, tree, elf)
    imported_from(python, site)
    assert str(site) in run(tmp_path / "venv/bin/torch-collect-env", cwd="/")
    run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", tree / "tests/test_tiny.py", cwd="/")
    run(python, "-m", "pip", "uninstall", "-y", "torch", cwd="/")
    assert paths(tmp_path / "venv") == before
    with watched(tree) as ran:
        run(python, "-m", "pip", "install", "--no-build-isolation", "--no-index", "-e", ".", cwd=tree)
    assert ran.objects == set()
    imported_from(python, tree)


def test_another_name_and_version(tree, python, tmp_path):
    variables = {"TORCH_PACKAGE_NAME": "torch-nightly", "TORCH_BUILD_VERSION": "1.2.3.dev4+local"}
    with watched(tree) as ran:
        run(python, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--no-index", "-w", tmp_path, ".",
            cwd=tree, **variables)  # fmt: skip
    assert ran.objects == set()
    (wheel,) = tmp_path.iterdir()
    assert re.fullmatch(r"torch_nightly-1\.2\.3\.dev4\+local-cp3\d+-cp3\d+-linux_x86_64\.whl", wheel.name)
    with zipfile.ZipFile(wheel) as archive:
        assert b'__version__ = "1.2.3.dev4+local"' in archive.read("torch/version.py")
        assert "torch_nightly-1.2.3.dev4+local.dist-info/METADATA" in archive.namelist()


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


def test_the_checkout_is_still_what_is_imported(tree, setup, says):
    setup("develop")
    assert says("import torch; print(torch.__file__, torch.__version__)") == f"{tree}/torch/__init__.py {VERSION}"
