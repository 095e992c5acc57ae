# C and C++20 through CMake, Ninja and ctest.
{
  stdenv,
  cmake,
  ninja,
}:
stdenv.mkDerivation {
  pname = "test-hello";
  version = "1.2.3";
  src = ./hello;
  nativeBuildInputs = [
    cmake
    ninja
  ];
  doCheck = true;
  doInstallCheck = true;
  installCheckPhase = ''
    $out/bin/hello
    [ -e $out/lib/libgreet.so.1.2.3 ]
    # it finds the library beside it, by what fixup leaves of its rpath
    readelf -d $out/bin/hello | grep "(RUNPATH).*$out/lib"
  '';
}
