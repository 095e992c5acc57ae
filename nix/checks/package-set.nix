# The unit tests of nix/pkgs, each a derivation: that this one can be built means that all passed.
{
  lib,
  runCommand,
  setTests,
}:
runCommand "package-set-tests" { passed = lib.mapAttrsToList (name: test: "${name}:${test}") setTests; } ''
  mkdir $out
  for test in $passed; do echo "''${test%%:*}: passed"; done > $out/report.txt
  echo "$(wc -l < $out/report.txt) passed, 0 failed" >> $out/report.txt
''
