# libraries.toml -> itself, or an error that names the library and what is wrong with it.
# An unknown name or a cycle would otherwise end as "attribute missing" or "infinite recursion".
{ lib }:
specs:
let
  known = builtins.attrNames specs;
  keys = [
    "description"
    "boundary"
    "needs"
    "vendor"
    "seen_by"
    "generated"
    "kit"
    "cuda"
    "distributed"
    "sees"
    "program"
    "optional"
  ];
  options = [ "mkldnn" ];
  isCuda = name: specs.${name}.cuda or false;
  fail = name: message: throw "lib/libraries.toml: ${name}: ${message}";

  checkOne =
    name: spec:
    let
      unknownKeys = lib.subtractLists keys (builtins.attrNames spec);
      unknownNeeds = lib.subtractLists known spec.needs;
      seenBy = spec.seen_by or { };
      unlinked = lib.subtractLists spec.vendor (builtins.attrNames seenBy);
      optional = spec.optional or { };
      unlinkedOptions = lib.subtractLists spec.vendor (builtins.attrNames optional);
      unknownOptions = lib.subtractLists options (builtins.attrValues optional);
      unknownFamilies = lib.subtractLists (builtins.attrNames (builtins.readDir (../lib + "/${name}/src"))) (
        lib.concatLists (builtins.attrValues seenBy)
      );
    in
    if unknownKeys != [ ] then
      fail name "unknown key '${lib.head unknownKeys}'; allowed: ${toString keys}"
    else if !(builtins.elem (spec.boundary or null) [ "C" "C++" ]) then
      fail name "boundary must be \"C\" or \"C++\""
    else if unknownNeeds != [ ] then
      fail name "needs '${lib.head unknownNeeds}', which is not a library; libraries: ${toString known}"
    else if unlinked != [ ] then
      fail name "seen_by names '${lib.head unlinked}', which is not one of its vendors"
    else if unlinkedOptions != [ ] then
      fail name "optional names '${lib.head unlinkedOptions}', which is not one of its vendors"
    else if unknownOptions != [ ] then
      fail name "optional names the option '${lib.head unknownOptions}'; options: ${toString options}"
    else if unknownFamilies != [ ] then
      fail name "seen_by names '${lib.head unknownFamilies}', which is not a folder in its src/"
    else if lib.any (place: !builtins.pathExists (../lib + "/${place}")) (lib.concatLists (builtins.attrValues (spec.sees or { }))) then
      fail name "sees names a folder that is not there"
    else if spec ? kit && !(builtins.elem spec.kit spec.needs) then
      fail name "kit names '${spec.kit}', which is not one of the libraries that it needs"
    else if spec ? program && !builtins.pathExists (../lib + "/${name}/manager") then
      fail name "has the program '${spec.program}', and no folder manager/ with its sources"
    else if !(builtins.isBool (spec.cuda or false)) then
      fail name "cuda must be true or false"
    else if !(builtins.isBool (spec.distributed or false)) then
      fail name "distributed must be true or false"
    else if !(isCuda name) && lib.any isCuda spec.needs then
      fail name "needs '${lib.findFirst isCuda null spec.needs}', which exists only where CUDA is on, and has no `cuda`"
    else
      true;

  # The path from a library back to itself, if there is one.
  walk =
    path: name:
    if builtins.elem name path then
      fail name "needs itself: ${lib.concatStringsSep " -> " (path ++ [ name ])}"
    else
      builtins.all (walk (path ++ [ name ])) specs.${name}.needs;
in
assert builtins.all (name: checkOne name specs.${name}) known;
assert builtins.all (walk [ ]) known;
specs
