# Libraries over torch run their first example as they do over PyTorch 2.13 (tests/libraries), and tensorboard reads what
# torch.utils.tensorboard writes.
{
  python-with-libraries,
  runCommand,
  source,
}:
let
  src = source {
    name = "libraries-tests";
    paths = [
      "tests/libraries"
      "tests/utils/test_tensorboard.py"
    ];
  };
in
runCommand "torch-libraries-check" { } ''
  mkdir $out
  export PYTHONDONTWRITEBYTECODE=1
  tests=${src}/tests
  ${python-with-libraries}/bin/python $tests/libraries/run.py 2>&1 | tee $out/report.txt
  ${python-with-libraries}/bin/python -m pytest -q -rs -p no:cacheprovider $tests/utils 2>&1 | tee tensorboard.txt
  cat tensorboard.txt >>$out/report.txt
  if grep skipped tensorboard.txt; then echo "error: tensorboard is there, and its tests are skipped"; exit 1; fi
''
