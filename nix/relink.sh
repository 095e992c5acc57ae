# Functions that give our shared objects their final RPATH and DT_NEEDED. Sourced by postFixup.
# DT_RPATH, never DT_RUNPATH: the loader consults it before LD_LIBRARY_PATH.

# withoutInterfaces DIR... -- FILE...: $ORIGIN first, then the old rpath without the DIRs.
withoutInterfaces() {
  local -A dropped=()
  while [ "$1" != -- ]; do dropped[$1]=1; shift; done
  shift
  local file entry path
  for file; do
    path='$ORIGIN'
    while IFS= read -r -d: entry; do
      case $entry in '' | '$ORIGIN'*) continue ;; esac
      [ -n "${dropped[$entry]:-}" ] || path+=:$entry
    done <<<"$(patchelf --print-rpath "$file"):"
    chmod u+w "$file"
    patchelf --force-rpath --set-rpath "$path" "$file"
  done
}

# absoluteNeeded LIBDIR FILE...: every DT_NEEDED that LIBDIR holds becomes LIBDIR's absolute path,
# so that not even a library that the process has loaded already can stand in for it.
absoluteNeeded() {
  local libdir=$1 file needed
  shift
  for file; do
    chmod u+w "$file"
    for needed in $(patchelf --print-needed "$file"); do
      case $needed in /*) continue ;; esac
      if [ -e "$libdir/$needed" ]; then
        patchelf --replace-needed "$needed" "$libdir/$needed" "$file"
      fi
    done
  done
}
