# The locks hold what debs.roots.toml and wheels.roots.toml name, in the form that `update` writes, and
# no address; and every group and unused deb that is named here is in the first.
{
  runCommand,
  python3,
  writeText,
  lib,
}:
let
  groups = writeText "groups.json" (
    builtins.toJSON (lib.concatLists (lib.attrValues (import ../debs/groups.nix)) ++ import ../debs/unused.nix)
  );
  files = lib.fileset.toSource {
    root = ../.;
    fileset = lib.fileset.unions [
      ../debs.lock.json
      ../debs.roots.toml
      ../update
      ../wheels.lock.json
      ../wheels.roots.toml
    ];
  };
in
runCommand "test-lock" { nativeBuildInputs = [ python3 ]; } ''
  cat >test.py <<'EOF'
  import json, re, tomllib
  from importlib.machinery import SourceFileLoader
  from importlib.util import module_from_spec, spec_from_loader

  loader = SourceFileLoader("update", "${files}/update")
  update = module_from_spec(spec_from_loader("update", loader))
  loader.exec_module(update)

  text = open("${files}/debs.lock.json").read()
  lock = json.loads(text)
  roots = tomllib.load(open("${files}/debs.roots.toml", "rb"))
  assert text == update.to_json(lock), "written by hand?"
  assert "://" not in text and "://" not in open("${files}/debs.roots.toml").read()

  debs = lock["debs"]
  files, sources = lock["files"], lock["sources"]
  held = {"install": debs, "replace": debs, "files": files, "sources": sources, "contrib": sources}
  for part, where in held.items():
      for name in roots[part]["packages"]:
          assert name in where, f"{name} is in debs.roots.toml but not locked: run nix/pkgs/update"
  for name, entry in [*debs.items(), *files.items(), *sources.items(), ("seed", lock["seed"])]:
      pool = "contrib" if name in roots["contrib"]["packages"] else "main"
      assert re.fullmatch(rf"pool/{pool}/\S+", entry["path"]) and re.fullmatch(r"[0-9a-f]{64}", entry["sha256"]), entry
  for name, entry in debs.items():
      assert set(entry["deps"]) <= set(debs), name
  assert debs["patchelf"]["version"].startswith("0.14.3"), "newer ones corrupt python3.13"
  gone = set(json.load(open("${groups}"))) - set(debs)
  assert not gone, f"named in nix/pkgs/debs/, but not locked: {sorted(gone)}"

  text = open("${files}/wheels.lock.json").read()
  wheels = json.loads(text)
  assert text == update.to_json(wheels), "written by hand?"
  wanted = open("${files}/wheels.roots.toml").read()
  assert "://" not in text and "://" not in wanted
  named = {f"{name}=={entry['version']}" for name, entry in wheels.items()}
  assert named == {each for listed in tomllib.loads(wanted).values() for each in listed}
  for name, entry in wheels.items():
      assert entry["file"].startswith(f"{name.replace('-', '_')}-{entry['version']}-"), entry
      assert entry["file"].endswith(".whl") and re.fullmatch(r"[0-9a-f]{64}", entry["sha256"]), entry

  # dependency fields, as apt writes them
  record = {"Depends": "a (>= 1), b:any | c, virtual", "Filename": "f", "SHA256": "s", "Size": "1", "Version": "1"}
  assert update.relations(record, "Pre-Depends", "Depends") == [["a"], ["b", "c"], ["virtual"]]
  empty = record | {"Depends": ""}
  entries = update.with_deps({"x": record, "a": empty, "c": empty, "p": empty | {"Provides": "virtual (= 1)"}})
  assert entries["x"]["deps"] == ["a", "c", "p"], entries
  EOF
  PYTHONDONTWRITEBYTECODE=1 python test.py
  touch $out
''
