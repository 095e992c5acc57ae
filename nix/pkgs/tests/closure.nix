# Who runs Python with NumPy, OpenBLAS and an extension module needs no compiler, no headers of the
# C library and no build tool.
{
  lib,
  runCommand,
  environment,
  stdenv,
  cmake,
}:
let
  # names only, so that this test does not depend on them
  names = lib.concatMapStringsSep "\n" (package: builtins.unsafeDiscardStringContext "${package}");
in
runCommand "test-closure"
  {
    exportReferencesGraph = [
      "graph"
      environment.environment
    ];
    unwanted = names [
      stdenv
      stdenv.cc
      stdenv.cc.bintools
      stdenv.cc.cc
      cmake
    ];
  }
  ''
    grep '^/nix/store/' graph | sort -u >$out
    [ $(wc -l <$out) -gt 10 ]
    [ $(wc -l <<<"$unwanted") = 5 ]
    if grep -x -F -e "$unwanted" $out; then
      echo "error: these are in the runtime closure"
      exit 1
    fi
    # it is the closure: the C library is in it, and the compiler's run-time library, named as in nixpkgs
    grep -e '-glibc-[0-9.]*$' $out
    grep -e '-gcc-[0-9.]*-lib$' $out
  ''
