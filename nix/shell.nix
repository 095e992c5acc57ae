# `nix develop`: what it takes to work on all of it. `import torch` is the checkout: its compiled parts
# are those of the store until they are built in the tree (tools/shell.py, tools/prebuilt.py).
# `withTorch = false` (nix develop .#bare) builds nothing beforehand: for a tree that does not compile.
# `cudaSupport` (nix develop .#cuda): with a toolkit, and the parts that CUDA adds.
{
  lib,
  mkShell,
  stdenv,
  ccache,
  clang-tools,
  cmake,
  formatter,
  gdb,
  gtest,
  ninja,
  patchelf,
  python3,
  ruff,
  shellcheck,
  torch,
  torch-cuda,
  cuda,
  vendorPackages,
  withTorch,
  cudaSupport,
}:
let
  package = if cudaSupport then torch-cuda else torch;
  vendors =
    lib.concatLists (lib.attrValues vendorPackages)
    ++ lib.optionals cudaSupport (
      lib.unique (with cuda.vendorPackages; cuda_cudart ++ cuda_cccl ++ libcublas)
    );
  python = python3.withPackages (ps: [
    ps.array-api-compat
    ps.build
    ps.einops
    ps.hypothesis
    ps.numpy
    ps.opt-einsum
    ps.pip
    ps.pybind11
    ps.pycparser
    ps.pytest
    ps.pytest-xdist
    ps.pyyaml
    ps.setuptools
    ps.wheel
  ]);
in
mkShell {
  name = "torch-shell";
  packages = [
    ccache
    clang-tools
    cmake
    formatter
    gdb
    ninja
    patchelf
    python
    ruff
    shellcheck
  ]
  ++ lib.optional cudaSupport cuda.nvcc;
  buildInputs = [ gtest ] ++ vendors;
  TORCH_PREBUILT = lib.optionalString withTorch (
    lib.concatMapStringsSep ":" toString (package.parts ++ package.objects)
  );
  # As the package has it: else an edit of lib/THD would not be built.
  USE_DISTRIBUTED = "1";
  # What one checkout compiled serves another.
  CCACHE_NOHASHDIR = "1";
  # Every file of the store has the same time stamp, by which ccache would tell compilers apart.
  CCACHE_COMPILERCHECK = "string:${stdenv.cc}";
  # Without these it does not look at what includes a precompiled header.
  CCACHE_SLOPPINESS = "pch_defines,time_macros";
  # The linker does not look into the rpath of a library that it is given for what that one needs.
  NIX_LDFLAGS = lib.concatMapStringsSep " " (vendor: "-rpath-link ${lib.getLib vendor}/lib") vendors;
  shellHook = ''
    unset PYTHONPATH LD_LIBRARY_PATH
    torchRoot=$PWD
    while [ "$torchRoot" ] && [ ! -e "$torchRoot/lib/libraries.toml" ]; do torchRoot=''${torchRoot%/*}; done
    if [ "$torchRoot" ]; then
      export CCACHE_BASEDIR=$torchRoot
      PYTHONPATH=$torchRoot ${python}/bin/python -B -m tools.shell
      if [ -e "$torchRoot/.venv/origin.txt" ]; then # made by tools/shell.py; never somebody else's
        export VIRTUAL_ENV=$torchRoot/.venv PATH=$torchRoot/.venv/bin:$PATH
      fi
    else
      echo "torch: this is no checkout; the tools are on PATH" >&2
    fi
    unset torchRoot
  '';
}
