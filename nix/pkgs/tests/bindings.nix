# pybind11 is found by CMake, by its Python package and under include/, and what it binds works.
{
  stdenv,
  cmake,
  ninja,
  python3,
  python3Packages,
}:
let
  inherit (python3Packages) pybind11;
  python = python3.withPackages (_: [ pybind11 ]);
in
stdenv.mkDerivation {
  pname = "test-bindings";
  inherit (pybind11) version;
  src = ./bindings;
  nativeBuildInputs = [
    cmake
    ninja
    python3
  ];
  buildInputs = [ pybind11 ];
  doInstallCheck = true;
  installCheckPhase = ''
    PYTHONPATH=$out/lib python -c 'import bound; assert bound.total([1, 2, 3]) == 6'
    # the same from what the Python package says of itself
    suffix=$(python -c 'import sysconfig; print(sysconfig.get_config_var("EXT_SUFFIX"))')
    mkdir by-hand
    flags=$(${python}/bin/pybind11-config --includes)
    g++ -shared -fPIC -std=c++17 $flags ../bound.cpp -o by-hand/bound$suffix
    PYTHONPATH=by-hand python -c 'import bound; assert bound.total([4, 5]) == 9'
    [ "$(${python}/bin/pybind11-config --version)" = ${pybind11.version} ]
    [ -e ${pybind11}/include/pybind11/pybind11.h ]
    [ -e ${pybind11}/share/cmake/pybind11/pybind11Config.cmake ]
  '';
}
