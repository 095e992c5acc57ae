# The repository is formatted (`nix fmt` would change nothing), and ruff finds no mistake in it. The places in files that
# the pages docs/adding-*.md name are there: tests/recipe, which builds what they say, is no check.
{
  lib,
  runCommand,
  formatter,
  python3,
  ruff,
  source,
}:
let
  tree = source {
    name = "tree";
    paths = [
      ".clang-format"
      "benchmarks"
      "codegen"
      "csrc"
      "examples"
      "lib"
      "nix"
      "ruff.toml"
      "setup.py"
      "tests"
      "tools"
      "torch"
    ];
  };
  pages = source {
    name = "pages";
    paths = map (name: "docs/${name}") (
      lib.filter (lib.hasPrefix "adding-") (builtins.attrNames (builtins.readDir ../../docs))
    );
  };
in
runCommand "format"
  {
    nativeBuildInputs = [
      formatter
      python3
      ruff
    ];
    # Written by a build in the tree, where the flake is not a git checkout's.
    generated = [
      "torch/_operators.py"
      "torch/_python_bodies.py"
      "torch/_sharding.py"
      "torch/_torch_docs.py"
      "torch/lib"
      "torch/version.py"
    ];
  }
  ''
    cp -r ${tree} tree
    chmod -R u+w tree
    cd tree
    rm -rf $generated
    torch-format --check || { echo "error: these files are not formatted; type: nix fmt"; exit 1; }
    RUFF_NO_CACHE=true ruff check --output-format concise
    cp -r ${pages}/docs docs
    python tests/recipe.py apply
    mkdir $out
    echo "$(find . -type f | wc -l) passed, 0 failed" >$out/report.txt
  ''
