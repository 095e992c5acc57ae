# The tests of the Python package, by behaviour, from a folder that holds no torch/ of its own: test_tiny.py and the
# folders below. (The other folders of tests/ belong to other checks.) While they run, the calls of each kernel are counted:
# some operator calls every one (tests/slots). Not under a sanitizer, where some tests are left out.
{
  lib,
  runCommand,
  python3,
  sanitizer,
  slotTables,
  source,
  torch,
}:
let
  python = python3.withPackages (ps: [
    torch
    ps.array-api-compat
    ps.einops
    ps.hypothesis
    ps.numpy
    ps.opt-einsum
    ps.pytest
    ps.pytest-xdist
  ]);
  src = source {
    name = "python-tests";
    paths = [
      "docs/backends.md"
      "docs/data-loading.md"
      "docs/differences.md"
      "docs/th-names.toml"
      "tests/amp"
      "tests/autograd"
      "tests/data"
      "tests/distributions"
      "tests/fft"
      "tests/fuzz"
      "tests/fx"
      "tests/golden"
      "tests/interop"
      "tests/legacy"
      "tests/library"
      "tests/linalg"
      "tests/masked"
      "tests/multiprocessing"
      "tests/names"
      "tests/nn"
      "tests/operators"
      "tests/optim"
      "tests/package"
      "tests/profiler"
      "tests/random"
      "tests/serialization"
      "tests/signal"
      "tests/slots"
      "tests/sparse"
      "tests/tensor"
      "tests/testing"
      "tests/typing"
      "tests/utils"
    ]
    ++ map (file: "tests/${file}") (
      lib.filter (lib.hasSuffix ".py") (builtins.attrNames (builtins.readDir ../../tests))
    );
  };
in
runCommand "torch-python-tests" { nativeBuildInputs = [ python ]; } ''
  cp -r --no-preserve=mode ${src}/{docs,tests} .
  mkdir $out
  export OMP_NUM_THREADS=2 HOME=$NIX_BUILD_TOP
  ${lib.optionalString (!sanitizer.active) ''
    mkdir counts
    export SLOT_TABLES=${slotTables.cpu} SLOT_COUNTS=$PWD/counts
  ''}
  # A process for each core, which reads the oracle's data that its part of the tests asks for. (5: no test is in a part.)
  part() {
    ${sanitizer.exports}python -m pytest -q -p no:cacheprovider --durations=5 --part $1/$NIX_BUILD_CORES ${toString (sanitizer.leaveOut ++ sanitizer.tests)} 2>&1 ||
      [ $? = 5 ]
  }
  running=()
  for number in $(seq $NIX_BUILD_CORES); do
    (part $number | tee part$number.txt) &
    running+=($!)
  done
  failed=0
  for process in ''${running[@]}; do wait $process || failed=1; done
  cat $(seq -f part%.0f.txt $NIX_BUILD_CORES) > $out/report.txt
  [ $failed = 0 ]
  sed -n 's/^\([0-9]* passed\).*/\1/p' $out/report.txt | awk '{ all += $1 } END { print all " passed" }' | tee -a $out/report.txt
  ${lib.optionalString (!sanitizer.active) ''
    python tests/slots/report.py $SLOT_COUNTS $SLOT_TABLES 2>&1 | tee -a $out/report.txt
  ''}
''
