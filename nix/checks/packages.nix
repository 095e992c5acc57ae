# torch beside other packages: a script in a folder that has a torch/ of its own, pip, virtual environments on top, and the
# project that `nix flake init -t` copies, whose flake.nix is evaluated here with this torch as its input.
{
  extensionPackages,
  runCommand,
  python,
  python3,
  source,
}:
let
  flake = import ../../templates/project/flake.nix;
  project = (flake.outputs { torch.legacyPackages.system = extensionPackages; }).packages.system.default;
  src = source {
    name = "packages-tests";
    paths = [
      "templates/project/script.py"
      "tests/packages"
    ];
  };
in
runCommand "torch-packages"
  {
    nativeBuildInputs = [
      (python3.withPackages (ps: [
        ps.build
        ps.setuptools
      ]))
    ];
    PYTHON = "${python}/bin/python";
    PROJECT = "${project}/bin/python3 ${src}/templates/project/script.py";
  }
  ''
    mkdir $out
    cp -r --no-preserve=mode ${src}/tests/packages/beside .
    HOME=$PWD python -m build --wheel --no-isolation --outdir wheels beside >/dev/null
    WHEELS=$PWD/wheels HOME=$PWD bash ${src}/tests/packages/run.sh | tee $out/report.txt
  ''
