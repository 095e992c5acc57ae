# $stdenv/setup: the environment of a build, sourced by the builder and by `nix develop`.
# Variables on top of this file: initialPath, defaultShell, compilerPaths, loader, libcFolder, storeDir.
# Same protocol as nixpkgs' setup.sh, as far as we use it:
#
#   Each input is a store path. Its bin/ is in PATH, its nix-support/setup-hook is sourced, and the
#   inputs in its nix-support/propagated-build-inputs follow. A setup hook may define functions,
#   call `addEnvHooks "$hostOffset" f` (f is called with each input), append to arrays such as
#   preConfigureHooks, and set phases such as buildPhase.

__setupOptions=$-
set -e -o pipefail

# ---- functions for hooks and phases --------------------------------------------------------------

# addToSearchPath VARIABLE FOLDER: at the end, if the folder exists.
addToSearchPath() { addToSearchPathWithCustomDelimiter : "$@"; }

addToSearchPathWithCustomDelimiter() {
  local delimiter=$1 variable=$2 folder=$3
  if [ -d "$folder" ]; then
    case "$delimiter${!variable:-}$delimiter" in
    *"$delimiter$folder$delimiter"*) ;;
    *) export "$variable=${!variable:+${!variable}$delimiter}$folder" ;;
    esac
  fi
}

# appendToVar VARIABLE WORD..., prependToVar VARIABLE WORD...: an array, or a string of words.
appendToVar() {
  local -n variable=$1
  shift
  if [[ "$(declare -p "${!variable}" 2>/dev/null)" = "declare -a"* ]]; then
    variable+=("$@")
  else
    variable="${variable:-}${variable:+ }$*"
  fi
}

prependToVar() {
  local -n variable=$1
  shift
  if [[ "$(declare -p "${!variable}" 2>/dev/null)" = "declare -a"* ]]; then
    variable=("$@" "${variable[@]}")
  else
    variable="$*${variable:+ }${variable:-}"
  fi
}

# concatTo ARRAY VARIABLE...: the words of strings and the elements of arrays.
concatTo() {
  local -n target=$1
  local name
  shift
  for name; do
    if [[ "$(declare -p "$name" 2>/dev/null)" = "declare -a"* ]]; then
      local -n source=$name
      target+=("${source[@]}")
      unset -n source
    else
      target+=(${!name:-})
    fi
  done
}

# addEnvHooks OFFSET FUNCTION...: call them with every input. All inputs are for this machine.
addEnvHooks() {
  shift
  envHooks+=("$@")
}

# stripHash STORE-PATH: its name without the hash.
stripHash() {
  local name=${1##*/}
  if [[ $name =~ ^[a-z0-9]{32}- ]]; then name=${name:33}; fi
  printf '%s\n' "$name"
}

# runHook NAME: the function or shell code NAME, then the functions in the array NAMEHooks.
runHook() {
  local hook name=$1 array="$1Hooks[@]"
  shift
  if declare -F "$name" >/dev/null; then
    "$name" "$@"
  elif [ -n "${!name:-}" ]; then
    eval "${!name}"
  fi
  for hook in "${!array}"; do "$hook" "$@"; done
}

# substituteInPlace FILE... (--replace-fail | --replace-warn | --replace OLD NEW | --subst-var NAME |
# --subst-var-by NAME VALUE)...
substituteInPlace() {
  local files=() file text before old new how
  while [ $# -gt 0 ] && [[ $1 != --* ]]; do files+=("$1") && shift; done
  for file in "${files[@]}"; do
    IFS= read -r -d '' text <"$file" || true
    set -- "$@" --end
    while [ "$1" != --end ]; do
      how=$1
      case $how in
      --subst-var) old=@$2@ new=${!2} && set -- "${@:3}" "$1" "$2" ;;
      --subst-var-by) old=@$2@ new=$3 && set -- "${@:4}" "$1" "$2" "$3" ;;
      --replace | --replace-fail | --replace-warn) old=$2 new=$3 && set -- "${@:4}" "$1" "$2" "$3" ;;
      *) echo "error: substituteInPlace: unknown argument $how" >&2 && return 1 ;;
      esac
      before=$text
      text=${text//"$old"/"$new"}
      if [ "$before" = "$text" ] && [ "$how" = --replace-fail ]; then
        echo "error: substituteInPlace: '$old' is not in $file" >&2
        return 1
      fi
    done
    shift
    printf '%s' "$text" >"$file"
  done
}

