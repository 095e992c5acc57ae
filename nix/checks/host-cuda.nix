# The host CUDA's own tests: that it is as strict as what it stands for. THC's tests prove nothing on one that is not.
# Under AddressSanitizer: that this finds what a kernel reads out of bounds.
{
  lib,
  stdenv,
  cmake,
  ninja,
  gtest,
  blas,
  sanitizer,
  source,
  version,
  cudaPackages,
}:
stdenv.mkDerivation {
  pname = "host-cuda-tests";
  inherit version;
  src = source {
    name = "host-cuda-tests";
    paths = [ "tests/host-cuda/tests" ];
  };
  sourceRoot = "source/tests/host-cuda/tests";
  unpackCmd = "cp -r --no-preserve=mode,timestamps $curSrc source";
  nativeBuildInputs = [
    cmake
    ninja
  ];
  buildInputs = [ gtest ];
  cmakeFlags = [
    "-DCUDA_HOME=${cudaPackages.cuda_nvcc}"
    "-DNCCL_HOME=${cudaPackages.nccl}"
  ]
  ++ lib.optional (sanitizer.kind == "address") "-DHOST_CUDA_ASAN=ON";
  # The linker wants to see what libcublas needs in its turn.
  preConfigure = ''
    export NIX_LDFLAGS+=" -rpath-link ${lib.getLib blas}/lib"
  '';
  doCheck = true;
  checkPhase = ''
    runHook preCheck
    ${sanitizer.exports}ctest --output-on-failure -j$NIX_BUILD_CORES | tee report.txt
    runHook postCheck
  '';
  installPhase = "install -Dm644 report.txt $out/report.txt";
  dontFixup = true;
}
