# Which edit rebuilds what: for each row, the derivations whose path changes are exactly those.
# Evaluated twice, as it is and with the edit; nothing is built.
{
  lib,
  runCommand,
  openblas,
  scopeWith,
}:
let
  rows = import ../../tests/rebuild/matrix.nix;

  drvPath = drv: builtins.unsafeDiscardStringContext drv.drvPath;
  pathsOf =
    scope:
    lib.mapAttrs (_: drvPath) (
      lib.mapAttrs' (name: lib.nameValuePair "${name}-interface") (
        lib.filterAttrs (name: interface: interface != scope.libraries.${name}) scope.interfaces
      )
      // scope.libraries
      // lib.concatMapAttrs (
        name: library: lib.mapAttrs' (family: lib.nameValuePair "${name}-${family}") library.objects
      ) (scope.libraries // { inherit (scope) libtorch_python; })
      // lib.mapAttrs' (name: lib.nameValuePair "generated-${name}") scope.generated
      // {
        inherit (scope)
          docs
          libtorch_python
          libtorch_python-interface
          torch
          ;
        torch-modules = scope.modules;
        python-tests = scope.checks.python;
        TH-tests = scope.libraries.TH.tests.unit;
      }
    );

  before = pathsOf (scopeWith null);
  changed =
    after: lib.filter (name: before.${name} != (pathsOf after).${name}) (lib.attrNames before);

  compare =
    what: after: rebuilds:
    let
      got = lib.sort builtins.lessThan (changed after);
      want = lib.sort builtins.lessThan rebuilds;
    in
    if got == want then
      "${what} -> ${if got == [ ] then "nothing" else toString got}"
    else
      throw "rebuild matrix: an edit of ${what} rebuilds\n  ${toString got}\nand should rebuild\n  ${toString want}";

  verdict =
    row:
    if row ? openblas then
      compare "openblas" ((scopeWith null).withPackages { openblas = row.openblas openblas; }) row.rebuilds
    else if !builtins.pathExists (../.. + "/${row.edit}") then
      throw "rebuild matrix: there is no ${row.edit}"
    else
      compare row.edit (scopeWith {
        path = row.edit;
        edit = row.how or (text: text + "\n");
      }) row.rebuilds;
in
runCommand "rebuild-matrix" { table = lib.concatMapStringsSep "\n" verdict rows; } ''
  mkdir $out
  printf '%s\n' "$table" "${toString (lib.length rows)} passed, 0 failed" > $out/report.txt
''
