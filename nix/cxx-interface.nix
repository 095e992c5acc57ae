# cxxInterface { pname; name; folder; needs; description; } -> what others see of a C++ library: headers, CMake package,
# and an empty shared object with its soname. (C++ symbols are resolved when it is loaded.) So an edit in its .cpp files
# rebuilds nobody who links it.
#
# `name`: of the CMake package and of lib<name>.so.1. `folder` holds include/. `needs`: { CMake package = derivation; }
{
  lib,
  stdenv,
  cmake,
  source,
  version,
}:
{
  pname,
  name,
  folder,
  needs,
  description,
}:
stdenv.mkDerivation {
  inherit pname version;
  src = source {
    name = pname;
    paths = [
      "${folder}/include"
      "lib/cmake/LibraryConfig.cmake.in"
      "lib/cmake/write-config.cmake"
    ];
  };
  nativeBuildInputs = [ cmake ];
  propagatedBuildInputs = lib.attrValues needs;
  dontConfigure = true;
  buildPhase = ''
    runHook preBuild
    mkdir -p $out/lib
    $CC -shared -nostdlib -Wl,-soname,lib${name}.so.1 -o $out/lib/lib${name}.so.1 -x c /dev/null
    cp -r ${folder}/include $out/include
    cmake -DNAME=${name} -DNEEDS="${lib.concatStringsSep ";" (lib.attrNames needs)}" -DPREFIX=$out -P lib/cmake/write-config.cmake
    runHook postBuild
  '';
  dontInstall = true;
  meta = {
    inherit description;
    license = lib.licenses.bsd3;
    platforms = [ "x86_64-linux" ];
  };
}
