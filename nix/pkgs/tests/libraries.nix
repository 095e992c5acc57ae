# Each library is found by CMake (and pkg-config) under the name that its own project documents,
# and works.
{
  stdenv,
  cmake,
  ninja,
  pkg-config,
  gtest,
  libhwy,
  oneDNN,
  openblas,
  zlib,
}:
stdenv.mkDerivation {
  pname = "test-libraries";
  version = "1";
  src = ./libraries;
  nativeBuildInputs = [
    cmake
    ninja
    pkg-config
  ];
  buildInputs = [
    gtest
    libhwy
    oneDNN
    openblas
    zlib
  ];
  cmakeFlags = [ "-DBLAS_INTEGER_BYTES=${if openblas.blas64 then "8" else "4"}" ];
  doCheck = true;
  installPhase = "touch $out";
}
