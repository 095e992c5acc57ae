# The commands that the documents show work: what can be run is run, what names tests selects some, what names an output of
# the flake finds it.
{
  runCommand,
  python3,
  source,
  torch,
}:
let
  python = python3.withPackages (ps: [
    torch
    ps.hypothesis
    ps.numpy
    ps.pytest
    ps.pyyaml
    ps.setuptools
  ]);
  src = source {
    name = "commands";
    paths = [
      ".ci"
      "CONTRIBUTING.md"
      "README.md"
      "benchmarks"
      "codegen"
      "docs"
      "examples"
      "lib/TH/tests"
      "lib/libraries.toml"
      "nix/checks.nix"
      "nix/outputs.nix"
      "pyproject.toml"
      "setup.py"
      "templates"
      "tests"
      "tools"
      "version.txt"
    ];
  };
in
runCommand "torch-commands" { nativeBuildInputs = [ python ]; } ''
  mkdir $out
  cp -r --no-preserve=mode ${src} source
  export HOME=$PWD OMP_NUM_THREADS=1
  python source/tests/docs/commands.py $PWD/source 2>&1 | tee $out/report.txt
''
