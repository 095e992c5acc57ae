# torch.distributed, by behaviour: processes on this machine that compute together. One test at a time, since each starts
# several. Under a sanitizer those whose ranks are threads of one process, where it sees what they do to each other.
{
  runCommand,
  python3,
  sanitizer,
  source,
  torch,
}:
let
  src = source {
    name = "distributed-tests";
    paths = [
      "tests/conftest.py"
      "tests/distributed"
      "tests/golden/cases"
      "tests/golden/codec.py"
      "tests/golden/inputs.py"
      "tests/golden/row.py"
      "tests/nn/data"
      "tests/nn/nn_golden.py"
      "tests/nn/nn_oracle.py"
    ];
  };
  python = python3.withPackages (ps: [
    torch
    ps.hypothesis
    ps.numpy
    ps.pytest
  ]);
in
runCommand "torch-distributed-tests" { } ''
  cp -r --no-preserve=mode ${src}/tests .
  mkdir $out
  export OMP_NUM_THREADS=1 HOME=$NIX_BUILD_TOP PATH=${python}/bin:$PATH
  ${sanitizer.exports}python -m pytest -q -p no:cacheprovider --durations=10 -rs ${toString sanitizer.distributed} 2>&1 |
    tee $out/report.txt
''
