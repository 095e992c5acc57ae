# Nothing in the composed package is searched for: every DT_NEEDED is an absolute store path or
# libc's family, there is no RUNPATH, and no path of the compiler or from outside the store.
# The control: composed without dontPatchELF, the same package has RUNPATHs, and the check reports it.
{
  runCommandCC,
  python3,
  torch,
}:
let
  inherit (python3) sitePackages;
  shrunk = torch.overrideAttrs (_: { dontPatchELF = false; });
in
runCommandCC "torch-no-search-left" { } ''
  mkdir $out
  # searches PACKAGE: prints what is wrong with it, and sets `seen` and `bad` to how many files and faults.
  complain() { echo "$1: $2"; bad=$((bad + 1)); }
  searches() {
    local file needed entry
    bad=0 seen=0
    for file in $(find $1 \( -name '*.so*' -o -path '*/torch/bin/*' \) -type f | sort); do
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
    [ $seen -ge 6 ] || complain $1 "holds only $seen shared objects"
  }
  searches ${torch}/${sitePackages}/torch
  [ $bad = 0 ] || exit 1
  passed=$seen
  searches ${shrunk}/${sitePackages}/torch > complaints
  if [ $bad != $passed ] || [ "$(grep -c 'has a RUNPATH$' complaints)" != $passed ]; then
    echo "of the control, this was found:"
    cat complaints
    exit 1
  fi
  echo "$((passed + 1)) passed, 0 failed" > $out/report.txt
''
