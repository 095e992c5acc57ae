# Lists.
let
  inherit (builtins)
    elem
    elemAt
    filter
    genList
    length
    listToAttrs
    ;

  optional = condition: value: if condition then [ value ] else [ ];
  optionals = condition: values: if condition then values else [ ];
  toList = x: if builtins.isList x then x else [ x ];
  flatten = x: if builtins.isList x then builtins.concatMap flatten x else [ x ];
  range = first: last: if first > last then [ ] else genList (n: first + n) (last - first + 1);
  sublist =
    start: count: list:
    let
      end = if start + count < length list then start + count else length list;
    in
    map (elemAt list) (range start (end - 1));
  take = sublist 0;
  drop = count: list: sublist count (length list) list;
  # Quadratic only in the number of different elements, as nixpkgs' is.
  unique = builtins.foldl' (seen: x: if elem x seen then seen else seen ++ [ x ]) [ ];
  # For strings: linear, and sorted.
  uniqueStrings =
    list:
    builtins.attrNames (
      listToAttrs (
        map (name: {
          inherit name;
          value = null;
        }) list
      )
    );
  foldr =
    op: nul: list:
    let
      len = length list;
      go = n: if n == len then nul else op (elemAt list n) (go (n + 1));
    in
    go 0;
in
{
  inherit (builtins)
    all
    any
    concatLists
    concatMap
    elem
    elemAt
    filter
    foldl'
    genList
    groupBy
    head
    length
    map
    partition
    sort
    tail
    ;
  inherit
    drop
    flatten
    foldr
    optional
    optionals
    range
    sublist
    take
    toList
    unique
    uniqueStrings
    ;

  count = predicate: list: length (filter predicate list);
  findFirst =
    predicate: default: list:
    let
      found = filter predicate list;
    in
    if found == [ ] then default else builtins.head found;
  forEach = list: f: map f list;
  imap0 = f: list: genList (n: f n (elemAt list n)) (length list);
  imap1 = f: list: genList (n: f (n + 1) (elemAt list n)) (length list);
  init = list: take (length list - 1) list;
  intersectLists = kept: filter (x: elem x kept);
  last = list: elemAt list (length list - 1);
  remove = unwanted: filter (x: x != unwanted);
  reverseList = list: genList (n: elemAt list (length list - n - 1)) (length list);
  singleton = x: [ x ];
  sortOn = key: builtins.sort (a: b: key a < key b);
  subtractLists = unwanted: filter (x: !elem x unwanted);
  zipListsWith =
    f: a: b:
    genList (n: f (elemAt a n) (elemAt b n)) (
      if length a < length b then length a else length b
    );
}
