# Nothing in the composed package is searched for: every DT_NEEDED is an absolute store path or
# libc's family, there is no RUNPATH, and no path of the compiler or from outside the store.
{
  runCommandCC,
  python3,
  torch,
}:
let
  package = "${torch}/${python3.sitePackages}/torch";
in
runCommandCC "torch-no-search-left" { } ''
  mkdir $out
  bad=0 seen=0
  complain() { echo "$1: $2"; bad=$((bad + 1)); }
  for file in $(find ${package} -name '*.so*' -type f | sort); do
    seen=$((seen + 1))
    readelf -d $file > dynamic
    for needed in $(sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' dynamic); do
      case $needed in
        ${builtins.storeDir}/*) test -e $needed || complain $file "needs $needed, which does not exist" ;;
        libc.so.6 | libm.so.6 | libdl.so.2 | libpthread.so.0 | librt.so.1 | ld-linux-*.so.*) ;;
        *) complain $file "searches for $needed" ;;
      esac
    done
    if grep -q '(RUNPATH)' dynamic; then complain $file "has a RUNPATH"; fi
    # Colons at an end or together would be an empty entry: the current folder.
    sed -n 's/.*(RPATH).*\[\(.*\)\]/\1/p' dynamic | tr : '\n' > rpath
    while IFS= read -r entry; do
      case $entry in
        '$ORIGIN' | '$ORIGIN/lib' | '$ORIGIN/../lib' | ${builtins.storeDir}/*) ;;
        *) complain $file "has '$entry' in its RPATH" ;;
      esac
    done < rpath
    if strings -a $file | grep -E '^/(build|usr|lib|home|tmp)/' | head -n 3 > paths; [ -s paths ]; then
      complain $file "names $(tr '\n' ' ' < paths)"
    fi
  done
  [ $seen -ge 6 ] || complain ${package} "holds only $seen shared objects"
  [ $bad = 0 ] || exit 1
  echo "$seen passed, 0 failed" > $out/report.txt
''
