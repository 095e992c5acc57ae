# torch beside other packages: a script in a folder that has a torch/ of its own, pip, and virtual environments on top.
{
  runCommand,
  python,
  python3,
  source,
}:
let
  src = source {
    name = "packages-tests";
    paths = [ "tests/packages" ];
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
  }
  ''
    mkdir $out
    cp -r --no-preserve=mode ${src}/tests/packages/beside .
    HOME=$PWD python -m build --wheel --no-isolation --outdir wheels beside >/dev/null
    WHEELS=$PWD/wheels HOME=$PWD bash ${src}/tests/packages/run.sh | tee $out/report.txt
  ''
