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
  # By name, as they are asked for every file of the repository.
  set = names: lib.genAttrs names (_: null);
  ours = set paths;
  # `path` is one of ours, or inside one of ours.
  holds = path: ours ? ${path} || path != "." && holds (dirOf path);
  # The folders on the way to one of ours.
  upwards = path: lib.optionals (path != ".") ([ path ] ++ upwards (dirOf path));
  leads = set (lib.concatMap upwards paths);
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
      (leads ? ${relative} || holds relative) && !(lib.hasSuffix "/__pycache__" relative);
  }
