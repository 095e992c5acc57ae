# Runs pytest on the installed package; among nativeCheckInputs of buildPythonPackage.
pytestCheckPhase() {
  runHook preInstallCheck
  PYTHONPATH=$out/lib/python3.13/site-packages:$PYTHONPATH python -m pytest ${pytestFlags:-} ${enabledTestPaths:-}
  runHook postInstallCheck
}
if [ -z "${dontUsePytestCheck:-}" ] && [ -z "${installCheckPhase:-}" ]; then installCheckPhase=pytestCheckPhase; fi
