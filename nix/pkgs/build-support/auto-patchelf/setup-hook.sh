# At the end every program has the store's loader, and every rpath is exactly the folders, of the package and of its
# inputs, where what is needed lies. What lies nowhere and is not in autoPatchelfIgnoreMissingDeps stops the build.
autoPatchelfPostFixup() {
  local output flag folders=()
  for flag in $NIX_LDFLAGS; do
    case $flag in -L*) folders+=("${flag#-L}") ;; esac
  done
  for output in $outputs; do
    if [ -d "${!output}" ]; then
      ignoreMissingDeps=${autoPatchelfIgnoreMissingDeps:-} \
        patchElfs "$loader" "${!output}" "${folders[@]}" "$libcFolder"
    fi
  done
}
if [ -z "${dontAutoPatchelf:-}" ]; then postFixupHooks+=(autoPatchelfPostFixup); fi
