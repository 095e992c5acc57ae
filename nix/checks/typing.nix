# What mypy and pyright say of programs over torch is what they say over PyTorch: tests/typing.
{
  pyright,
  python3,
  runCommand,
  source,
  torch,
}:
let
  src = source {
    name = "typing-tests";
    paths = [
      "pyproject.toml"
      "tests/conftest.py"
      "tests/typing"
    ];
  };
  python = python3.withPackages (ps: [
    torch
    ps.hypothesis
    ps.mypy
    ps.numpy
    ps.pytest
  ]);
in
runCommand "torch-typing-check" { nativeBuildInputs = [ pyright ]; } ''
  cd ${src}/tests/typing
  mkdir $out
  ${python}/bin/python -m pytest -q -p no:cacheprovider . 2>&1 | tee $out/report.txt
''
