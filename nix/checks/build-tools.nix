# tools/: what setup.py and the shell do, module by module; and that the parts in the store say of
# themselves that they were made from this tree, so that a shell compiles nothing of it again.
{
  lib,
  runCommandCC,
  bash,
  cmake,
  ninja,
  python3,
  source,
  torch,
  vendorPackages,
}:
let
  python = python3.withPackages (ps: [
    ps.numpy
    ps.packaging
    ps.pybind11
    ps.pycparser
    ps.pytest
    ps.pyyaml
    ps.setuptools
  ]);
  ofFolder =
    folder: keep:
    map (file: "${folder}/${file}") (lib.filter keep (builtins.attrNames (builtins.readDir (../.. + "/${folder}"))));
  src = source {
    name = "build-tools-tests";
    paths = [
      ".ci/steps.sh"
      "codegen"
      "csrc"
      "docs/third-party.md"
      "lib"
      "nix/cuda.nix"
      "nix/manifest.sh"
      "nix/shell.nix"
      "tests/plain"
      "torch/utils/_extension/toolkit.py"
      "version.txt"
    ]
    ++ ofFolder "tools" (file: lib.hasSuffix ".py" file || lib.hasSuffix ".cmake" file || file == "commit-msg")
    # setup-py.nix has the folder of those that compile everything.
    ++ ofFolder "tests/build" (lib.hasSuffix ".py");
  };
in
runCommandCC "torch-build-tools-tests"
  {
    nativeBuildInputs = [
      bash
      cmake
      ninja
      python
    ];
    buildInputs = lib.concatLists (lib.attrValues vendorPackages);
    PARTS = lib.concatMapStringsSep ":" toString (torch.parts ++ torch.objects); # as in the shell
  }
  ''
    cp -r --no-preserve=mode ${src} source && cd source
    mkdir $out
    # The sandbox has no /bin/sh for the scripts that stand in for compilers.
    sed -i 's,#!/bin/sh,#!${bash}/bin/sh,' tests/build/*.py
    export HOME=$NIX_BUILD_TOP
    TORCH_PREBUILT=$PARTS python -m pytest -q -p no:cacheprovider --durations=5 tests/build/test_prebuilt.py 2>&1 | tee $out/report.txt
    python -m pytest -q -p no:cacheprovider --durations=5 --ignore tests/build/test_prebuilt.py tests/build 2>&1 | tee -a $out/report.txt
  ''
