# runNinja TARGET-OR-FLAG..., with the flags in ninjaFlags. (Named to leave `ninja` the program.)
runNinja() {
  local flags=("-j$NIX_BUILD_CORES")
  concatTo flags ninjaFlags ninjaFlagsArray
  TERM=dumb ninja "${flags[@]}" "$@"
}

ninjaBuildPhase() {
  runHook preBuild
  runNinja ${ninjaBuildFlags:-} ${buildTargets:-}
  runHook postBuild
}

ninjaCheckPhase() {
  runHook preCheck
  if [ -z "${checkTarget:-}" ] && ninja -t query test >/dev/null 2>&1; then checkTarget=test; fi
  if [ -z "${checkTarget:-}" ]; then
    echo "no test target found in ninja's graph, doing nothing"
  else
    CTEST_OUTPUT_ON_FAILURE=1 runNinja $checkTarget
  fi
  runHook postCheck
}

ninjaInstallPhase() {
  runHook preInstall
  runNinja ${installTargets:-install} | grep -v -e '^-- Installing:' -e '^-- Up-to-date:'
  runHook postInstall
}

if [ -z "${dontUseNinjaBuild:-}" ] && [ -z "${buildPhase:-}" ]; then buildPhase=ninjaBuildPhase; fi
if [ -z "${dontUseNinjaCheck:-}" ] && [ -z "${checkPhase:-}" ]; then checkPhase=ninjaCheckPhase; fi
if [ -z "${dontUseNinjaInstall:-}" ] && [ -z "${installPhase:-}" ]; then installPhase=ninjaInstallPhase; fi
