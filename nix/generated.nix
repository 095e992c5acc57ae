# What codegen writes: an attribute per target, each a derivation of its own, so that a change in
# one emitter's output rebuilds only who compiles it.
{
  lib,
  stdenv,
  python3,
  cudaInterfaces,
  interfaces,
  read,
  source,
  version,
}:
let
  inherit (builtins) attrNames readDir toFile;

  folder = "codegen/declarations";
  names = lib.filter (lib.hasSuffix ".cwrap") (attrNames (readDir (../. + "/${folder}")));

  # Lines of declarations that C++ is not generated from are cut off, so that rewording a sentence or mending a formula
  # compiles nothing. `doc` is the last key of a declaration: from its line to the closing `]]` is documentation.
  # Formulas are the lines below `derivative:`, which stand deeper; that line itself stays, as it says that there are some.
  without =
    { formulas }:
    text:
    let
      step =
        state: line:
        let
          documentation = line != "]]" && (state.documentation || lib.hasPrefix "  doc:" line);
          begins = if formulas then builtins.match "( *)derivative:" line else null;
          indent =
            if begins != null then
              builtins.head begins + " "
            else if state.indent != null && lib.hasPrefix state.indent line then
              state.indent
            else
              null;
        in
        {
          inherit documentation indent;
          lines =
            if documentation || (indent != null && begins == null) then state.lines else state.lines ++ [ line ];
        };
      result = lib.foldl' step {
        documentation = false;
        indent = null;
        lines = [ ];
      } (lib.splitString "\n" text);
    in
    lib.concatStringsSep "\n" result.lines;
  declarations = {
    forCpp = map (name: toFile name (without { formulas = true; } (read "${folder}/${name}"))) names;
    withFormulas = map (name: toFile name (without { formulas = false; } (read "${folder}/${name}"))) names;
    whole = map (name: toFile name (read "${folder}/${name}")) names;
  };

  headers = [
    "--cpp $CC"
    "--include ${interfaces.TH}/include"
    "--include ${interfaces.THNN}/include"
  ];
  headersOfCuda = headers ++ map (interface: "--include ${interface}/include") (lib.attrValues cudaInterfaces);

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
    name: files: options: subfolder:
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
        for file in ${toString declarations.${files}}; do
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
  thpp = target "thpp" "forCpp" headers "";
  autograd = target "autograd" "withFormulas" [ ] "";
  python = target "python" "forCpp" [ ] "";
  nn = target "nn" "forCpp" headers "";
  # The rows of what CUDA adds.
  cuda = target "cuda" "forCpp" headersOfCuda "";
  # What stands in the rows of each backend, for tests that count calls.
  slots = target "slots" "forCpp" [ ] "";
  cuda-slots = target "cuda-slots" "forCpp" headersOfCuda "";
  # Laid out as a prefix that a checkout can use. It alone has read the declarations as they are.
  docs = (target "docs" "whole" [ ] "/python/torch").overrideAttrs { postBuild = "installManifest"; };
  pyi = target "pyi" "forCpp" [ ] "/python/torch";
}
