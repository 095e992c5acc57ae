# The running interpreter with torch needs no compiler, no headers-only interface, no test tool; and nothing of what
# the package was composed of can come back, because its derivation forbids the references.
{
  runCommand,
  lib,
  python,
  stdenv,
  cmake,
  ninja,
  interfaces,
  libraries,
  torch,
}:
let
  unwanted = [
    stdenv.cc
    stdenv.cc.bintools
    stdenv.cc.cc
    cmake
    ninja
  ]
  ++ lib.attrValues interfaces
  ++ lib.attrValues libraries;
  # mkDerivation turns what is forbidden into paths.
  allowed = lib.subtractLists (map toString torch.disallowedReferences) (
    map toString (torch.parts ++ lib.attrValues interfaces)
  );
in
assert lib.assertMsg (allowed == [ ]) "torch may refer to ${toString allowed}";
runCommand "torch-closure"
  {
    exportReferencesGraph = [
      "graph"
      python
    ];
    # Only the names: a reference to the compiler here would be fine, but not one in `graph`.
    unwanted = map (p: builtins.unsafeDiscardStringContext (toString p)) unwanted;
  }
  ''
    mkdir $out
    # tools: of the paths that come in, the tools that things are built with, by their names. What compiled programs
    # need when they run is an output of the compiler, by nixpkgs' names of outputs.
    tools() { grep -E -- '-(gcc|binutils|cmake|ninja)(-wrapper)?-[0-9][0-9.]*(-[a-z]+)?$' | grep -vE -- '-gcc-[0-9.]+-lib(gcc)?$'; }
    for name in gcc-14.3.0 gcc-14.2.0-man gcc-wrapper-14.3.0 binutils-2.44 binutils-wrapper-2.44 cmake-4.1.2 ninja-1.13.1; do
      echo "/store/hash-$name" | tools > found.txt || { echo "$name is not seen to be a tool"; exit 1; }
    done
    for name in gcc-14.3.0-lib gcc-14.3.0-libgcc glibc-2.42; do
      if echo "/store/hash-$name" | tools; then echo "$name is no tool"; exit 1; fi
    done
    grep '^${builtins.storeDir}/' $NIX_BUILD_TOP/graph | sort -u > $out/closure.txt
    bad=0
    for path in $unwanted; do
      if grep -Fx "$path" $out/closure.txt; then bad=1; fi
    done
    if tools < $out/closure.txt; then bad=1; fi
    [ $bad = 0 ] || { echo "the paths above are in the closure of the interpreter"; exit 1; }
    echo "$(wc -l < $out/closure.txt) store paths, none of them a build tool" > $out/report.txt
    echo "1 passed, 0 failed" >> $out/report.txt
  ''
