# withPackages: everything that the interpreter maps or imports lies in the store, with hostile
# variables too. One OpenMP runtime in the process; NumPy's BLAS, whose integers have 32 bits, and an OpenBLAS with
# 64 do not meet, whichever comes first.
{
  runCommand,
  openblas,
  python3,
  extension,
}:
let
  environment = python3.withPackages (ps: [
    extension
    ps.hypothesis
    ps.pip
    ps.pycparser
    ps.pytest
    ps.pytest-xdist
    ps.pyyaml
    ps.setuptools
    ps.wheel
  ]);
in
runCommand "test-environment" { passthru = { inherit environment; }; } ''
  cat >script.py <<'EOF'
  import bz2, ctypes, curses, hashlib, lzma, readline, sqlite3, ssl, sys, sysconfig, uuid, zlib
  import hypothesis.extra.numpy, numpy.random, numpy.testing, pip, pycparser, setuptools, wheel, witness, xdist, yaml

  assert witness.dot([1, 2, 3], [4, 5, 6]) == 32
  assert numpy.linalg.det(numpy.eye(8)) == 1
  assert yaml.load("a: 1", yaml.CSafeLoader) == {"a": 1}
  foreign = witness.foreign_files()
  assert foreign in ([], [__file__]), foreign
  maps = open("/proc/self/maps").read()
  for library in ("libgomp.so", "libopenblas.so", "libblas.so", "libstdc++.so"):
      paths = {line.split()[-1] for line in maps.splitlines() if library in line}
      assert len(paths) == 1, paths
  assert "liblapack" not in maps, "libblas by another name, and loaded twice"
  assert sysconfig.get_path("purelib") == sys.prefix + "/lib/python3.13/site-packages"
  import subprocess
  assert subprocess.check_output("echo $0", shell=True).startswith(b"/nix/store/")
  assert sys.flags.utf8_mode == 1 or sys.getfilesystemencoding() == "utf-8"
  print("all in the store")
  EOF
  # Not `env -i`: a decoy in each variable that could matter
  mkdir decoys
  echo 'raise SystemExit("decoy imported")' | tee decoys/numpy.py decoys/witness.py >/dev/null
  HOME=$PWD/decoys PYTHONHOME= LD_LIBRARY_PATH=$PWD/decoys ${environment}/bin/python3 script.py
  cat >integers.py <<'EOF'
  import ctypes

  ctypes.CDLL("${openblas}/lib/libopenblas.so.0")
  import numpy

  matrix = numpy.eye(50) * 3 + numpy.tri(50)
  assert numpy.allclose(matrix @ numpy.linalg.solve(matrix, matrix), matrix)
  assert numpy.allclose(numpy.linalg.eigvalsh(matrix + matrix.T).sum(), 400)
  EOF
  ${environment}/bin/python3 integers.py
  ${environment}/bin/witness
  ${environment}/bin/pip list
  printf 'def test(): pass\n' >test_it.py
  ${environment}/bin/pytest -q -n 2 -p no:cacheprovider test_it.py
  touch $out
''
