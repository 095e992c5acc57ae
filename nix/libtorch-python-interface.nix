# What the extension modules see of libtorch_python: headers, CMake package, and an empty shared object
# with its soname. (C++ symbols are resolved when it is loaded.) So an edit in csrc/python/*.cpp
# rebuilds no module.
{
  lib,
  stdenv,
  cmake,
  libraries,
  source,
  version,
}:
stdenv.mkDerivation {
  pname = "libtorch_python-interface";
  inherit version;
  src = source {
    name = "libtorch_python-interface";
    paths = [
      "csrc/python/include"
      "lib/cmake/LibraryConfig.cmake.in"
      "lib/cmake/write-config.cmake"
    ];
  };
  nativeBuildInputs = [ cmake ];
  propagatedBuildInputs = [ libraries.THPP ];
  dontConfigure = true;
  buildPhase = ''
    runHook preBuild
    mkdir -p $out/lib
    $CC -shared -nostdlib -Wl,-soname,libtorch_python.so.1 -o $out/lib/libtorch_python.so.1 -x c /dev/null
    cp -r csrc/python/include $out/include
    cmake -DNAME=torch_python -DNEEDS=THPP -DPREFIX=$out -P lib/cmake/write-config.cmake
    runHook postBuild
  '';
  dontInstall = true;
  meta = {
    description = "Headers of libtorch_python, to build extension modules with";
    license = lib.licenses.bsd3;
    platforms = [ "x86_64-linux" ];
  };
}
