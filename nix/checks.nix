# The checks of `nix flake check`, each a derivation whose $out/report.txt ends in its closing lines.
{
  lib,
  pkgs,
  callPackage,
  hostCuda,
  libraries,
  libtorch,
  libtorch-interface,
  libtorch_python,
  libtorch_python-interface,
  openblas,
  sanitized,
  sanitizer,
  scopeOver,
  scopeWith,
  withPackages,
}:
let
  # Of the host's CUDA there is a variant for AddressSanitizer, and for no other.
  withHostCuda = lib.elem sanitizer.kind [
    null
    "address"
  ];
  # TH.tests.{unit,abi} becomes TH-unit, TH-abi; THC's are those on the host's CUDA.
  ofLibraries = lib.concatMapAttrs (
    name: library: lib.mapAttrs' (test: lib.nameValuePair "${name}-${test}") library.tests
  ) (libraries // lib.optionalAttrs withHostCuda hostCuda.cudaLibraries);

  # A BLAS whose integers have 64 bits.
  openblas64 = openblas.override { blas64 = true; };
in
ofLibraries
# The embedded package set brings unit tests of its own; nixpkgs has its own elsewhere.
// lib.optionalAttrs (pkgs ? setTests) {
  package-set = callPackage ./checks/package-set.nix { inherit (pkgs) setTests; };
}
# All tests run under a sanitizer by tests/sanitizer/run, for as long as that takes; that it finds what it should, here.
// lib.optionalAttrs sanitizer.active {
  control = callPackage ./checks/sanitizer-control.nix { };
}
// lib.optionalAttrs sanitizer.preloads {
  memory = callPackage ./checks/sanitizer-memory.nix { };
}
// lib.optionalAttrs withHostCuda {
  host-cuda = hostCuda.callPackage ./checks/host-cuda.nix { };
}
// lib.optionalAttrs (!sanitizer.active) {
  TH-unit = libraries.TH.tests.unit.override {
    others = [
      (withPackages {
        blas = openblas64;
        lapack = openblas64;
      }).libraries.TH
    ];
  };
  host-cuda-address = (sanitized "address").checks.host-cuda;
  sanitizer-address = (sanitized "address").checks.control;
  sanitizer-undefined = (sanitized "undefined").checks.control;
  sanitizer-thread = (sanitized "thread").checks.control;
}
// {
  libtorch-abi = callPackage ./checks/library-abi.nix {
    name = "torch";
    interface = libtorch-interface;
    implementation = libtorch;
  };
  libtorch_python-abi = callPackage ./checks/library-abi.nix {
    name = "torch_python";
    interface = libtorch_python-interface;
    implementation = libtorch_python;
  };
  codegen = callPackage ./checks/codegen.nix { };
  python = callPackage ./checks/python.nix { };
  docs = callPackage ./checks/docs.nix { };
  commands = callPackage ./checks/commands.nix { };
  wheel = callPackage ./checks/wheel.nix { };
  wheel-cuda = hostCuda.callPackage ./checks/wheel-cuda.nix { };
  build-tools = callPackage ./checks/build-tools.nix { };
  setup-py = callPackage ./checks/setup-py.nix {
    prebuilt = false;
    toolkit = null;
  };
  setup-py-prebuilt = callPackage ./checks/setup-py.nix {
    prebuilt = true;
    toolkit = null;
  };
  setup-py-cuda = callPackage ./checks/setup-py.nix {
    prebuilt = true;
    toolkit = hostCuda.cudaPackages;
  };
  extension = callPackage ./checks/extension.nix { };
  torchvision = callPackage ./checks/torchvision.nix { };
  formatter = callPackage ./checks/formatter.nix { };
  format = callPackage ./checks/format.nix { };
  graph = callPackage ./checks/graph.nix { };
  example = callPackage ./checks/example.nix { };
  examples = callPackage ./checks/examples.nix { };
  readme = callPackage ./checks/readme.nix { };
  closure = callPackage ./checks/closure.nix { };
  no-search-left = callPackage ./checks/no-search-left.nix { };
  hermetic = callPackage ./checks/hermetic.nix { withCuda = false; };
  overlay = callPackage ./checks/overlay.nix { };
  packages = callPackage ./checks/packages.nix { };
  rebuild-matrix = callPackage ./checks/rebuild-matrix.nix { inherit scopeWith; };
  vendors = callPackage ./checks/vendors.nix { };
  cuda-host = hostCuda.callPackage ./checks/cuda-host.nix { };
  cuda-no-search-left = callPackage ./checks/no-search-left.nix { torch = hostCuda.torch-cuda; };
  cuda-hermetic = hostCuda.callPackage ./checks/hermetic.nix {
    torch = hostCuda.torch-cuda;
    python = hostCuda.python-cuda;
    withCuda = true;
  };
  arguments = callPackage ./checks/arguments.nix { inherit scopeOver; };
  cuda-adds = callPackage ./checks/cuda-adds.nix { inherit scopeWith; };
  distributed = callPackage ./checks/distributed.nix { };
  mpi = callPackage ./checks/mpi.nix { };
  without-distributed = callPackage ./checks/without-distributed.nix { };
  typing = callPackage ./checks/typing.nix { };
  libraries = callPackage ./checks/libraries.nix { };
  libraries-toml = callPackage ./checks/libraries-toml.nix { inherit scopeWith; };
}
