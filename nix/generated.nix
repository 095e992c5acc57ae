# What codegen writes: an attribute per target, each a derivation of its own, so that a change in
# one emitter's output rebuilds only who compiles it.
{
  lib,
  stdenv,
  python3,
  interfaces,
  read,
  source,
  version,
}:
let
  inherit (builtins) attrNames readDir toFile;

  folder = "codegen/declarations";
  names = lib.filter (lib.hasSuffix ".cwrap") (attrNames (readDir (../. + "/${folder}")));

  # `doc` is the last key of a declaration: from its line to the closing `]]` is documentation.
  # C++ is generated from the rest, so that rewording a sentence compiles nothing.
  withoutDocs =
    text:
    let
      step =
        state: line:
        let
          documentation = line != "]]" && (state.documentation || lib.hasPrefix "  doc:" line);
        in
        {
          inherit documentation;
          lines = if documentation then state.lines else state.lines ++ [ line ];
        };
      result = lib.foldl' step {
        documentation = false;
        lines = [ ];
      } (lib.splitString "\n" text);
    in
    lib.concatStringsSep "\n" result.lines;

  declarations =
    filter: map (name: toFile name (filter (read "${folder}/${name}"))) names;

  headers = [
    "--cpp $CC"
    "--include ${interfaces.TH}/include"
    "--include ${interfaces.THNN}/include"
  ];

  paths = map (file: "codegen/${file}") (
    lib.filter (lib.hasSuffix ".py") (attrNames (readDir ../codegen))
    ++ [
      "emitters"
      "fake"
      "plugins"
    ]
  );

  # `subfolder`: where in $out the files go.
  target =
    name: filter: options: subfolder:
    stdenv.mkDerivation {
      pname = "torch-generated-${name}";
      inherit version;
      src = source {
        name = "codegen";
        inherit paths;
      };
      nativeBuildInputs = [
        (python3.withPackages (ps: [
          ps.pycparser
          ps.pyyaml
        ]))
      ];
      dontConfigure = true;
      buildPhase = ''
        runHook preBuild
        mkdir -p ${folder}
        for file in ${toString (declarations filter)}; do
          cp $file ${folder}/''${file#*-}
        done
        source ${./manifest.sh}
        writeManifest codegen ${toString paths} ${folder}
        python -m codegen ${name} ${toString options} --out $out${subfolder}
        runHook postBuild
      '';
      dontInstall = true;
    };
in
{
  thpp = target "thpp" withoutDocs headers "";
  python = target "python" withoutDocs [ ] "";
  nn = target "nn" withoutDocs headers "";
  # Laid out as a prefix that a checkout can use. It alone has read the declarations as they are.
  docs = (target "docs" (text: text) [ ] "/python/torch").overrideAttrs { postBuild = "installManifest"; };
  pyi = target "pyi" withoutDocs [ ] "/python/torch";
}
