# The documentation's links lead somewhere, and every declared operator has its entry; a damaged copy is told.
{
  runCommand,
  docs,
  python3,
  source,
}:
let
  python = python3.withPackages (ps: [ ps.pyyaml ]);
  src = source {
    name = "docs-check";
    paths = [
      "codegen"
      "tests/docs"
    ];
  };
in
runCommand "torch-docs-check" { nativeBuildInputs = [ python ]; } ''
  mkdir $out
  PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=${src} python ${src}/tests/docs/check.py ${docs} 2>&1 | tee $out/report.txt
''
