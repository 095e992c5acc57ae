"""A step that fails: what is said, and that what was there still works."""

import re

from checkout import CLOSE, SIGMOID, contents, last_lines, run, watched


def test_a_syntax_error(tree, setup, edit, says):
    before = contents(tree / "build/tmp_install")
    path = "csrc/python/values/layout.cpp"
    edit.append(path, "int broken(\n")
    output = setup("develop", status=1)
    last_lines(output, "build_ext", tree / "build/logs/build_ext.log", "FAILED: ", f"{path}:", "error: ")
    assert "error: " in output.splitlines()[-1]
    assert contents(tree / "build/tmp_install") == before and says(SIGMOID) == "0.25"
    edit.back()
    with watched(tree) as ran:
        setup("develop")
    assert ran.objects == {"torch_python/CMakeFiles/torch_python.dir/values/layout.cpp.o"}
    assert says(SIGMOID) == "0.25"


def test_a_declared_name_that_is_bound_by_hand(tree, setup, edit, python, says):
    edit("codegen/declarations/comparison.cwrap", "  func: isclose(", "  aliases: [item]\n  func: isclose(")
    setup("develop")
    said = run(python, "-c", "import torch", cwd=tree, status=1)
    assert "SystemError: torch.Tensor binds these names twice: item" in said
    edit.back()
    setup("develop")
    assert says(CLOSE) == "True"


def test_a_wrong_declaration(tree, setup, edit, says):
    path = "codegen/declarations/comparison.cwrap"
    edit(path, "  func: isclose(", "  fucn: isclose\n  func: isclose(")
    output = setup("develop", status=1)
    last_lines(output, "codegen", tree / "build/logs/codegen.log", "FAILED: ", f"{path}:", "fucn")
    assert re.search(rf"{path}:\d+: ", output.splitlines()[-1]), output
    assert says(CLOSE) == "True"
    edit.back()
    with watched(tree) as ran:
        setup("develop")
    assert ran.objects == set(), "it is as it was"
