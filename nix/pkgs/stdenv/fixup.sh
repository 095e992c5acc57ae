# fixupPhase: what every output gets, and what every output must fulfil. Part of $stdenv/setup.

# ---- work ----------------------------------------------------------------------------------------

# moveToOutput PATH OUTPUT: a file or folder, from the other outputs.
moveToOutput() {
  local path=$1 target=${!2} output source
  for output in $outputs; do
    if [ "${!output}" = "$target" ]; then continue; fi
    for source in "${!output}"/$path; do
      if [ -e "$source" ]; then
        mkdir -p "$target/$(dirname "${source#"${!output}"/}")"
        mv "$source" "$target/${source#"${!output}"/}"
        (cd "${!output}" && rmdir --ignore-fail-on-non-empty -p "$(dirname "${source#"${!output}"/}")" 2>/dev/null) || true
      fi
    done
  done
}

# Headers and what finds them go to the output dev, if there is one.
splitOutputs() {
  if [ -n "${outputDev:-}" ]; then
    local path
    for path in include lib/cmake lib/pkgconfig share/cmake; do moveToOutput "$path" "$outputDev"; done
  fi
}

# stripFiles FOLDER: no debug information, and archives without time stamps and owners.
stripFiles() {
  local files=()
  mapfile -t files < <(elfFiles "$1")
  if [ ${#files[@]} -gt 0 ]; then strip -S -p "${files[@]}"; fi
  mapfile -t files < <(find "$1" -type f -name '*.a' | sort)
  if [ ${#files[@]} -gt 0 ]; then strip -S -p -D "${files[@]}"; fi
}

# patchShebangs FILE-OR-FOLDER...: scripts start the interpreter that is in PATH now.
patchShebangs() {
  local file line program interpreter
  while IFS= read -r file; do
    IFS= read -r line <"$file" || continue
    case $line in '#!'*) ;; *) continue ;; esac
    line=${line#\#!}
    line=${line#"${line%%[! ]*}"}
    case $line in "$NIX_STORE"/*) continue ;; esac
    program=${line%% *}
    if [ "${program##*/}" = env ]; then
      line=${line#* }
      if [ "${line%% *}" = -S ]; then line=${line#* }; fi
      program=${line%% *}
    fi
    if interpreter=$(type -P "${program##*/}"); then
      line=$interpreter${line#"$program"}
      echo "$file: interpreter is now $line"
      chmod u+w "$file"
      sed -i "1s|.*|#!$line|" "$file"
    fi
  done < <(find "$@" -type f -perm -0100 | LC_ALL=C sort)
}

# shrinkRpaths FOLDER: of each rpath what is needed. patchelf makes a DT_RUNPATH of a DT_RPATH on the way: who wants
# the latter sets dontPatchELF, or the rpath in postFixup.
shrinkRpaths() {
  local file
  while IFS= read -r file; do
    # static ones and object files have none
    if patchelf --print-rpath "$file" >/dev/null 2>&1; then patchelf --shrink-rpath "$file"; fi
  done < <(elfFiles "$1")
}

# ---- checks --------------------------------------------------------------------------------------

# checkBuildFolder FOLDER: no program or library knows where it was built. Each problem is one line.
checkBuildFolder() {
  local file status=0
  while IFS= read -r file; do
    if grep -q -F -e "${NIX_BUILD_TOP:-/build}/" "$file"; then
      echo "error: $file names the build folder ${NIX_BUILD_TOP:-/build}" >&2
      status=1
    fi
  done < <(elfFiles "$1")
  return $status
}

# checkCompilerReferences FOLDER: a user of our output needs no compiler.
checkCompilerReferences() {
  local path found
  for path in $compilerPaths; do
    path=${path##*/}
    if found=$(grep -rlF -e "${path%%-*}" "$1"); then
      echo "error: these files name the compiler ($path), which would then be part of the closure:" >&2
      printf '%s\n' "$found" >&2
      return 1
    fi
  done
}

# ---- phase ---------------------------------------------------------------------------------------

fixOutput() {
  local folder=$1
  if [ -d "$folder/bin" ] && [ -z "${dontPatchShebangs:-}" ]; then patchShebangs "$folder/bin"; fi
  if [ -z "${dontStrip:-}" ]; then stripFiles "$folder"; fi
  if [ -z "${dontPatchELF:-}" ]; then shrinkRpaths "$folder"; fi
  if [ -z "${noAuditTmpdir:-}" ]; then checkBuildFolder "$folder" || return; fi
  if [ -z "${allowCompilerReferences:-}" ]; then checkCompilerReferences "$folder" || return; fi
}

fixupPhase() {
  local output folder
  for output in $outputs; do
    if [ -e "${!output}" ]; then chmod -R u+w "${!output}"; fi
  done
  splitOutputs
  runHook preFixup
  for output in $outputs; do
    folder=${!output}
    if [ -d "$folder" ]; then
      fixOutput "$folder"
      runHook fixupOutput "$folder"
    elif [ -f "$folder" ] && [ -z "${allowCompilerReferences:-}" ]; then
      checkCompilerReferences "$folder"
    fi
  done
  writeDependencies
  runHook postFixup
}

# writeDependencies: what our dependents get along with us, and our setup hook.
writeDependencies() {
  local folder=$prefix
  if [ -n "${outputDev:-}" ]; then folder=${!outputDev}; fi
  if [ -n "${propagatedBuildInputs:-}" ]; then
    mkdir -p "$folder/nix-support"
    printf '%s\n' "$propagatedBuildInputs" >"$folder/nix-support/propagated-build-inputs"
  fi
  if [ -n "${setupHook:-}" ]; then
    mkdir -p "$folder/nix-support"
    cp --no-preserve=mode "$setupHook" "$folder/nix-support/setup-hook"
    substituteInPlace "$folder/nix-support/setup-hook" --subst-var-by out "$prefix"
  fi
}
