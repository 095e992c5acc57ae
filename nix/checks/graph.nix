# The program behind `nix run .#graph`: parsing of what each version of Nix prints, layout, drawing.
{
  runCommand,
  bash,
  python3,
  source,
}:
let
  python = python3.withPackages (ps: [ ps.pytest ]);
  src = source {
    name = "graph-tests";
    paths = [
      "tools/graph"
      "tests/graph"
    ];
  };
in
runCommand "torch-graph-tests" { nativeBuildInputs = [ python ]; } ''
  cp -r --no-preserve=mode ${src} source && cd source
  mkdir $out
  # The sandbox has no /bin/sh for the test's own script.
  export SHELL_FOR_TESTS=${bash}/bin/bash
  python -m pytest -q -p no:cacheprovider --durations=5 tests/graph 2>&1 | tee $out/report.txt
''
