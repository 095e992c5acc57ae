# callPackage and what hangs on it.
{ functions, lists }:
let
  inherit (builtins)
    attrNames
    concatStringsSep
    filter
    intersectAttrs
    isAttrs
    ;
  inherit (functions)
    extends
    functionArgs
    isFunction
    setFunctionArgs
    ;

  # makeOverridable :: (args -> result) -> args -> result
  # The result with `override`, which calls the function again with some arguments changed.
  makeOverridable =
    f: origArgs:
    let
      result = f origArgs;
      override =
        changes:
        makeOverridable f (origArgs // (if isFunction changes then changes origArgs else changes));
      # What is overridden first can still be overridden the other way afterwards.
      overrideResult = g: makeOverridable (setFunctionArgs (args: g (f args)) (functionArgs f)) origArgs;
    in
    if isAttrs result then
      result
      // {
        inherit override;
        ${if result ? overrideAttrs then "overrideAttrs" else null} =
          changes: overrideResult (x: x.overrideAttrs changes);
      }
    else if isFunction result then
      setFunctionArgs result (functionArgs result) // { inherit override; }
    else
      result;

  # callPackageWith :: set -> (function or file) -> args -> result
  # Calls a function with those attributes of `autoArgs` that its argument pattern names.
  callPackageWith =
    autoArgs: fileOrFunction: args:
    let
      f = if isFunction fileOrFunction then fileOrFunction else import fileOrFunction;
      wanted = functionArgs f;
      allArgs = intersectAttrs wanted autoArgs // args;
      missing = filter (name: !(allArgs ? ${name} || wanted.${name})) (attrNames wanted);
      place = if isFunction fileOrFunction then "" else " of ${toString fileOrFunction}";
    in
    if missing == [ ] then
      makeOverridable f allArgs
    else
      throw "callPackage: the package set lacks these arguments${place}: ${concatStringsSep ", " missing}";

  # makeScope :: (set -> callPackage) -> (self -> set) -> scope
  makeScope =
    newScope: f:
    let
      self = f self // {
        newScope = extra: newScope (self // extra);
        callPackage = self.newScope { };
        overrideScope = overlay: makeScope newScope (extends overlay f);
        packages = f;
      };
    in
    self;
in
{
  inherit callPackageWith makeOverridable makeScope;
  callPackagesWith = callPackageWith;

  # A derivation with more attributes, on each of its outputs.
  extendDerivation =
    condition: passthru: derivation:
    let
      outputs = derivation.outputs or [ "out" ];
      commonAttrs = derivation // byName // { all = map (name: byName.${name}) outputs; } // passthru;
      byName = builtins.listToAttrs (
        lists.imap0 (_: name: {
          inherit name;
          value = commonAttrs // {
            inherit (derivation.${name}) type outputName;
            outputSpecified = true;
            drvPath =
              assert condition;
              derivation.${name}.drvPath;
            outPath =
              assert condition;
              derivation.${name}.outPath;
          };
        }) outputs
      );
    in
    commonAttrs
    // {
      drvPath =
        assert condition;
        derivation.drvPath;
      outPath =
        assert condition;
        derivation.outPath;
    };
}
