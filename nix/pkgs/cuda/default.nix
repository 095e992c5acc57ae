# cudaPackages: NVIDIA's toolkit of generation 13.0 (drivers of series 580 and newer), from the wheels that NVIDIA
# publishes. Their versions are those that cuda-toolkit 13.0.2 names. The licence is unfree: only what asks for an
# attribute of this set evaluates or fetches any of it.
{
  lib,
  newScope,
  stdenv,
  zlib,
}:
lib.makeScope newScope (
  self:
  let
    inherit (self) callPackage mkCudaPackage;
  in
  {
    cudaMajorMinorVersion = "13.0";
    cudaMajorVersion = lib.versions.major self.cudaMajorMinorVersion;
    cudaAtLeast = lib.versionAtLeast self.cudaMajorMinorVersion;
    cudaOlder = lib.versionOlder self.cudaMajorMinorVersion;
    flags = callPackage ./flags.nix { };

    # nvcc 13.0 takes gcc up to 15.
    backendStdenv = stdenv;
    mkCudaPackage = callPackage ./make-package.nix { };

    tests = callPackage ./tests.nix { };

    # ---- compiler ----------------------------------------------------------------------------------
    cuda_nvcc = callPackage ./nvcc.nix { };
    cuda_crt = mkCudaPackage {
      pname = "cuda_crt";
      description = "Headers that nvcc includes by itself";
    };

    # ---- run time ----------------------------------------------------------------------------------
    cuda_cudart = mkCudaPackage {
      pname = "cuda_cudart";
      # Its headers include crt/host_defines.h.
      propagatedBuildInputs = [ self.cuda_crt ];
      # libcuda.so.1 comes with the driver; NixOS has it here.
      opens = [ "/run/opengl-driver/lib" ];
      description = "CUDA runtime";
    };
    cuda_nvrtc = mkCudaPackage {
      pname = "cuda_nvrtc";
      opens = [ "$ORIGIN" ]; # libnvrtc-builtins
      description = "Compiles CUDA C++ at run time";
    };
    libnvjitlink = mkCudaPackage {
      pname = "libnvjitlink";
      description = "Links device code at run time";
    };
    cuda_nvtx = mkCudaPackage {
      pname = "cuda_nvtx";
      description = "Marks ranges of time for NVIDIA's profilers";
    };

    # ---- headers of C++ ----------------------------------------------------------------------------
    cccl = mkCudaPackage {
      pname = "cccl";
      description = "CUB, Thrust and libcu++";
    };
    cuda_cccl = self.cccl;

    # ---- mathematics -------------------------------------------------------------------------------
    libcublas = mkCudaPackage {
      pname = "libcublas";
      opens = [ self.cuda_nvrtc ];
      description = "Basic linear algebra";
    };
    libcufft = mkCudaPackage {
      pname = "libcufft";
      opens = [
        self.cuda_nvrtc
        self.libnvjitlink
      ];
      description = "Fourier transforms";
    };
    libcurand = mkCudaPackage {
      pname = "libcurand";
      description = "Random numbers";
    };
    libcusparse = mkCudaPackage {
      pname = "libcusparse";
      buildInputs = [ self.libnvjitlink ];
      description = "Sparse linear algebra";
    };
    libcusolver = mkCudaPackage {
      pname = "libcusolver";
      buildInputs = [
        self.libcublas
        self.libcusparse
        self.libnvjitlink
      ];
      description = "Decompositions and eigenvalues";
    };
    cudnn = mkCudaPackage {
      pname = "cudnn";
      buildInputs = [
        self.libcublas
        zlib
      ];
      opens = [
        "$ORIGIN" # its parts
        self.cuda_nvrtc
        self.libcublas
      ];
      description = "Kernels of neural networks";
    };

    # ---- collectives -------------------------------------------------------------------------------
    nccl = callPackage ./nccl.nix { };
  }
)
