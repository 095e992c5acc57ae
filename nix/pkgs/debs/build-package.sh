# Builder of ./make-package.nix: debs -> one package in the store. Run by busybox sh -eu.
# Needs: tools, debFiles, inputs, functions; optional: the hooks, setupHook, ...
umask 022
export PATH=$tools TMPDIR=${TMPDIR:-$NIX_BUILD_TOP} LC_ALL=C
export PYTHONHASHSEED=0 SOURCE_DATE_EPOCH=315532800
for file in $functions; do . "$file"; done

installDebs $debFiles
eval "$postUnpack"
libDirs=
if [ -n "$inputs" ]; then libDirs=$(libDirsOf $inputs); fi
repointLinks "$out" $libDirs
relocateMetadata
if [ -n "$interpreter" ]; then
  patchElfs "$interpreter" "$out" $libDirs
fi
for script in $(grep -rlI '^#! */\(usr/\)\?bin/' "$out/bin" 2>/dev/null); do
  sed -i "1s,^#! */\(usr/\)\?bin/\(env  *\)\?\(ba\)\?sh\>,#!$shell," "$script"
done
eval "$postFixup"
if [ -n "$setupHook" ]; then
  mkdir -p "$out/nix-support"
  cp "$setupHook" "$out/nix-support/setup-hook"
fi
if [ -n "$propagatedBuildInputs" ]; then
  mkdir -p "$out/nix-support"
  echo "$propagatedBuildInputs" >"$out/nix-support/propagated-build-inputs"
fi
