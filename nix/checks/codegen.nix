# codegen's own tests.
{
  runCommandCC,
  python3,
  source,
}:
let
  python = python3.withPackages (ps: [
    ps.pycparser
    ps.pytest
    ps.pyyaml
  ]);
  src = source {
    name = "codegen-tests";
    paths = [
      "codegen"
      "csrc"
      "docs/coverage-cuda.md"
      "docs/th-names.toml"
      "lib/TH/include"
      "lib/THC/include"
      "lib/THCS/include"
      "lib/THCUNN/include"
      "lib/THNN/include"
      "lib/THS/include"
      "lib/THPP/include"
      "lib/THPP/src"
      "tests/amp/autocast_cases.py"
      "tests/names/th.txt"
    ];
  };
in
runCommandCC "codegen-tests" { nativeBuildInputs = [ python ]; } ''
  cp -r --no-preserve=mode ${src} source && cd source
  mkdir $out
  python -m pytest -q -p no:cacheprovider --durations=5 codegen/tests 2>&1 | tee $out/report.txt
''
