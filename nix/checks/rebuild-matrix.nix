# Which edit rebuilds what: for each row, the derivations whose path changes are exactly those.
# Evaluated twice, as it is and with the edit; nothing is built. tests/rebuild does the same from
# outside, with real edits in a copy of the tree.
{
  lib,
  runCommand,
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
    row:
    let
      after = pathsOf (scopeWith {
        path = row.edit;
        edit = row.how or (text: text + "\n");
      });
    in
    lib.filter (name: before.${name} != after.${name}) (lib.attrNames before);

  verdict =
    row:
    let
      got = lib.sort builtins.lessThan (changed row);
      want = lib.sort builtins.lessThan row.rebuilds;
    in
    if !builtins.pathExists (../.. + "/${row.edit}") then
      throw "rebuild matrix: there is no ${row.edit}"
    else if got == want then
      "${row.edit} -> ${if got == [ ] then "nothing" else toString got}"
    else
      throw "rebuild matrix: an edit of ${row.edit} rebuilds\n  ${toString got}\nand should rebuild\n  ${toString want}";
in
runCommand "rebuild-matrix" { table = lib.concatMapStringsSep "\n" verdict rows; } ''
  mkdir $out
  printf '%s\n' "$table" "${toString (lib.length rows)} passed, 0 failed" > $out/report.txt
''
