# toPythonApplication :: package -> derivation, its programs alone: they start an interpreter that
# imports the package, and a PATH or a shell that has them gets no Python module with them.
{ python, runCommand }:
package:
runCommand "${package.pname}-${package.version}" { inherit (package) meta; } ''
  mkdir -p $out/bin
  for program in ${package}/bin/*; do
    ln -s ${python.withPackages (_: [ package ])}/bin/''${program##*/} $out/bin/
  done
''
