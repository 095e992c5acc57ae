# Functions that give our shared objects their final RPATH and DT_NEEDED. Sourced by postFixup.
# DT_RPATH, never DT_RUNPATH: the loader consults it before LD_LIBRARY_PATH.

# rpathFrom ORIGIN DIR... -- FILE...: ORIGIN first, then the entries of the old rpath that lie in the
# store, less the DIRs. (An empty entry, which a stray colon makes, would mean the current folder.)
rpathFrom() {
  local origin=$1 file entry path
  local -A dropped=()
  shift
  while [ "$1" != -- ]; do dropped[$1]=1; shift; done
  shift
  for file; do
    path=$origin
    while IFS= read -r -d: entry; do
      case $entry in "$NIX_STORE"/*) [ -n "${dropped[$entry]:-}" ] || path+=:$entry ;; esac
    done <<<"$(patchelf --print-rpath "$file"):"
    chmod u+w "$file"
    patchelf --force-rpath --set-rpath "$path" "$file"
  done
}

# absoluteNeeded LIBDIR FILE...: every DT_NEEDED that LIBDIR or an absolute entry of the file's RPATH
# holds becomes an absolute path, so that not even a library of that name which the process has
# loaded already can stand in for it. What is left is libc's own family, which comes with the program.
absoluteNeeded() {
  local libdir=$1 file needed folder
  local -a folders
  shift
  for file; do
    chmod u+w "$file"
    IFS=: read -r -a folders <<<"$(patchelf --print-rpath "$file")"
    for needed in $(patchelf --print-needed "$file"); do
      case $needed in /* | libc.so.* | libm.so.* | libdl.so.* | libpthread.so.* | librt.so.* | ld-linux*) continue ;; esac
      for folder in "$libdir" "${folders[@]}"; do
        case $folder in /*) ;; *) continue ;; esac
        if [ -e "$folder/$needed" ]; then
          patchelf --replace-needed "$needed" "$folder/$needed" "$file"
          break
        fi
      done
    done
  done
}
