# writeManifest NAME PATH...: $out/share/torch/sources/NAME says what this derivation was built from,
# so that a checkout knows whether its own files are the same (tools/prebuilt.py). Run where the
# repository's files lie, before anything else is written there.
writeManifest() {
  local name=$1 path file
  shift
  manifest=$NIX_BUILD_TOP/manifest-$name
  for path; do
    if [ -d "$path" ]; then echo "folder $path"; fi
  done > "$manifest"
  find "$@" -type f -not -path '*/__pycache__/*' | LC_ALL=C sort | while IFS= read -r file; do
    sha256sum "$file"
  done >> "$manifest"
}

# addManifests FOLDER FILE...: the manifests of what else was compiled into this, which together hold all of FOLDER.
addManifests() {
  echo "folder $1" >> "$manifest"
  shift
  cat "$@" >> "$manifest"
  LC_ALL=C sort -u -o "$manifest" "$manifest"
}

installManifest() {
  local file
  for file in "$NIX_BUILD_TOP"/manifest-*; do
    install -Dm644 "$file" "$out/share/torch/sources/${file##*/manifest-}"
  done
}
