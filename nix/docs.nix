# The documentation as a website: Sphinx's, of what docs/site/generate.py reads from the built package, the declarations
# and the documents.
{
  lib,
  stdenv,
  python3,
  source,
  torch,
  version,
}:
let
  environment = python3.withPackages (ps: [
    torch
    ps.furo
    ps.myst-parser
    ps.numpy
    ps.pycparser
    ps.pyyaml
    ps.setuptools
    ps.sphinx
  ]);
in
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
  nativeBuildInputs = [ environment ];
  dontConfigure = true;
  # A warning is an error: a reference that leads nowhere, markup that is none. What Sphinx wrote for its next run goes.
  buildPhase = ''
    export PYTHONPATH=$PWD PYTHONHASHSEED=0 OMP_NUM_THREADS=1 HOME=$TMPDIR TORCH_DOCS_VERSION=${version}
    python docs/site/generate.py site
    python -m sphinx -q -W --keep-going -j ''${NIX_BUILD_CORES:-1} -c docs/site -d doctrees -b html site $out
    rm -f $out/.buildinfo
  '';
  dontInstall = true;
  passthru = { inherit environment; };
  meta = {
    description = "Documentation of torch as a website";
    license = lib.licenses.bsd3;
    platforms = [ "x86_64-linux" ];
  };
}
