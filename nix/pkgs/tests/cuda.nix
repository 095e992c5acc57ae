# cudaPackages has nixpkgs' names and outputs, and nothing of the rest of the set needs it. Pure evaluation: no wheel
# is fetched. What the packages do, cudaPackages.tests asks.
{
  lib,
  runCommand,
  cudaPackages,
  pkgs,
}:
let
  packages = lib.filterAttrs (_: lib.isDerivation) (
    removeAttrs (cudaPackages.packages cudaPackages) [
      "backendStdenv"
      "tests"
    ]
  );
  names = [
    "cccl"
    "cuda_cccl"
    "cuda_crt"
    "cuda_cudart"
    "cuda_nvcc"
    "cuda_nvrtc"
    "cuda_nvtx"
    "cudnn"
    "libcublas"
    "libcufft"
    "libcurand"
    "libcusolver"
    "libcusparse"
    "libnvjitlink"
    "nccl"
  ];
  flags = cudaPackages.flags.override {
    cudaCapabilities = [
      "8.0"
      "9.0"
    ];
  };
  free = lib.filterAttrs (_: package: package.meta.license.free) packages;
  # What a package is built from, by the text of its derivation, less the wheel.
  wheelOf = package: builtins.match "wheel nvidia-[a-z0-9-]+==[0-9.]+ [A-Za-z0-9_.-]+\\.whl" package.src.lockedFile;

  cases = {
    names = lib.attrNames packages == names;
    outputs = lib.all (name: lib.elem packages.${name}.outputs [ [ "out" ] [ "out" "dev" "include" "lib" "static" ] ]) names;
    unfree = lib.attrNames free == [ "nccl" ];
    lib = lib.getLib cudaPackages.libcublas == cudaPackages.libcublas.lib;
    dev = lib.getDev cudaPackages.libcublas == cudaPackages.libcublas.dev;
    include = lib.getInclude cudaPackages.libcublas == cudaPackages.libcublas.include;
    includeOfOthers = lib.getInclude pkgs.zlib == lib.getDev pkgs.zlib;
    cccl = cudaPackages.cccl.drvPath == cudaPackages.cuda_cccl.drvPath;
    wheels = lib.all (name: name == "cuda_nvcc" || wheelOf packages.${name} != null) names;
    versions =
      cudaPackages.cudaAtLeast "12.8"
      && cudaPackages.cudaAtLeast "13.0"
      && !(cudaPackages.cudaAtLeast "13.1")
      && cudaPackages.cudaOlder "13.1"
      && cudaPackages.cudaMajorVersion == "13"
      && lib.hasPrefix cudaPackages.cudaMajorMinorVersion cudaPackages.cuda_nvcc.version;
    flags =
      flags.realArches == [ "sm_80" "sm_90" ]
      && flags.arches == [ "sm_80" "sm_90" "compute_90" ]
      && flags.cmakeCudaArchitecturesString == "80;90"
      && lib.hasSuffix "-gencode=arch=compute_90,code=compute_90" flags.gencodeString;
    backendStdenv = cudaPackages.backendStdenv.cc == pkgs.stdenv.cc;
    # whoever replaces one of them has it in all
    scope =
      (cudaPackages.overrideScope (_: _: { cuda_nvrtc = pkgs.zlib; })).libcublas.drvPath
      != cudaPackages.libcublas.drvPath;
  };
  wrong = lib.attrNames (lib.filterAttrs (_: right: !right) cases);
in
assert lib.assertMsg (wrong == [ ]) "tests of cudaPackages that fail: ${toString wrong}";
runCommand "test-cuda" { } "echo ${toString (lib.length (lib.attrNames cases))} cases >$out"
