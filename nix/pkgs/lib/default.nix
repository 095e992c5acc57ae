# The part of nixpkgs' lib that this repository uses: same names, same meaning.
# Short functions stand together by what they work on; see nixpkgs' manual for their documentation.
let
  lists = import ./lists.nix;
  strings = import ./strings.nix { inherit lists; };
  attrsets = import ./attrsets.nix;
  functions = import ./functions.nix;
  customisation = import ./customisation.nix { inherit functions lists; };
  files = import ./files.nix { inherit strings lists; };
  fileset = import ./fileset.nix { inherit lists strings; };
  packages = import ./packages.nix { inherit lists strings; };
in
lists
// strings
// attrsets
// functions
// customisation
// files
// packages
// {
  inherit
    lists
    strings
    attrsets
    customisation
    fileset
    ;
}
