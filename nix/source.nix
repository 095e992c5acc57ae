# source { name; paths; } -> a store path with exactly these files and folders of the repository.
#
#   source { name = "TH"; paths = [ "lib/TH/src" "lib/cmake" ]; }
#
# Under `edited` (see scope.nix) nothing is built, and what is asked is who has the file `edited.path`: a source is the
# names of its files there, and another one where that file is among them. To read them all for each question would take longer than all
# the rest of an evaluation.
{ lib, edited }:
{ name, paths }:
let
  root = ../.;
  prefix = toString root + "/";
  # `path` is one of ours, or inside one of ours.
  holds = path: lib.any (p: path == p || lib.hasPrefix (p + "/") path) paths;
  # A folder on the way to one of ours.
  leads = path: lib.any (lib.hasPrefix (path + "/")) paths;
  missing = lib.filter (p: !builtins.pathExists (root + "/${p}")) paths;
in
if missing != [ ] then
  throw "source ${name}: no such path in the repository: ${toString missing}"
else if edited != null then
  builtins.toFile "source" (toString paths + lib.optionalString (holds edited.path) " edited")
else
  builtins.path {
    name = "source";
    path = root;
    filter =
      path: _:
      let
        relative = lib.removePrefix prefix (toString path);
      in
      (holds relative || leads relative) && !(lib.hasSuffix "/__pycache__" relative);
  }
