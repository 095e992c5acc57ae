# What buildPythonPackage leaves: byte code checked by nothing but the store, and no trace of the
# build folder.
{ runCommand, python3, extension, lib }:
runCommand "test-python-files" { nativeBuildInputs = [ python3 ]; } ''
  for tree in ${extension} ${python3} ${lib.concatMapStringsSep " " toString extension.requiredPythonModules}; do
    python - $tree <<'EOF'
  import pathlib, sys

  tree = pathlib.Path(sys.argv[1])
  sources = {p for p in tree.rglob("*.py") if "config-3.13" not in str(p)}
  compiled = list(tree.rglob("*.pyc"))
  assert compiled, "no byte code"
  for file in compiled:
      flags = int.from_bytes(file.read_bytes()[4:8], "little")
      assert flags == 1, f"{file}: not an unchecked hash"
  missing = {p for p in sources if not list((p.parent / "__pycache__").glob(p.stem + ".*.pyc"))}
  assert not missing, missing
  assert not list(tree.rglob("direct_url.json"))
  for file in tree.rglob("*"):
      if file.is_file() and file.suffix != ".py":
          assert b"/build/" + b"extension" not in file.read_bytes(), file
  EOF
  done
  [ -x ${extension}/bin/witness ]
  touch $out
''
