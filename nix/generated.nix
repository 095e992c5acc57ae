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
  inherit (builtins) attrNames readDir;

  folder = "codegen/declarations";
  declarations = import ./declarations.nix;
  # target -> their files for it, as declarations.nix cuts them.
  files = kind: map (name: (declarations.of name (read "${folder}/${name}")).${kind}) declarations.names;

  headers = [
    "--cpp $CC"
    "--include ${interfaces.TH}/include"
    "--include ${interfaces.THNN}/include"
    "--include ${interfaces.THS}/include"
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
    name: kind: options: subfolder:
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
        for file in ${toString (files kind)}; do
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
