# What libraries with `cuda = true` in libraries.toml are made with, from cudaPackages: nixpkgs', nix/pkgs' or, in
# their place, the host's (host-cuda.nix). Evaluated only for those libraries.
#
# cudaOptions (torch.override gives them):
#   cudaCapabilities   devices to compile for, as PyTorch spells them: [ "8.0" "9.0+PTX" ]
#   ncclSupport        collectives of NCCL, torch._nccl; true where cudaPackages has nccl
#   cudnnSupport       refused: what it is for is not here
{
  lib,
  cudaOptions,
  cudaPackages,
}:
let
  # nixpkgs has renamed this one, and has had packages with fewer outputs.
  cccl = cudaPackages.cccl or cudaPackages.cuda_cccl;
  getInclude = lib.getInclude or lib.getDev;
  headers = package: [ (getInclude package) ];
  library = package: [
    (getInclude package)
    (lib.getLib package)
  ];

  # Capabilities, by the first and the last version of the toolkit that compiles for them.
  since = {
    "7.5" = "10.0";
    "8.0" = "11.0";
    "8.6" = "11.1";
    "8.7" = "11.4";
    "8.8" = "13.0";
    "8.9" = "11.8";
    "9.0" = "11.8";
    "10.0" = "12.8";
    "10.3" = "12.9";
    "11.0" = "13.0";
    "12.0" = "12.8";
    "12.1" = "12.9";
  };
  known = lib.sort lib.versionOlder (
    lib.attrNames (lib.filterAttrs (_: version: cudaPackages.cudaAtLeast version) since)
  );
  # "9.0+PTX" and "9.0a" are 9.0, said otherwise.
  capability =
    entry:
    let
      parts = builtins.match "([0-9.]+)[af]?([+]PTX)?" entry;
    in
    if parts == null then entry else lib.head parts;
  wanted = cudaOptions.cudaCapabilities or [ "9.0+PTX" ];
  unknown = lib.filter (entry: !(lib.elem (capability entry) known)) wanted;
  capabilities =
    if wanted == [ ] then
      throw "cudaCapabilities is empty; CUDA ${cudaPackages.cudaMajorMinorVersion} compiles for ${toString known}"
    else if unknown != [ ] then
      throw "cudaCapabilities: CUDA ${cudaPackages.cudaMajorMinorVersion} does not compile for '${lib.head unknown}'; it does for ${toString known}, each also with +PTX"
    else
      wanted;
in
assert lib.assertMsg (
  !(cudaOptions.cudnnSupport or false)
) "cudnnSupport: nothing here uses cuDNN; there are no convolutions on a GPU";
{
  inherit capabilities known;
  # The same without +PTX and the letters of one chip, as others' packages want them.
  plainCapabilities = lib.unique (map capability capabilities);
  # null: without collectives.
  nccl =
    if cudaOptions.ncclSupport or (cudaPackages ? nccl) then
      cudaPackages.nccl or (throw "ncclSupport: these cudaPackages, of CUDA ${cudaPackages.cudaMajorMinorVersion}, have no nccl")
    else
      null;
  # nvcc works with some compilers only.
  stdenv = cudaPackages.backendStdenv;
  nvcc = cudaPackages.cuda_nvcc;
  architectures = lib.concatStringsSep ";" capabilities;
  # Names in `vendor` of libraries.toml, beside those of vendor-packages.nix; NVRTC and NVTX are torch-cuda-modules.nix's.
  vendorPackages = {
    # The runtime's headers include some of the compiler's, which may be a package of their own.
    cuda_cudart =
      library cudaPackages.cuda_cudart
      ++ headers cudaPackages.cuda_nvcc
      ++ lib.optionals (cudaPackages ? cuda_crt) (headers cudaPackages.cuda_crt);
    cuda_cccl = headers cccl;
    cuda_nvrtc = library cudaPackages.cuda_nvrtc;
    cuda_nvtx = headers cudaPackages.cuda_nvtx;
    libcublas = library cudaPackages.libcublas;
    cudnn = library cudaPackages.cudnn;
    nccl = library cudaPackages.nccl;
  };
}
