# The phases of a build, and genericBuild, which runs them. Part of $stdenv/setup.
# A derivation replaces a phase by a variable of its name, and leaves it out by dontX=1.

unpackFile() {
  curSrc=$1
  echo "unpacking source archive $curSrc"
  if [ -n "${unpackCmd:-}" ]; then
    eval "$unpackCmd"
  elif [ -d "$curSrc" ]; then
    cp -r --no-preserve=mode,timestamps --preserve=mode "$curSrc" "$(stripHash "$curSrc")"
  else
    case $curSrc in
    *.tar | *.tar.* | *.tgz | *.tbz2 | *.txz) tar -xf "$curSrc" --warning=no-timestamp ;;
    *)
      echo "error: do not know how to unpack $curSrc; set unpackCmd or dontUnpack" >&2
      return 1
      ;;
    esac
  fi
}

unpackPhase() {
  runHook preUnpack
  local before after entry
  before=" $(echo *) "
  for entry in ${srcs:-${src:-}}; do unpackFile "$entry"; done
  if [ -z "${sourceRoot:-}" ]; then
    after=
    for entry in *; do
      if [ -d "$entry" ]; then
        case $before in *" $entry "*) ;; *) after+=${after:+ }$entry ;; esac
      fi
    done
    case $after in
    '') echo "error: unpacking gave no folder; is src set?" >&2 && return 1 ;;
    *' '*) echo "error: unpacking gave several folders ($after); set sourceRoot" >&2 && return 1 ;;
    esac
    sourceRoot=$after
  fi
  chmod -R u+w -- "$sourceRoot"
  runHook postUnpack
}

patchPhase() {
  runHook prePatch
  local entry
  for entry in ${patches:-}; do
    echo "applying patch $entry"
    patch ${patchFlags:--p1} <"$entry"
  done
  runHook postPatch
}

configurePhase() {
  runHook preConfigure
  local flags=()
  concatTo flags configureFlags configureFlagsArray
  if [ -x "${configureScript:=./configure}" ]; then
    "$configureScript" "--prefix=$prefix" "${flags[@]}"
  else
    echo "no configure script, doing nothing"
  fi
  runHook postConfigure
}

# makeWith VARIABLE... -- TARGET...: make with the flags in these variables.
makeWith() {
  local flags=("-j$NIX_BUILD_CORES" "SHELL=$SHELL") names=()
  while [ "$1" != -- ]; do names+=("$1") && shift; done
  shift
  concatTo flags makeFlags makeFlagsArray "${names[@]}"
  make ${makefile:+-f "$makefile"} "${flags[@]}" "$@"
}

hasMakefile() { [ -n "${makefile:-}" ] || [ -e Makefile ] || [ -e makefile ] || [ -e GNUmakefile ]; }

buildPhase() {
  runHook preBuild
  if hasMakefile; then makeWith buildFlags -- ${buildTargets:-}; else echo "no Makefile, doing nothing"; fi
  runHook postBuild
}

checkPhase() {
  runHook preCheck
  if hasMakefile; then makeWith checkFlags -- ${checkTarget:-check}; else echo "no Makefile, doing nothing"; fi
  runHook postCheck
}

installPhase() {
  runHook preInstall
  mkdir -p "$prefix"
  if hasMakefile; then makeWith installFlags -- ${installTargets:-install}; else echo "no Makefile, doing nothing"; fi
  runHook postInstall
}

installCheckPhase() {
  runHook preInstallCheck
  runHook postInstallCheck
}

runPhase() {
  local phase=$1 switch
  switch=dont${phase^}
  switch=${switch%Phase}
  if [ -n "${!switch:-}" ]; then return; fi
  case $phase in
  checkPhase) if [ -z "${doCheck:-}" ]; then return; fi ;;
  installCheckPhase) if [ -z "${doInstallCheck:-}" ]; then return; fi ;;
  esac
  echo "Running phase: $phase"
  if [ -n "${!phase:-}" ]; then eval "${!phase}"; else "$phase"; fi
  if [ "$phase" = unpackPhase ]; then cd -- "${sourceRoot:-.}"; fi
}

genericBuild() {
  local phase
  if [ -z "${phases:-}" ]; then
    phases="${prePhases:-} unpackPhase patchPhase ${preConfigurePhases:-} configurePhase
      ${preBuildPhases:-} buildPhase checkPhase ${preInstallPhases:-} installPhase
      ${preFixupPhases:-} fixupPhase installCheckPhase ${preDistPhases:-} ${postPhases:-}"
  fi
  for phase in $phases; do runPhase "$phase"; done
}
