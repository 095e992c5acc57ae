# Functions, fixed points and messages.
let
  inherit (builtins) functionArgs isFunction trace;
  composeExtensions =
    f: g: final: prev:
    let
      changed = f final prev;
    in
    changed // g final (prev // changed);

  # A set with `__functor` is a function that carries attributes, such as `override`.
  setFunctionArgs = f: args: {
    __functor = _: f;
    __functionArgs = args;
  };
  fix =
    f:
    let
      x = f x;
    in
    x;
  extends =
    overlay: f: final:
    let
      prev = f final;
    in
    prev // overlay final prev;
  throwIf = condition: message: value: if condition then throw message else value;
in
{
  inherit (builtins) seq deepSeq tryEval;
  inherit
    composeExtensions
    extends
    fix
    setFunctionArgs
    throwIf
    ;

  functionArgs = f: if f ? __functor then f.__functionArgs or (functionArgs (f.__functor f)) else functionArgs f;
  isFunction = f: isFunction f || (f ? __functor && isFunction (f.__functor f));
  assertMsg = condition: message: condition || throw message;
  composeManyExtensions = builtins.foldl' composeExtensions (_: _: { });
  const = x: _: x;
  flip = f: a: b: f b a;
  id = x: x;
  pipe = builtins.foldl' (value: f: f value);
  throwIfNot = condition: throwIf (!condition);
  toFunction = value: if builtins.isFunction value then value else _: value;
  warn = message: trace "warning: ${message}";
  boolToString = b: if b then "true" else "false";
  min = a: b: if a < b then a else b;
  max = a: b: if a > b then a else b;
}
