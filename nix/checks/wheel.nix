# The wheel: its contents and tag, an environment that has nothing else, and stray libraries.
{
  runCommandCC,
  auditwheel,
  patchelf,
  python3,
  source,
  torch,
  wheel,
}:
let
  src = source {
    name = "wheel-tests";
    paths = [
      "tools/wheel"
      "tests/wheel"
      "tests/hermetic/decoy.c"
      "tests/conftest.py"
      "tests/test_tiny.py"
    ];
  };
  testPython = python3.withPackages (ps: [
    ps.hypothesis
    ps.numpy
    ps.pip
    ps.pytest
  ]);
in
runCommandCC "torch-wheel-check"
  {
    nativeBuildInputs = [
      auditwheel
      patchelf
    ];
    BARE_PYTHON = "${python3}/bin/python3";
    TEST_PYTHON = "${testPython}/bin/python3";
    INSTALLED = "${torch}/${python3.sitePackages}";
    STORE = builtins.storeDir;
  }
  ''
    mkdir $out host
    export WHEEL=$(echo ${wheel}/*.whl) HOST_LIB=$PWD/host
    # A distribution has these two where its loader finds them; the sandbox has no such place.
    for library in libstdc++.so.6 libgcc_s.so.1; do
      ln -s $(readlink -f $($CXX -print-file-name=$library)) host/$library
    done
    # The libraries that the tests compile say themselves where they look; stdenv would add $out/lib.
    export NIX_LDFLAGS=
    bash ${src}/tests/wheel/run.sh ${src}/tests | tee $out/report.txt
  ''
