# Attribute sets.
let
  inherit (builtins)
    attrNames
    concatMap
    isAttrs
    listToAttrs
    mapAttrs
    ;

  nameValuePair = name: value: { inherit name value; };
  isDerivation = value: value.type or null == "derivation";
  filterAttrs =
    predicate: set:
    removeAttrs set (builtins.filter (name: !predicate name set.${name}) (attrNames set));
  mapAttrs' = f: set: listToAttrs (map (name: f name set.${name}) (attrNames set));
  mapAttrsToList = f: set: map (name: f name set.${name}) (attrNames set);
  genAttrs = names: f: listToAttrs (map (name: nameValuePair name (f name)) names);
  optionalAttrs = condition: set: if condition then set else { };
  attrByPath =
    path: default: set:
    if path == [ ] then
      set
    else if set ? ${builtins.head path} then
      attrByPath (builtins.tail path) default set.${builtins.head path}
    else
      default;
  recursiveUpdate =
    left: right:
    left
    // mapAttrs (
      name: value:
      if left ? ${name} && isAttrs left.${name} && isAttrs value then
        recursiveUpdate left.${name} value
      else
        value
    ) right;
  collect =
    predicate: value:
    if predicate value then
      [ value ]
    else if isAttrs value then
      concatMap (name: collect predicate value.${name}) (attrNames value)
    else
      [ ];
in
{
  inherit (builtins)
    attrNames
    attrValues
    catAttrs
    getAttr
    hasAttr
    intersectAttrs
    isAttrs
    listToAttrs
    mapAttrs
    removeAttrs
    ;
  inherit
    attrByPath
    collect
    filterAttrs
    genAttrs
    isDerivation
    mapAttrs'
    mapAttrsToList
    nameValuePair
    optionalAttrs
    recursiveUpdate
    ;

  concatMapAttrs = f: set: builtins.foldl' (all: name: all // f name set.${name}) { } (attrNames set);
  foldlAttrs =
    f: init: set:
    builtins.foldl' (acc: name: f acc name set.${name}) init (attrNames set);
  attrsToList = mapAttrsToList nameValuePair;
  getAttrFromPath =
    path: set:
    attrByPath path (throw "cannot find attribute '${builtins.concatStringsSep "." path}'") set;
  hasAttrByPath = path: set: attrByPath path null set != null;
  recurseIntoAttrs = set: set // { recurseForDerivations = true; };
}
