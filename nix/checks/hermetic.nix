# The decoy world: stray libraries and modules everywhere a careless build would look. Ours imports
# and computes as if they were not there; a control that is linked the ordinary way falls for them.
{
  lib,
  runCommandCC,
  patchelf,
  python,
  python3,
  source,
  torch,
  withCuda,
}:
let
  src = source {
    name = "hermetic-tests";
    paths = [ "tests/hermetic" ];
  };
in
runCommandCC "torch-hermetic${lib.optionalString withCuda "-cuda"}"
  (lib.optionalAttrs withCuda { CUDA = "1"; } // {
    nativeBuildInputs = [ patchelf ];
    PYTHON = "${python}/bin/python";
    SITE_PYTHON = "${python3.withPackages (ps: [ ps.numpy ])}/bin/python3";
    PACKAGE = "${torch}/${python3.sitePackages}/torch";
  })
  ''
    mkdir $out
    bash ${src}/tests/hermetic/run.sh ${src}/tests/hermetic | tee $out/report.txt
  ''
