"""templates/extension: the project that `nix flake init -t` copies, built and tested as its README says."""

import os
import pathlib
import shutil
import sys

import pytest

HERE = pathlib.Path(__file__).parent

TEMPLATE = HERE.parent.parent / "templates/extension"
# The template as its own flake builds it, in nix/checks/extension.nix.
BUILT = os.environ.get("TORCH_TEMPLATE_PYTHON")


def test_with_pip(tmp_path, run):
    project, site = shutil.copytree(TEMPLATE, tmp_path / "project"), tmp_path / "site"
    run(
        sys.executable,
        "-m",
        "pip",
        "install",
        "--no-index",
        "--no-deps",
        "--no-build-isolation",
        "--target",
        site,
        project,
    )
    assert (site / "swish/__init__.py").exists()
    output = run(
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        cwd=project,
        PYTHONPATH=os.pathsep.join([str(site), os.environ.get("PYTHONPATH", "")]),
    )
    assert "4 passed" in output


@pytest.mark.skipif(BUILT is None, reason="TORCH_TEMPLATE_PYTHON names no Python that has the template's package")
def test_with_nix(run):
    code = "import swish, torch; print(swish.swish(torch.zeros(2)).tolist()); print(swish.__file__)"
    values, path = run(BUILT, "-c", code).splitlines()
    assert values == "[0.0, 0.0]"
    assert pathlib.Path(path).is_file()
