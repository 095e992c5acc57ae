# The documentation's links lead somewhere, every declared operator has its page, its search and its inventory know them, and
# all examples print what they say; a damaged page is told.
{
  runCommand,
  docs,
  source,
}:
let
  src = source {
    name = "docs-check";
    paths = [
      "codegen"
      "docs/examples"
      "docs/guide"
      "docs/site"
      "tests/docs"
    ];
  };
in
runCommand "torch-docs-check" { nativeBuildInputs = [ docs.environment ]; } ''
  mkdir $out
  export PYTHONDONTWRITEBYTECODE=1 OMP_NUM_THREADS=1
  PYTHONPATH=${src}:${src}/docs/site python ${src}/tests/docs/check.py ${docs} ${src} 2>&1 | tee $out/report.txt
''
