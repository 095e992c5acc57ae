# Reading files, and sources with a filter.
{ strings, lists }:
let
  inherit (builtins)
    baseNameOf
    fromJSON
    fromTOML
    readFile
    ;

  # A source already filtered is filtered further, not copied first.
  cleanSourceWith =
    {
      src,
      filter ? _: _: true,
      name ? null,
    }:
    let
      isFiltered = src ? _isLibCleanSourceWith;
      origSrc = if isFiltered then src.origSrc else src;
      both = path: type: filter path type && (!isFiltered || src.filter path type);
      chosen =
        if name != null then
          name
        else if isFiltered then
          src.name
        else
          "source";
    in
    {
      inherit origSrc;
      filter = both;
      name = chosen;
      outPath = builtins.path {
        name = chosen;
        path = origSrc;
        filter = both;
      };
      _isLibCleanSourceWith = true;
    };

  cleanSourceFilter =
    path: type:
    let
      name = baseNameOf (toString path);
    in
    !(
      (type == "directory" && lists.elem name [ ".git" ".svn" "CVS" ".hg" ])
      || strings.hasSuffix "~" name
      || builtins.match "^\\.sw[a-z]$|^\\..*\\.sw[a-z]$" name != null
      || strings.hasSuffix ".o" name
      || strings.hasSuffix ".so" name
      || (type == "symlink" && strings.hasPrefix "result" name)
    );
in
{
  inherit (builtins)
    fromJSON
    pathExists
    readDir
    readFile
    ;
  inherit cleanSourceFilter cleanSourceWith;

  cleanSource =
    src:
    cleanSourceWith {
      inherit src;
      filter = cleanSourceFilter;
    };
  fileContents = file: strings.removeSuffix "\n" (readFile file);
  importJSON = file: fromJSON (readFile file);
  importTOML = file: fromTOML (readFile file);
}
