"""What nvcc is told of every .cu file, torch's own (lib/cmake/TorchCuda.cmake) and those of extensions (toolkit.py), agrees
where both files say that it does. They cannot share a file: libraries are built before there is a package, and an extension
sees the package alone.
"""

import ast
import pathlib
import re

ROOT = pathlib.Path(__file__).parents[2]


def of_libraries():
    text = (ROOT / "lib/cmake/TorchCuda.cmake").read_text()
    command = text[text.index('COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} "${TORCH_NVCC}"') :]
    return command[: command.index("VERBATIM")]


def of_extensions():
    tree = ast.parse((ROOT / "torch/utils/_extension/toolkit.py").read_text())
    (options,) = (
        node.value
        for node in tree.body
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "OPTIONS"
    )
    return ast.literal_eval(options)


def test_language():
    language = [option for option in of_extensions() if option.startswith("--")]
    assert language, "headers of torch need some"
    assert re.findall(r"--expt-[\w-]+", of_libraries()) == language


def test_position_independent():
    host = of_extensions()
    assert host[host.index("-Xcompiler") + 1] == "-fPIC"
    assert re.search(r"-Xcompiler -fPIC\b", of_libraries())
