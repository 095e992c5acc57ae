# What CUDA adds, without a GPU: the package on the host's CUDA (nix/host-cuda.nix) imports, and tests/cuda, the golden
# answers of the CPU, those of torch.nn, all gradients and the sparse programs hold with device="cuda", and so does mixed
# precision. And every kernel there is called by some operator (tests/slots); calls are not counted under a sanitizer, as in python.nix.
{
  lib,
  runCommandCC,
  python3,
  sanitizer,
  slotTables,
  source,
  torch-cuda,
}:
let
  python = python3.withPackages (ps: [
    torch-cuda
    ps.hypothesis
    ps.numpy
    ps.pytest
    ps.pytest-xdist
  ]);
  src = source {
    name = "cuda-tests";
    paths = [
      "tests/amp"
      "tests/autograd"
      "tests/cuda"
      "tests/golden"
      "tests/nn"
      "tests/slots"
      "tests/sparse"
    ]
    ++ map (file: "tests/${file}") (
      lib.filter (lib.hasSuffix ".py") (builtins.attrNames (builtins.readDir ../../tests))
    );
  };
in
# NVRTC's stand-in compiles with the compiler that it finds.
runCommandCC "torch-cuda-host-tests" { nativeBuildInputs = [ python ]; } ''
  cp -r --no-preserve=mode ${src}/tests .
  mkdir $out
  export OMP_NUM_THREADS=1 HOME=$NIX_BUILD_TOP
  # Or all of it would be skipped.
  ${sanitizer.exports}python -c 'import torch; assert torch.cuda.is_available(), torch.cuda'
  ${lib.optionalString (!sanitizer.active) ''
    mkdir counts
    export SLOT_TABLES=${slotTables.cuda} SLOT_COUNTS=$PWD/counts
  ''}
  python -m pytest -q -p no:cacheprovider --durations=5 -n $NIX_BUILD_CORES ${toString sanitizer.leaveOut} \
    tests/amp/test_autocast_cuda.py tests/cuda tests/golden/test_golden_cuda.py tests/nn/test_nn_cuda.py tests/autograd/test_gradients_cuda.py \
    tests/sparse/test_sparse_cuda.py 2>&1 |
    tee $out/report.txt
  # Blocks, threads and streams go on in another order: the answers are the same.
  HOST_CUDA_ORDER=20261123 python -m pytest -q -p no:cacheprovider -n $NIX_BUILD_CORES ${toString sanitizer.leaveOut} \
    tests/golden/test_golden_cuda.py 2>&1 | tee -a $out/report.txt
  ${lib.optionalString (!sanitizer.active) ''
    python tests/slots/report.py $SLOT_COUNTS $SLOT_TABLES 2>&1 | tee -a $out/report.txt
  ''}
''
