# Sets of files. A set is a list of absolute path strings, each a file or a whole folder, and a
# filter for files; `toSource` copies what is below `root` and in the set.
{ lists, strings }:
let
  inherit (strings) hasPrefix;

  single = path: test: {
    _type = "fileset";
    parts = [
      {
        path = toString path;
        inherit test;
      }
    ];
  };
  empty = {
    _type = "fileset";
    parts = [ ];
  };
  everything = _: _: true;
  toFileset =
    value:
    if value._type or null == "fileset" then
      value
    else if !builtins.pathExists value then
      throw "lib.fileset: ${toString value} does not exist; lib.fileset.maybeMissing allows that"
    else
      single value everything;
  inPart = part: path: path == part.path || hasPrefix (part.path + "/") path;

  maybeMissing = path: if builtins.pathExists path then single path everything else empty;
  unions = filesets: {
    _type = "fileset";
    parts = lists.concatMap (fileset: (toFileset fileset).parts) filesets;
  };
  # fileFilter ({ name, type, hasExt } -> bool) folder
  fileFilter =
    predicate: folder:
    single folder (
      path: type:
      let
        name = baseNameOf path;
      in
      predicate {
        inherit name type;
        hasExt = extension: strings.hasSuffix ".${extension}" name;
      }
    );

  # A folder is entered if it leads to a part or lies inside one. nixpkgs leaves out folders that
  # end up empty; so do we, since else the same set would give two store paths.
  toSource =
    { root, fileset }:
    let
      inherit (toFileset fileset) parts;
      wantsFile = path: type: lists.any (part: inPart part path && part.test path type) parts;
      holdsFile =
        folder:
        let
          entries = builtins.readDir folder;
        in
        lists.any (
          name:
          let
            path = "${folder}/${name}";
          in
          wants path entries.${name}
        ) (builtins.attrNames entries);
      wants =
        path: type:
        if type == "directory" then
          lists.any (part: hasPrefix (path + "/") part.path || inPart part path) parts && holdsFile path
        else
          wantsFile path type;
    in
    {
      outPath = builtins.path {
        name = "source";
        path = root;
        filter = wants;
      };
      origSrc = root;
    };
in
{
  inherit
    fileFilter
    maybeMissing
    toSource
    unions
    ;
  union =
    a: b:
    unions [
      a
      b
    ];
}
