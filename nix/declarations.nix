# The declarations' texts, cut to what each target of codegen reads (generated.nix). Not a function: Nix evaluates a
# file's value once, and so all scopes of an evaluation share it; the rebuild matrix has fifty.
#
# `of name text`: the text of that file as { forCpp; withFormulas; whole; }, files in the store. Lines that C++ is not
# generated from are cut off, so that rewording a sentence or mending a formula compiles nothing. `doc` is the last key of
# a declaration: from its line to the closing `]]` is documentation. `sharding` is one line. Formulas are the lines below `derivative:`, which
# stand deeper; that line itself stays, as it says that there are some.
let
  inherit (builtins)
    attrNames
    concatStringsSep
    filter
    foldl'
    head
    isString
    listToAttrs
    match
    readDir
    readFile
    split
    stringLength
    substring
    toFile
    ;

  folder = ../codegen/declarations;
  names = filter (name: match ".*[.]cwrap" name != null) (attrNames (readDir folder));

  parts = separator: text: filter isString (split separator text);
  # By declaration, so that no list is long.
  byDeclaration = cut: text: concatStringsSep "\n]]\n" (map cut (parts "\n]]\n" text));

  # A line each, at whatever depth.
  withoutSharding = text: concatStringsSep "" (parts "\n *sharding:[^\n]*" text);
  withoutDocumentation = declaration: head (split "\n  doc:" declaration);
  withoutFormulas =
    declaration:
    let
      step =
        state: line:
        let
          begins = match "( *)derivative:" line;
          inside = state.indent != null && substring 0 (stringLength state.indent) line == state.indent;
        in
        {
          indent = if begins != null then head begins + " " else if inside then state.indent else null;
          lines = if begins == null && inside then state.lines else state.lines ++ [ line ];
        };
      start = {
        indent = null;
        lines = [ ];
      };
    in
    # Few have any.
    if match ".*derivative:\n.*" declaration == null then
      declaration
    else
      concatStringsSep "\n" (foldl' step start (parts "\n" declaration)).lines;

  cut =
    name: text:
    let
      undocumented = withoutSharding (byDeclaration withoutDocumentation text);
    in
    {
      inherit text;
      forCpp = toFile name (byDeclaration withoutFormulas undocumented);
      withFormulas = toFile name undocumented;
      whole = toFile name text;
    };

  unedited = listToAttrs (
    map (name: {
      inherit name;
      value = cut name (readFile (folder + "/${name}"));
    }) names
  );
in
{
  inherit names;
  of = name: text: if text == unedited.${name}.text then unedited.${name} else cut name text;
}
