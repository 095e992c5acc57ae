# cudaPackages of the host CUDA (tests/host-cuda): a toolkit whose kernels run on the host, in the place of NVIDIA's,
# with the names that cuda.nix asks for. Never part of a package that anybody installs.
{
  lib,
  stdenv,
  cmake,
  ninja,
  pkgs,
  sanitizer,
  source,
  version,
}:
let
  toolkit = stdenv.mkDerivation {
    pname = "host-cuda";
    inherit version;
    src = source {
      name = "host-cuda";
      paths = map (file: "tests/host-cuda/${file}") (
        lib.attrNames (
          removeAttrs (builtins.readDir ../tests/host-cuda) [
            "README.md"
            "nccl"
            "tests"
          ]
        )
      );
    };
    unpackCmd = "cp -r --no-preserve=mode,timestamps $curSrc source";
    sourceRoot = "source/tests/host-cuda";
    nativeBuildInputs = [
      cmake
      ninja
    ];
    # Its own, whatever TH is linked with.
    buildInputs = [ pkgs.blas ];
    cmakeFlags = lib.optional (sanitizer.kind == "address") "-DHOST_CUDA_ASAN=ON";
    # DT_RPATH, as everywhere else.
    dontPatchELF = true;
    # Whoever calls nvcc says -ccbin; what runs with the runtime needs no compiler.
    postInstall = ''
      sed -i "s,$(type -P g++),g++,g" $out/bin/nvcc
    '';
    meta = {
      description = "A CUDA toolkit for machines without a GPU, for tests";
      license = lib.licenses.bsd3;
      platforms = [ "x86_64-linux" ];
    };
  };
  nccl = stdenv.mkDerivation {
    pname = "host-nccl";
    inherit version;
    src = source {
      name = "host-nccl";
      paths = [ "tests/host-cuda/nccl" ];
    };
    unpackCmd = "cp -r --no-preserve=mode,timestamps $curSrc source";
    sourceRoot = "source/tests/host-cuda/nccl";
    nativeBuildInputs = [
      cmake
      ninja
    ];
    cmakeFlags = [ "-DCUDA_HOME=${toolkit}" ];
    dontPatchELF = true;
    meta = {
      description = "Collective communication over memory, for tests";
      license = lib.licenses.bsd3;
      platforms = [ "x86_64-linux" ];
    };
  };
  cudaMajorMinorVersion = "13.0";
  # The version of what it stands for, which a wheel's requirements name.
  ofCuda = toolkit // { version = "${cudaMajorMinorVersion}.0"; };
in
{
  inherit cudaMajorMinorVersion;
  cudaAtLeast = lib.versionAtLeast cudaMajorMinorVersion;
  cudaOlder = lib.versionOlder cudaMajorMinorVersion;
  backendStdenv = stdenv;
  cuda_nvcc = toolkit;
  cuda_cudart = ofCuda;
  cuda_nvrtc = ofCuda;
  cuda_nvtx = ofCuda;
  cccl = toolkit;
  libcublas = ofCuda;
  nccl = nccl // { version = "2.28.9"; };
}
