# Strings, paths in search paths, versions.
{ lists }:
let
  inherit (builtins)
    concatStringsSep
    filter
    isString
    match
    replaceStrings
    split
    stringLength
    substring
    toString
    ;

  optionalString = condition: string: if condition then string else "";
  hasPrefix = prefix: string: substring 0 (stringLength prefix) string == prefix;
  hasSuffix =
    suffix: string:
    let
      start = stringLength string - stringLength suffix;
    in
    start >= 0 && substring start (-1) string == suffix;
  escapeRegex = replaceStrings specials (map (c: "\\" + c) specials);
  specials = [ "\\" "[" "{" "(" ")" "^" "$" "?" "*" "+" "|" "." ];
  # A shell word. Words that need no quotes get none, as in nixpkgs.
  escapeShellArg =
    arg:
    let
      string = toString arg;
    in
    if match "[[:alnum:],._+:@%/-]+" string == null then
      "'${replaceStrings [ "'" ] [ "'\\''" ] string}'"
    else
      string;
  # The output of a package that holds a kind of file, if it has one of its own.
  output = name: package: if package.outputSpecified or false then package else package.${name} or package.out or package;
  getLib = output "lib";
  getBin = output "bin";
  getDev = output "dev";
  getInclude =
    package: if package.outputSpecified or false then package else package.include or (output "dev" package);
  makeSearchPath =
    folder: packages: concatStringsSep ":" (map (p: "${p}/${folder}") (filter (p: p != null) packages));
  makeSearchPathOutput = name: folder: packages: makeSearchPath folder (map (output name) packages);
  lower = letters "abcdefghijklmnopqrstuvwxyz";
  upper = letters "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  letters = string: builtins.genList (n: substring n 1 string) (stringLength string);
  trimWith = string: builtins.head (match "[ \t\r\n]*(.*[^ \t\r\n])?[ \t\r\n]*" string);
in
{
  inherit (builtins)
    concatStringsSep
    isString
    match
    replaceStrings
    split
    stringLength
    substring
    toString
    ;
  inherit
    escapeRegex
    escapeShellArg
    getBin
    getDev
    getInclude
    getLib
    hasPrefix
    hasSuffix
    makeSearchPath
    makeSearchPathOutput
    optionalString
    ;

  concatStrings = concatStringsSep "";
  concatMapStrings = f: list: concatStringsSep "" (map f list);
  concatMapStringsSep =
    separator: f: list:
    concatStringsSep separator (map f list);
  concatLines = lists.foldr (line: rest: line + "\n" + rest) "";
  escapeShellArgs = args: concatStringsSep " " (map escapeShellArg args);
  getOutput = output;
  hasInfix = infix: string: match ".*${escapeRegex infix}.*" (replaceStrings [ "\n" ] [ " " ] string) != null;
  makeBinPath = makeSearchPathOutput "bin" "bin";
  makeLibraryPath = makeSearchPathOutput "lib" "lib";
  makeIncludePath = makeSearchPathOutput "dev" "include";
  removePrefix =
    prefix: string:
    if hasPrefix prefix string then substring (stringLength prefix) (-1) string else string;
  removeSuffix =
    suffix: string:
    if hasSuffix suffix string then
      substring 0 (stringLength string - stringLength suffix) string
    else
      string;
  splitString = separator: string: filter isString (split (escapeRegex separator) (toString string));
  stringToCharacters = letters;
  toLower = replaceStrings upper lower;
  toUpper = replaceStrings lower upper;
  trim = string: let trimmed = trimWith string; in if trimmed == null then "" else trimmed;
  versionAtLeast = a: b: builtins.compareVersions a b >= 0;
  versionOlder = a: b: builtins.compareVersions a b < 0;
  versions = {
    major = version: builtins.elemAt (builtins.splitVersion version) 0;
    majorMinor = version: concatStringsSep "." (lists.take 2 (builtins.splitVersion version));
  };
}
