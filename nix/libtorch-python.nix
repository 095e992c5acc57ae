# libtorch_python: the bindings. torch._C is a stub that links it.
{
  lib,
  stdenv,
  cmake,
  ninja,
  patchelf,
  python3,
  generated,
  interfaces,
  libraries,
  source,
  version,
}:
let
  python = python3.withPackages (ps: [ ps.numpy ]);
  paths = [
    "csrc/python"
    "lib/cmake/LibraryConfig.cmake.in"
  ];
in
stdenv.mkDerivation {
  pname = "libtorch_python";
  inherit version;
  src = source {
    name = "libtorch_python";
    inherit paths;
  };
  unpackCmd = "cp -r --no-preserve=mode,timestamps $curSrc source";
  sourceRoot = "source";
  postPatch = ''
    source ${./manifest.sh}
    writeManifest torch_python ${toString paths}
    cd csrc/python
  '';
  nativeBuildInputs = [
    cmake
    ninja
    patchelf
    python
  ];
  buildInputs = [ libraries.THPP ];
  cmakeFlags = [
    "-DPYTHON_GENERATED=${generated.python}"
    "-DPython3_EXECUTABLE=${python}/bin/python3"
  ];
  postInstall = "installManifest";
  postFixup = ''
    source ${./relink.sh}
    rpathFrom '$ORIGIN' ${toString (map (i: "${i}/lib") (lib.attrValues interfaces))} \
      -- $out/lib/libtorch_python.so.1
  '';
  meta = {
    description = "Python bindings of torch: the library behind torch._C";
    license = lib.licenses.bsd3;
    platforms = [ "x86_64-linux" ];
  };
}
