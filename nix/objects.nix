# objects { name; families; others; folder; compiling; description; } -> the families of a library, each compiled apart, so
# that an edit compiles one of them and links the others as they are.
#
#   families   { family = [ what it is compiled from ]; }: a folder of sources, or `generated` (TorchFamilies.cmake);
#              "folder-part" has some of a folder's sources
#   others     { "library.family" = derivation; }: such objects of other libraries, which are linked, too
#   folder     holds all of their sources
#   compiling  family: what mkPart needs besides
#
# Gives `objects`, { family = derivation; } with $out/objects/<name>/<source>.o and a manifest; the rest is for the
# derivation that links them.
{
  lib,
  mkPart,
  sanitizer,
}:
{
  name,
  families,
  others ? { },
  folder,
  compiling,
  description,
}:
let
  manifestOf = family: "${name}.${family}";
  object =
    family: paths:
    let
      common = compiling family;
    in
    mkPart (
      common
      // {
        pname = "${name}-${family}";
        manifest = manifestOf family;
        inherit paths;
        cmakeFlags = common.cmakeFlags ++ [ "-DTORCH_FAMILY=${lib.head (lib.splitString "-" family)}" ];
        installPhase = ''
          runHook preInstall
          install -Dm644 ${name}.txt $out/objects/${name}.txt
          cd CMakeFiles/${name}.dir
          find . -name '*.o' | while IFS= read -r file; do
            install -Dm644 $file $out/objects/${name}/${
              if family == "generated" then "generated/\${file##*/}" else "\${file#./}"
            }
          done
          runHook postInstall
        '';
        dontFixup = true; # objects stay as the compiler wrote them
        description = "Objects of ${name}, family ${family}: ${description}";
      }
    );
  objects = lib.mapAttrs object families;
  linked = lib.mapAttrs' (family: lib.nameValuePair (manifestOf family)) objects // others;
  all = lib.attrValues linked;
  manifests = lib.mapAttrsToList (manifest: o: "${o}/share/torch/sources/${manifest}") linked;
in
{
  inherit objects;
  # The manifest of the whole has those of its families, too.
  postPatch = lib.optionalString (all != [ ]) "addManifests ${folder} ${toString manifests}";
  preConfigure = lib.optionalString (all != [ ]) ''
    cmakeFlags+=" -DTORCH_OBJECTS=$(find ${toString (map (o: "${o}/objects") all)} -name '*.o' | tr '\n' ';')"
  '';
  # Debug information of a sanitizer names its objects.
  disallowedReferences = lib.optionals (!sanitizer.active) all;
}
