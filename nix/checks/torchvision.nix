# torchvision's operators in C++, compiled against torch's headers from its own sources: PyTorch's results are recorded
# in tests/vision.
{
  runCommandCC,
  bash,
  ninja,
  python3,
  source,
  torch,
}:
let
  python = python3.withPackages (ps: [
    torch
    ps.numpy
    ps.pytest
    ps.setuptools
  ]);
  src = source {
    name = "torchvision-tests";
    paths = [ "tests/vision" ];
  };
in
runCommandCC "torch-torchvision-tests"
  {
    nativeBuildInputs = [
      ninja
      python
    ];
    vision = python3.pkgs.torchvision.src;
  }
  ''
    cp -r --no-preserve=mode ${src} source
    if [ -d $vision ]; then cp -r --no-preserve=mode $vision vision; else mkdir vision && tar -xf $vision -C vision --strip-components=1; fi
    mkdir $out
    export OMP_NUM_THREADS=2 HOME=$NIX_BUILD_TOP MAX_JOBS=$NIX_BUILD_CORES TORCHVISION_SOURCE=$PWD/vision
    # A compiler that does not optimise takes half of the time.
    printf '#!%s\nexec %s "$@" -O0 -g0\n' ${bash}/bin/bash "$(type -P "$CXX")" > unoptimised
    chmod +x unoptimised
    export CXX=$PWD/unoptimised PYTHONPATH=$PWD/source/tests
    python -m pytest -q -p no:cacheprovider --durations=3 source/tests/vision 2>&1 | tee $out/report.txt
  ''