# ---- environment ---------------------------------------------------------------------------------

PATH=
for __path in $initialPath; do addToSearchPath PATH "$__path/bin"; done
__toolPath=$PATH

export SHELL=$defaultShell CONFIG_SHELL=$defaultShell
export LC_ALL=C TZ=UTC PYTHONUTF8=1
# Same bits each time: no clock, no random order.
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-315532800} PYTHONHASHSEED=0
# Nothing from a user's own folders.
export PYTHONNOUSERSITE=1 PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 NIX_STORE=$storeDir
if [ -z "${IN_NIX_SHELL:-}" ]; then
  export HOME=/homeless-shelter
  if [ "${NIX_BUILD_CORES:-0}" -le 0 ]; then NIX_BUILD_CORES=$(nproc); fi
  export NIX_BUILD_CORES
fi
outputs=${outputs:-out}
for __output in $outputs; do
  case $__output in
  bin | dev | lib | doc | man) declare "output${__output^}=$__output" ;;
  esac
done
__output=${outputs%% *}
prefix=${!__output:-}

# The build folder's name stays out of what is compiled.
NIX_CFLAGS_COMPILE="${NIX_CFLAGS_COMPILE:-} -ffile-prefix-map=${NIX_BUILD_TOP:-/build}/="
NIX_LDFLAGS=${NIX_LDFLAGS:-}
# What is built finds the libraries that are built with it; fixup drops the entry where there are none.
if [ -z "${IN_NIX_SHELL:-}" ] && [ -n "$prefix" ]; then NIX_LDFLAGS="-rpath $prefix/lib $NIX_LDFLAGS"; fi

# ---- inputs --------------------------------------------------------------------------------------

envHooks=()
hostOffset=0 targetOffset=1
declare -A __seenNative=() __seenHost=() __sourced=()
__inputs=()

# What a compiled program may include and link. nixpkgs has these hooks in its compiler.
addBuildInputFlags() {
  if [ -d "$1/include" ]; then NIX_CFLAGS_COMPILE+=" -isystem $1/include"; fi
  if [ -d "$1/lib" ]; then NIX_LDFLAGS+=" -L$1/lib"; fi
}

# addInput native|host STORE-PATH
addInput() {
  local package=$2 list next
  local -n seen=__seen${1^}
  if [ -n "${seen[$package]:-}" ]; then return; fi
  seen["$package"]=1
  if [ ! -e "$package" ]; then
    echo "error: build input $package does not exist" >&2
    return 1
  fi
  if [ "$1" = host ]; then addBuildInputFlags "$package"; fi
  if [ "$1" = native ] || [ -z "${strictDeps:-}" ]; then addToSearchPath PATH "$package/bin"; fi
  if [ -z "${__sourced[$package]:-}" ]; then
    __sourced["$package"]=1
    __inputs+=("$package")
    if [ -f "$package/nix-support/setup-hook" ]; then source "$package/nix-support/setup-hook"; fi
  fi
  for list in propagated-build-inputs propagated-native-build-inputs; do
    if [ -f "$package/nix-support/$list" ]; then
      for next in $(<"$package/nix-support/$list"); do addInput "$1" "$next"; done
    fi
  done
}

PATH=
for __path in ${nativeBuildInputs:-} ${propagatedNativeBuildInputs:-}; do addInput native "$__path"; done
for __path in ${buildInputs:-} ${propagatedBuildInputs:-}; do addInput host "$__path"; done
# The compiler's hook, and its tools after those of the inputs.
for __path in $initialPath; do
  if [ -f "$__path/nix-support/setup-hook" ]; then source "$__path/nix-support/setup-hook"; fi
done
PATH=$PATH${PATH:+:}$__toolPath
for __path in "${__inputs[@]}"; do
  for __hook in "${envHooks[@]}"; do "$__hook" "$__path"; done
done
export PATH NIX_CFLAGS_COMPILE NIX_LDFLAGS

# ---- end -----------------------------------------------------------------------------------------

case $__setupOptions in *e*) ;; *) set +e ;; esac
if [ -n "${IN_NIX_SHELL:-}" ]; then set +o pipefail; fi
