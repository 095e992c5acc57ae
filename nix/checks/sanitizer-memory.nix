# That a sanitizer which watches memory watches a tensor's, to the byte (tests/sanitizer/control.py).
{
  runCommand,
  python3,
  sanitizer,
  source,
  torch,
}:
let
  src = source {
    name = "sanitizer-memory";
    paths = [ "tests/sanitizer/control.py" ];
  };
in
runCommand "sanitizer-memory" { nativeBuildInputs = [ (python3.withPackages (_: [ torch ])) ]; } ''
  mkdir $out
  ${sanitizer.exports}python ${src}/tests/sanitizer/control.py ${sanitizer.kind} | tee $out/report.txt
''
