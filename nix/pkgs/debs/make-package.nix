# mkDebPackage { pname, ... } -> a group of debs (./groups.nix; else the deb of that name) as a
# package whose programs run from the store and find nothing elsewhere.
#
#   mkDebPackage {
#     pname = "zlib";
#     postUnpack = "rm $out/lib/libz.a";   # shell, before links and ELF files are fixed
#   }
#
# Its libraries are looked up in the packages of the debs that Debian says it depends on.
{
  system,
  lib,
  lock,
  fetchDeb,
  busyboxTools,
  debPackages,
  groups,
  ownerOf,
  isUnused,
}:
let
  # Without epoch, revision, "+dfsg" and the like: 1:2.2.4+ds-1 is 2.2.4.
  upstreamVersion = deb: builtins.elemAt (builtins.match "([0-9]+:)?([^-+~]*).*" lock.debs.${deb}.version) 1;

  # Debs of Python packages depend on each other in cycles and hold no libraries that others link;
  # -dev debs name libc6-dev, which is in our gcc.
  isLibrary = deb: !(isUnused deb || lib.hasPrefix "python3-" deb || ownerOf deb == "gcc");

  neighbours =
    pname: debs:
    map (name: debPackages.${name}) (
      lib.remove pname (
        lib.uniqueStrings (
          map ownerOf (
            lib.filter isLibrary (lib.subtractLists debs (lib.concatMap (deb: lock.debs.${deb}.deps) debs))
          )
        )
      )
    );
in
{
  pname,
  debs ? groups.${pname} or [ pname ],
  version ? upstreamVersion (builtins.head debs),
  # The store path's.
  name ? "${pname}-${version}",
  # Packages in which libraries are looked up.
  inputs ? neighbours pname debs,
  # Packages whose programs the hooks below use.
  tools ? [ ],
  # Loader for programs; null leaves ELF files alone.
  interpreter ? debPackages.glibc.loader,
  # For scripts.
  shell ? "${busyboxTools}/bin/sh",
  flattenMultiarch ? true,
  # Libraries that may stay missing.
  ignoreMissingDeps ? [ ],
  # Shell commands: before links and ELF files are fixed, and at the end.
  postUnpack ? "",
  postFixup ? "",
  setupHook ? null,
  propagatedBuildInputs ? [ ],
  passthru ? { },
  meta ? { },
}:
derivation {
  inherit
    name
    system
    pname
    version
    inputs
    shell
    interpreter
    flattenMultiarch
    ignoreMissingDeps
    postUnpack
    postFixup
    setupHook
    propagatedBuildInputs
    ;
  debFiles = map fetchDeb debs;
  tools = lib.makeBinPath (
    tools ++ lib.optional (interpreter != null) debPackages.patchelf-bootstrap ++ [ busyboxTools ]
  );
  functions = [
    ./unpack.sh
    ./elf.sh
  ];
  builder = "${busyboxTools}/bin/sh";
  args = [
    "-eu"
    ./build-package.sh
  ];
}
// {
  inherit debs meta passthru;
}
// passthru
