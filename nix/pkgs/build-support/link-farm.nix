# linkFarm :: name -> { name = path; } or [ { name, path } ] -> derivation, a folder of links
{ lib, runCommand }:
name: entries:
let
  list =
    if builtins.isAttrs entries then
      lib.mapAttrsToList (name: path: { inherit name path; }) entries
    else
      entries;
in
runCommand name { } ''
  mkdir -p $out
  ${lib.concatMapStringsSep "\n" (entry: ''
    mkdir -p "$(dirname $out/${lib.escapeShellArg entry.name})"
    ln -s ${lib.escapeShellArg "${entry.path}"} $out/${lib.escapeShellArg entry.name}
  '') list}
''
