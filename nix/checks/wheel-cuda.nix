# The wheel with CUDA, on the host's (nix/host-cuda.nix) in the place of NVIDIA's own wheels: what is in it and what it
# requires, that it finds the toolkit where those are installed, and stray libraries.
{
  lib,
  runCommandCC,
  cudaPackages,
  patchelf,
  python3,
  source,
  wheel-cuda,
}:
let
  src = source {
    name = "wheel-cuda-tests";
    paths = map (file: "tests/wheel/${file}") [
      "check.py"
      "cuda.sh"
      "device.py"
      "functions.sh"
      "spoil.py"
    ]
    ++ [ "tests/hermetic/decoy.c" ];
  };
in
runCommandCC "torch-wheel-cuda-check"
  {
    nativeBuildInputs = [ patchelf ];
    BARE_PYTHON = "${python3}/bin/python3";
    TEST_PYTHON = "${python3.withPackages (ps: [ ps.pip ])}/bin/python3";
    INSTALLED = "${wheel-cuda.torch}/${python3.sitePackages}";
    STORE = builtins.storeDir;
    TOOLKIT = "${lib.getLib cudaPackages.cuda_cudart}/lib";
    NCCL = "${lib.getLib cudaPackages.nccl}/lib";
    BESIDE = lib.replaceStrings [ "'" ] [ "" ] (toString wheel-cuda.beside);
  }
  ''
    mkdir $out host
    export WHEEL=$(echo ${wheel-cuda}/*.whl) HOST_LIB=$PWD/host
    # A distribution has these two where its loader finds them; the sandbox has no such place.
    for library in libstdc++.so.6 libgcc_s.so.1; do
      ln -s $(readlink -f $($CXX -print-file-name=$library)) host/$library
    done
    # The libraries that the tests compile say themselves where they look; stdenv would add $out/lib.
    export NIX_LDFLAGS=
    bash ${src}/tests/wheel/cuda.sh ${src}/tests | tee $out/report.txt
  ''
