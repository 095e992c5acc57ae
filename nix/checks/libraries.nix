# Libraries over torch run their first example as they do over PyTorch 2.13: tests/libraries.
{
  python-with-libraries,
  runCommand,
  source,
}:
let
  src = source {
    name = "libraries-tests";
    paths = [ "tests/libraries" ];
  };
in
runCommand "torch-libraries-check" { } ''
  mkdir $out
  cd ${src}/tests/libraries
  PYTHONDONTWRITEBYTECODE=1 ${python-with-libraries}/bin/python run.py 2>&1 | tee $out/report.txt
''
