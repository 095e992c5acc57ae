# setup.py for real, in a copy of the tree. Without prebuilt parts: everything is compiled once here, by a compiler that
# does not optimise (tests/build/setup/conftest.py). Or, a check of its own that can run at the same time, with the
# parts of torch, in what begins where they are there; or over these what a toolkit of CUDA adds.
{
  prebuilt,
  toolkit,
  lib,
  runCommandCC,
  bash,
  binutils,
  cmake,
  ninja,
  python3,
  source,
  torch,
  vendorPackages,
}:
let
  python = python3.withPackages (ps: [
    ps.build
    ps.numpy
    ps.pip
    ps.pybind11
    ps.pycparser
    ps.pytest
    ps.pyyaml
    ps.setuptools
    ps.typing-extensions
    ps.wheel
  ]);
  src = source {
    name = "setup-py-tests";
    paths = [
      "CMakeLists.txt"
      "LICENSE"
      "MANIFEST.in"
      "README.md"
      "codegen"
      "csrc"
      "lib"
      "nix/manifest.sh"
      "pyproject.toml"
      "setup.py"
      "tests/build/conftest.py"
      "tests/build/setup"
      "tests/test_tiny.py"
      "torch"
      "version.txt"
    ]
    ++ map (file: "tools/${file}") (
      lib.filter (file: lib.hasSuffix ".py" file || lib.hasSuffix ".cmake" file) (
        builtins.attrNames (builtins.readDir ../../tools)
      )
    );
  };
  cuda = toolkit != null;
  files = if cuda then "7" else if prebuilt then "45" else "!457";
in
runCommandCC "torch-setup-py-tests${lib.optionalString prebuilt "-prebuilt"}${lib.optionalString cuda "-cuda"}"
  (lib.optionalAttrs prebuilt {
    PARTS = lib.concatMapStringsSep ":" toString (torch.parts ++ torch.objects); # as in the shell
  } // lib.optionalAttrs cuda {
    CUDA_HOME = toolkit.cuda_nvcc;
    NCCL_ROOT = toolkit.nccl;
  } // {
    nativeBuildInputs = [
      bash
      binutils
      cmake
      ninja
      python
    ];
    buildInputs = lib.concatLists (lib.attrValues vendorPackages);
  })
  ''
    cp -r --no-preserve=mode ${src} source && cd source
    mkdir $out
    # CMake writes Makefiles for /bin/sh, which the sandbox has not; what these flags set goes before that.
    export HOME=$NIX_BUILD_TOP MAX_JOBS=$NIX_BUILD_CORES GNUMAKEFLAGS=SHELL=${bash}/bin/bash
    python -m pytest -q -p no:cacheprovider --durations=5 tests/build/setup/test_[${files}]_*.py 2>&1 | tee $out/report.txt
  ''
