# The documentation as a website: a page per family of operators, from the declarations, and the documents.
{
  lib,
  stdenv,
  python3,
  source,
  version,
}:
stdenv.mkDerivation {
  pname = "torch-docs";
  inherit version;
  src = source {
    name = "docs";
    paths = [
      "CONTRIBUTING.md"
      "README.md"
      "docs"
      "lib/TH/include/TH/THDtype.h"
      "codegen/declarations"
      "codegen/emitters"
      "codegen/plugins"
    ]
    ++ map (file: "codegen/${file}") (
      lib.filter (lib.hasSuffix ".py") (builtins.attrNames (builtins.readDir ../codegen))
    );
  };
  nativeBuildInputs = [
    (python3.withPackages (ps: [
      ps.mistune
      ps.pycparser
      ps.pyyaml
    ]))
  ];
  dontConfigure = true;
  buildPhase = "python -m codegen site --out $out";
  dontInstall = true;
  meta = {
    description = "Documentation of torch's operators, as HTML";
    license = lib.licenses.bsd3;
    platforms = [ "x86_64-linux" ];
  };
}
