# The running interpreter with torch needs no compiler, no headers-only interface, no test tool.
{
  runCommand,
  lib,
  python,
  stdenv,
  cmake,
  ninja,
  interfaces,
  libraries,
}:
let
  unwanted = [
    stdenv.cc
    cmake
    ninja
  ]
  ++ lib.attrValues interfaces
  ++ lib.attrValues libraries;
in
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
    grep '^${builtins.storeDir}/' $NIX_BUILD_TOP/graph | sort -u > $out/closure.txt
    bad=0
    for path in $unwanted; do
      if grep -Fx "$path" $out/closure.txt; then bad=1; fi
    done
    if grep -E -- '-(gcc|g\+\+|binutils|cmake|ninja|cc|cc-wrapper)-[0-9]' $out/closure.txt; then bad=1; fi
    [ $bad = 0 ] || { echo "the paths above are in the closure of the interpreter"; exit 1; }
    echo "$(wc -l < $out/closure.txt) store paths, none of them a build tool" > $out/report.txt
    echo "1 passed, 0 failed" >> $out/report.txt
  ''
