# The flake's outputs: names, and nothing that could not be said in one line.
{ self, nixpkgs }:
let
  inherit (nixpkgs) lib;
  forSystems = f: lib.genAttrs [ "x86_64-linux" ] (system: f (scopeOf nixpkgs.legacyPackages.${system}));
  scopeOf =
    pkgs:
    import ./scope.nix {
      inherit pkgs;
      # NVIDIA's packages are unfree. Allowed here, for the outputs that are made of them, and nowhere else: the
      # rest of those outputs comes from the package set as it is.
      inherit
        (import nixpkgs {
          inherit (pkgs.stdenv.hostPlatform) system;
          config = {
            allowUnfree = true;
            cudaSupport = true;
          };
        })
        cudaPackages
        ;
    };
in
{
  packages = forSystems (
    scope:
    scope.libraries
    // {
      default = scope.torch;
      inherit (scope)
        torch
        libtorch
        libtorch_python
        python
        tests-python
        bible
        digits
        gloo
        docs
        wheel
        ;
      libraries = scope.python-with-libraries;
      # With MPI under torch.distributed.
      inherit (scope) torch-mpi python-mpi;
      # On a toolkit whose kernels run on the host: for tests.
      torch-cuda-host = scope.hostCuda.torch-cuda;
      python-cuda-host = scope.hostCuda.python-cuda;
      THC-host = scope.hostCuda.cudaLibraries.THC;
      THCUNN-host = scope.hostCuda.cudaLibraries.THCUNN;
      THCS-host = scope.hostCuda.cudaLibraries.THCS;
      wheel-cuda-host = scope.hostCuda.wheel-cuda;
      torch-asan = (scope.sanitized "address").torch;
      torch-ubsan = (scope.sanitized "undefined").torch;
      torch-tsan = (scope.sanitized "thread").torch;
      python-asan = (scope.sanitized "address").python;
      python-ubsan = (scope.sanitized "undefined").python;
      python-tsan = (scope.sanitized "thread").python;
    }
  );

  apps = forSystems (scope: {
    default = {
      type = "app";
      program = "${scope.python}/bin/python";
      meta.description = "Python with torch";
    };
    examples = {
      type = "app";
      program = "${scope.examples}/bin/torch-examples";
      meta.description = "Trains something: nix run .#examples -- char_gpt";
    };
    graph = {
      type = "app";
      program = "${scope.graph}/bin/torch-graph";
      meta.description = "Draws the derivation graph with build times: nix run .#graph -- .#torch -o graph.svg";
    };
  });

  devShells = forSystems (scope: {
    default = scope.shell;
    bare = scope.shell.override { withTorch = false; };
  });

  checks = forSystems (scope: scope.checks);

  formatter = forSystems (scope: scope.formatter);

  # What NVIDIA's toolkit is for is here, where `nix flake check` does not look: it would have to evaluate what is unfree.
  legacyPackages = forSystems (
    scope:
    scope.extensionPackages
    // scope.cudaLibraries
    // {
      inherit (scope)
        library-wheels
        torch-cuda
        python-cuda
        tests-python-cuda
        wheel-cuda
        ;
      inherit (scope.cudaPackages) nccl;
      cuda-no-search-left = scope.callPackage ./checks/no-search-left.nix { torch = scope.torch-cuda; };
      cuda-toolkit = scope.callPackage ./checks/cuda-toolkit.nix { python = scope.python-cuda; };
      cuda = scope.shell.override { cudaSupport = true; };
    }
    # nixpkgs' nccl is never anything else.
    // lib.optionalAttrs (scope.extensionPackages ? setTests) {
      nccl-source = scope.cudaPackages.nccl.override {
        fromSource = true;
        cudaCapabilities = scope.cuda.plainCapabilities;
      };
    }
  );

  templates = rec {
    default = extension;
    extension = {
      path = ../templates/extension;
      description = "a C++ extension for torch";
    };
    project = {
      path = ../templates/project;
      description = "a shell with torch and two packages";
    };
  };

  overlays.default = import ./overlay.nix;
}
