# Which edit rebuilds what: for each row, the derivations whose path changes are exactly those.
# Evaluated twice, as it is and with the edit; nothing is built.
{
  lib,
  pkgs,
  runCommand,
  scopeWith,
}:
let
  rows = import ../../tests/rebuild/matrix.nix;

  derivations = import ./derivations.nix { inherit lib; };
  # With the host's CUDA: NVIDIA's is not for a check that runs everywhere.
  pathsOf = scope: (derivations scope).cpu // (derivations scope.hostCuda).cuda;

  unedited = scopeWith {
    path = "";
    edit = text: text;
  };
  before = pathsOf unedited;
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
    if row ? packages then
      compare (toString (lib.attrNames (row.packages pkgs))) (unedited.withPackages (row.packages pkgs)) row.rebuilds
    else if row ? options then
      let
        after = unedited.withPackages row.options;
      in
      assert lib.assertMsg (
        (unedited.torch.override row.options).drvPath == after.torch.drvPath
      ) "rebuild matrix: torch.override ${builtins.toJSON row.options} is another torch than that of the scope";
      compare "torch.override ${builtins.toJSON row.options}" after row.rebuilds
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
