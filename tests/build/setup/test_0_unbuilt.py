"""What is said before anything is built."""

import re

from checkout import VERSION, is_refused, last_lines, paths, run

from tools.parts import parts


def test_every_command_is_listed(tree, untouched, setup):
    listed = dict(re.findall(r"^  (\w+)  +(.+)$", setup("--help-commands"), re.MULTILINE))
    for command in ("build", "build_deps", "build_ext", "build_module", "build_py", "clean", "create_version_file",
                    "develop", "install", "rebuild", "sdist"):  # fmt: skip
        assert len(listed[command]) > 10, command
    assert setup("--version").split() == [VERSION]
    assert setup("--version", TORCH_BUILD_VERSION="2.3.4+local").split() == ["2.3.4+local"]
    assert setup("--name", TORCH_PACKAGE_NAME="torch-nightly").split() == ["torch-nightly"]
    assert paths(tree) == untouched


def test_wrong_options_are_refused_all_at_once(tree, setup):
    wrong = {"DEBUG": "maybe", "USE_CUDNN": "1", "MAX_JOBS": "0", "USE_ROCM": "1", "USE_FBGEMM": "1", "USE_NUMPY": "0"}
    output = setup("build", status=1, USE_CUDDA="1", **wrong)
    is_refused(tree, output, *(f"{name}={value}: " for name, value in wrong.items()), "did you mean USE_CUDA?")
    output = setup("develop", status=1, DEBUG="1", REL_WITH_DEB_INFO="1")
    is_refused(tree, output, "DEBUG=1 and REL_WITH_DEB_INFO=1 contradict each other")


def test_an_unknown_part_is_refused_with_the_list(tree, setup):
    output = setup("build_deps", "--only", "TH,THX", status=1)
    is_refused(tree, output, "no 'THX'", ", ".join(parts()))


def test_a_missing_compiler_is_said_before_anything_is_built(tree, setup):
    output = setup("build_deps", status=1, CXX="/nowhere/c++")
    is_refused(tree, output, "C++ compiler", "/nowhere/c++", "nixw develop")


def test_nothing_can_be_built_again_before_it_was_built(tree, setup):
    is_refused(tree, setup("rebuild", status=1), "nothing has been built here yet", "python setup.py build")


def test_nothing_can_be_installed_before_it_was_built(tree, setup):
    output = setup("install", "--skip-build", status=1)
    is_refused(tree, output, "nothing has been built to install", "python setup.py build")


def test_the_version_file_alone(tree, setup):
    setup("create_version_file", TORCH_BUILD_VERSION="1.2.3+local", DEBUG="1")
    assert (tree / "torch/version.py").read_text().splitlines()[:4] == [
        '__version__ = "1.2.3+local"', "th = None", "debug = True", "cuda = None"]  # fmt: skip
    assert not (tree / "build").exists()
    (tree / "torch/version.py").unlink()


def test_an_unbuilt_checkout_says_what_to_type(tree, python):
    assert "python setup.py develop" in run(python, "-c", "import torch", cwd=tree, status=1)


def test_a_wrong_declaration_in_the_first_build(tree, setup, edit):
    path = "codegen/declarations/arithmetic.cwrap"
    edit(path, "  func: sub(", "  fucn: sub\n  func: sub(")
    output = setup("build_deps", "--only", "TH", status=1)
    edit.back()
    (log,) = (tree / "build/logs").glob("configure*.log")
    last_lines(output, "configure", log, "CMake Error", f"{path}:", "fucn")
    assert re.search(rf"{path}:\d+: .*fucn", output.splitlines()[-1]), output
    assert not (tree / "build/tmp_install/lib").exists()
