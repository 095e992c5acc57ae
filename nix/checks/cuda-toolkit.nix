# torch-cuda as it is installed, compiled by NVIDIA's own toolkit, where there is no driver: a sandbox has none.
{
  runCommand,
  python,
  source,
}:
let
  src = source {
    name = "cuda-toolkit-tests";
    paths = [
      "tests/cuda/driver.py"
      "tests/cuda/nvrtc.py"
      "tests/cuda/without_driver.py"
    ];
  };
in
runCommand "torch-cuda-toolkit-tests" { nativeBuildInputs = [ python ]; } ''
  mkdir $out
  for test in driver without_driver nvrtc; do
    python ${src}/tests/cuda/$test.py 2>&1 | tee -a $out/report.txt
  done
''
