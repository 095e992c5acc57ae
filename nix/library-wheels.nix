# Libraries that people use with torch, as one Python module: the wheels that nix/pkgs/wheels.roots.toml lists under
# `libraries`, installed as pip would, but for their torch. For checks.libraries and `packages.libraries`.
{
  lib,
  pkgs,
  patchelf,
  python3,
  runCommand,
  stdenv,
}:
let
  roots = (lib.importTOML ./pkgs/wheels.roots.toml).libraries;
  lock = lib.importJSON ./pkgs/wheels.lock.json;
  nameOf = requirement: lib.head (lib.splitString "==" requirement);
  # nixpkgs has no fetcher by our lock; its own takes a wheel's name in parts.
  fromIndex =
    name:
    let
      inherit (lock.${name}) file sha256;
      parts = lib.splitString "-" (lib.removeSuffix ".whl" file);
      part = lib.elemAt parts;
    in
    pkgs.fetchPypi {
      inherit sha256;
      format = "wheel";
      pname = part 0;
      version = part 1;
      python = part 2;
      dist = part 2;
      abi = part 3;
      platform = part 4;
    };
  wheels = map (requirement: (pkgs.fetchWheel or fromIndex) (nameOf requirement)) roots;
in
python3.pkgs.toPythonModule (
  runCommand "${python3.libPrefix}-libraries"
    {
      nativeBuildInputs = [
        patchelf
        (python3.withPackages (ps: [ ps.installer ]))
      ];
      inherit wheels;
      files = map (requirement: lock.${nameOf requirement}.file) roots;
      # What wheels for many Linux distributions take for granted.
      runtime = lib.makeLibraryPath [
        (pkgs.gcc-lib or (lib.getLib stdenv.cc.cc))
        pkgs.glibc
      ];
      passthru.requirements = roots;
      meta.description = "Libraries over torch, from the Python package index";
    }
    ''
      set -- $files
      for wheel in $wheels; do
        cp $wheel $1 # its name says what it is
        python3 -m installer --no-compile-bytecode --prefix $out $1
        rm $1
        shift
      done
      # Made for PyTorch's ABI; the Python part does without it.
      rm $out/${python3.sitePackages}/torchvision/*.so
      find $out -name '*.so*' -type f -print0 | xargs -0 -n1 patchelf --force-rpath --add-rpath $runtime
    ''
)
