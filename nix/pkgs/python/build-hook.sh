# Phases of buildPythonPackage: build a wheel, install it, compile it, import it.

pypaBuildPhase() {
  runHook preBuild
  python -m build --no-isolation --outdir dist --wheel ${pypaBuildFlags:-}
  runHook postBuild
}

# `installer`, not pip: pip leaves a direct_url.json that names the build folder.
pypaInstallPhase() {
  runHook preInstall
  python -m installer --no-compile-bytecode --prefix "$out" dist/*.whl
  runHook postInstall
}

# By content, not by time stamp: same bits each time, and never stale in the store.
pythonCompilePhase() {
  python -m compileall -q -f -s "$out" -p "" --invalidation-mode unchecked-hash "$out/lib/python3.13/site-packages"
}

pythonImportsCheckPhase() {
  local module
  for module in ${pythonImportsCheck:-}; do
    (cd "$out" && PYTHONPATH=$out/lib/python3.13/site-packages:$PYTHONPATH python -c "import $module")
  done
}

if [ -z "${dontUsePypaBuild:-}" ] && [ -z "${buildPhase:-}" ]; then buildPhase=pypaBuildPhase; fi
if [ -z "${dontUsePypaInstall:-}" ] && [ -z "${installPhase:-}" ]; then installPhase=pypaInstallPhase; fi
preFixupPhases="${preFixupPhases:-} pythonCompilePhase"
preDistPhases="${preDistPhases:-} pythonImportsCheckPhase"
