# The README's example prints what the README says.
{
  runCommand,
  python,
  source,
}:
let
  src = source {
    name = "readme";
    paths = [
      "README.md"
      "tests/readme.py"
    ];
  };
in
runCommand "torch-readme" { } ''
  mkdir $out
  ${python}/bin/python ${src}/tests/readme.py ${src}/README.md | tee $out/report.txt
''
