# `nix develop`: what it takes to work on the libraries and the extension by hand.
{
  lib,
  mkShell,
  cmake,
  ninja,
  patchelf,
  gtest,
  libhwy,
  openblas,
  python3,
  libraries,
}:
mkShell {
  inputsFrom = lib.attrValues libraries;
  packages = [
    cmake
    ninja
    patchelf
    gtest
    libhwy
    openblas
    (python3.withPackages (ps: [
      ps.hypothesis
      ps.numpy
      ps.pip
      ps.pycparser
      ps.pytest
      ps.pyyaml
      ps.setuptools
      ps.wheel
    ]))
  ];
  shellHook = ''
    unset PYTHONPATH LD_LIBRARY_PATH
    echo "torch: cmake, ninja, g++ and python with numpy and pytest are on PATH."
    echo "  one library:  cmake -G Ninja -S lib/TH -B build/TH && ninja -C build/TH"
    echo "  the package:  nix build .#torch      everything: nix flake check -L"
  '';
}
