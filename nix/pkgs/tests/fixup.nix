# fixupPhase rejects what must not be in an output; it is run here on trees made wrong on purpose.
{
  runCommandCC,
  glibc,
  patchelf,
}:
runCommandCC "test-fixup" { nativeBuildInputs = [ patchelf ]; } ''
  # rejects MESSAGE FUNCTION ARGUMENT...: it must fail and say so
  rejects() {
    local message=$1
    shift
    if ("$@") >log 2>&1; then
      cat log
      echo "error: not rejected: $message"
      exit 1
    fi
    grep -e "$message" log || { cat log; echo "error: wrong message, expected: $message"; exit 1; }
  }

  good() {
    rm -rf $tree && mkdir -p $tree/lib $tree/bin && cd $tree/..
    echo 'int gone(void) { return 0; }' | gcc -shared -x c - -o tree/lib/libgone.so.1 -Wl,-soname,libgone.so.1
    ln -s libgone.so.1 tree/lib/libgone.so
    echo 'int gone(void); int main(void) { return gone(); }' | gcc -x c - -o tree/bin/program -Ltree/lib -lgone
  }

  # not below the build folder, which an output must not name
  tree=/tmp/fixup/tree

  good
  fixOutput $PWD/tree
  ./tree/bin/program
  patchelf --print-rpath tree/bin/program | grep -F $PWD/tree/lib:
  # exact: a C program needs glibc and not libstdc++, this library nothing
  [ "$(patchelf --print-rpath tree/bin/program)" = $tree/lib:${glibc}/lib ]
  [ "$(patchelf --print-rpath tree/lib/libgone.so.1)" = "" ]

  good
  rm tree/lib/libgone.so*
  rejects 'program needs libgone.so.1, which none of its inputs has' fixOutput $PWD/tree

  good
  autoPatchelfIgnoreMissingDeps=libgone.so.1 fixOutput $PWD/tree

  good
  patchelf --set-rpath $PWD/tree/lib tree/bin/program
  patchelf --print-rpath tree/bin/program
  rejects 'has a DT_RUNPATH' checkElfs $PWD/tree

  good
  echo 'const char *where = "'$NIX_BUILD_TOP'/source/x.c";' | gcc -shared -x c - -o tree/lib/libwhere.so
  rejects 'libwhere.so names the build folder' fixOutput $PWD/tree

  good
  echo $(type -P gcc) $NIX_CC >tree/bin/note
  rejects 'these files name the compiler' fixOutput $PWD/tree

  # $ORIGIN stays, entries that lead nowhere go, and it is an RPATH
  good
  patchelf --force-rpath --set-rpath '$ORIGIN/../lib:/usr/lib:/nix/store/none' tree/bin/program
  fixOutput $PWD/tree
  case $(patchelf --print-rpath tree/bin/program) in '$ORIGIN/../lib:'*glibc*) ;; *) exit 1 ;; esac
  ! patchelf --print-rpath tree/bin/program | grep -e /usr/lib -e none
  readelf -d tree/bin/program | grep '(RPATH)'
  ./tree/bin/program

  # static archives carry no dates and owners
  gcc -c -x c /dev/null -o empty.o && ar rcU tree/lib/libempty.a empty.o
  fixOutput $PWD/tree
  ar tv tree/lib/libempty.a | grep '^rw-r--r-- 0/0 .* 1970'

  # scripts start an interpreter of the store
  printf '#!/usr/bin/env bash\n' >tree/bin/script && chmod +x tree/bin/script
  fixOutput $PWD/tree
  grep '^#!/nix/store/.*/bin/bash$' tree/bin/script
  touch $out
''
