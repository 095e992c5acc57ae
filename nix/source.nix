# source { name; paths; } -> a store path with exactly these files and folders of the repository.
#
#   source { name = "TH"; paths = [ "lib/TH/src" "lib/cmake" ]; }
#
# A source that holds the file `edited.path` (see scope.nix) differs from the unedited one.
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
  isEdited = edited != null && holds edited.path;
in
if missing != [ ] then
  throw "source ${name}: no such path in the repository: ${toString missing}"
else
  builtins.path {
    name = if isEdited then "source-edited" else "source";
    path = root;
    filter =
      path: _:
      let
        relative = lib.removePrefix prefix (toString path);
      in
      (holds relative || leads relative) && !(lib.hasSuffix "/__pycache__" relative);
  }
