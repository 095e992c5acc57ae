# Nothing in the composed package is searched for: every DT_NEEDED is an absolute store path or
# libc's family, there is no RUNPATH, and no path of the compiler or from outside the store.
{
  lib,
  runCommandCC,
  python3,
  torch,
  stdenv,
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
        libc.so.6 | libm.so.6 | libdl.so.2 | libpthread.so.0 | librt.so.1 | ld-linux-*.so.* | libgcc_s.so.1 | libstdc++.so.6 | libgomp.so.1) ;;
        libopenblas*.so.* | libhwy*.so.*)
          # Vendor libraries keep their names; the RPATH finds them, and only in the store.
          found=
          for entry in $(sed -n 's/.*(RPATH).*\[\(.*\)\]/\1/p' dynamic | tr : ' '); do
            if [ -e "$entry/$needed" ]; then found=1; fi
          done
          [ -n "$found" ] || complain $file "needs $needed, which no entry of its RPATH holds" ;;
        *) complain $file "searches for $needed" ;;
      esac
    done
    if grep -q '(RUNPATH)' dynamic; then complain $file "has a RUNPATH"; fi
    for entry in $(sed -n 's/.*(RPATH).*\[\(.*\)\]/\1/p' dynamic | tr : ' '); do
      case $entry in
        '$ORIGIN' | '$ORIGIN/lib' | '$ORIGIN/../lib' | ${builtins.storeDir}/*) ;;
        *) complain $file "has $entry in its RPATH" ;;
      esac
    done
    if strings -a $file | grep -E '^/(build|usr|lib|home|tmp)/' | head -n 3 > paths; [ -s paths ]; then
      complain $file "names $(tr '\n' ' ' < paths)"
    fi
  done
  [ $seen -ge 6 ] || complain ${package} "holds only $seen shared objects"
  [ $bad = 0 ] || exit 1
  echo "$seen passed, 0 failed" > $out/report.txt
''
