# mkDerivation :: set -> derivation, or (finalAttrs -> set) -> derivation
#
# As in nixpkgs: all attributes become environment variables of the builder, save `meta`, `passthru`
# and `env` (whose attributes do). The result has `overrideAttrs` and the attributes given.
{
  system,
  lib,
  bash,
  stdenv,
}:
let
  inherit (builtins) isFunction;

  # Attributes that are about the derivation and not for the builder.
  notForBuilder = [
    "checkInputs"
    "env"
    "meta"
    "nativeCheckInputs"
    "passthru"
    "pos"
  ];

  # What an output must not refer to need not be built for that: a path is enough, and that is what the derivation has.
  forbidden =
    attrs:
    lib.mapAttrs (_: map pathOf) (
      lib.filterAttrs (name: _: name == "disallowedReferences" || name == "disallowedRequisites") attrs
    );
  pathOf =
    reference: if lib.isDerivation reference then builtins.unsafeDiscardStringContext reference.outPath else reference;

  # Fixed point of the attributes; overrideAttrs adds a layer.
  makeExtensible =
    attrsOf:
    let
      attrs = attrsOf (
        attrs
        // {
          inherit finalPackage overrideAttrs;
        }
      );
      overrideAttrs =
        change:
        makeExtensible (
          final:
          let
            previous = attrsOf final;
            applied = change previous;
            # { ... }, previous: { ... } or final: previous: { ... }
            changes =
              if !isFunction change then
                change
              else if isFunction applied then
                change final previous
              else
                applied;
          in
          previous // changes
        );
      finalPackage = makeDerivation overrideAttrs attrs;
    in
    finalPackage;

  makeDerivation =
    overrideAttrs:
    {
      pname ? null,
      version ? null,
      name ?
        if pname == null || version == null then
          throw "mkDerivation: set name, or pname and version"
        else
          "${pname}-${version}",
      nativeBuildInputs ? [ ],
      buildInputs ? [ ],
      propagatedBuildInputs ? [ ],
      nativeCheckInputs ? [ ],
      checkInputs ? [ ],
      doCheck ? false,
      outputs ? [ "out" ],
      env ? { },
      meta ? { },
      passthru ? { },
      ...
    }@attrs:
    let
      devs = inputs: map lib.getDev (lib.filter (input: input != null) (lib.flatten inputs));
      drv = derivation (
        removeAttrs attrs notForBuilder
        // forbidden attrs
        // env
        // {
          inherit
            name
            system
            stdenv
            outputs
            doCheck
            ;
          builder = attrs.realBuilder or "${bash}/bin/bash";
          args = attrs.args or [
            "-e"
            ./default-builder.sh
          ];
          nativeBuildInputs = devs (nativeBuildInputs ++ lib.optionals doCheck nativeCheckInputs);
          buildInputs = devs (buildInputs ++ lib.optionals doCheck checkInputs);
          propagatedBuildInputs = devs propagatedBuildInputs;
          cmakeFlags = attrs.cmakeFlags or [ ];
          strictDeps = attrs.strictDeps or false;
        }
      );
    in
    lib.extendDerivation true (
      passthru
      // {
        inherit overrideAttrs meta passthru;
        # Names and values as given, which `derivation` has not seen.
        inherit nativeCheckInputs checkInputs env;
      }
      // lib.optionalAttrs (attrs ? src) { inherit (attrs) src; }
    ) drv;
in
attrs: makeExtensible (if isFunction attrs then attrs else _: attrs)
