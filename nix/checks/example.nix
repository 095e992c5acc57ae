# examples/digits_knn.py on the real digits: at least 97 % right, or it exits with an error.
{
  runCommand,
  python,
  source,
}:
let
  src = source {
    name = "examples";
    paths = [ "examples" ];
  };
in
runCommand "torch-example" { } ''
  mkdir $out
  ${python}/bin/python ${src}/examples/digits_knn.py --png $out/doubtful.png 2>&1 | tee $out/report.txt
  test -s $out/doubtful.png
  echo "1 passed, 0 failed" >> $out/report.txt
''
