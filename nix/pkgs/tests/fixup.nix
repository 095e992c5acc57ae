# fixupPhase shrinks rpaths and rejects what must not be in an output; it is run here on trees made wrong on purpose.
{
  runCommandCC,
  autoPatchelfHook,
  glibc,
  stdenv,
}:
runCommandCC "test-fixup" { nativeBuildInputs = [ autoPatchelfHook ]; } ''
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
    echo 'int gone(void); int main(void) { return gone(); }' |
      gcc -x c - -o tree/bin/program -Wl,-rpath,$tree/lib -Ltree/lib -lgone
  }
  rpath() { patchelf --print-rpath tree/bin/program; }

  # not below the build folder, which an output must not name
  tree=/tmp/fixup/tree

  # As linked: DT_RPATH, and entries for all that could be needed. Shrunk: what is needed, and patchelf's DT_RUNPATH.
  good
  readelf -d tree/bin/program | grep '(RPATH)'
  linked=$(rpath)
  [[ $linked == *$out/lib* && $linked == *${stdenv.cc.cc.lib}/lib* ]]
  fixOutput $PWD/tree
  [ "$(rpath)" = $tree/lib:${glibc}/lib ]
  readelf -d tree/bin/program | grep '(RUNPATH)'
  [ "$(patchelf --print-rpath tree/lib/libgone.so.1)" = "" ]
  ./tree/bin/program

  # unless told not to
  good
  dontPatchELF=1 fixOutput $PWD/tree
  [ "$(rpath)" = "$linked" ]
  readelf -d tree/bin/program | grep '(RPATH)'

  # $ORIGIN stays; also without anything to shrink it becomes a DT_RUNPATH
  good
  patchelf --force-rpath --set-rpath '$ORIGIN/../lib:${glibc}/lib' tree/bin/program
  fixOutput $PWD/tree
  [ "$(rpath)" = '$ORIGIN/../lib:${glibc}/lib' ]
  readelf -d tree/bin/program | grep '(RUNPATH)'
  ./tree/bin/program

  # autoPatchelfHook: the rpath anew, and nothing may be missing
  good
  patchelf --remove-rpath tree/bin/program
  patchelf --set-interpreter /lib64/ld-linux-x86-64.so.2 tree/bin/program
  outputs=tree autoPatchelfPostFixup
  [ "$(rpath)" = $tree/lib:${glibc}/lib ]
  ./tree/bin/program

  good
  rm tree/lib/libgone.so*
  outputs=tree rejects 'program needs libgone.so.1, which none of its inputs has' autoPatchelfPostFixup
  outputs=tree autoPatchelfIgnoreMissingDeps=libgone.so.1 autoPatchelfPostFixup

  good
  echo 'const char *where = "'$NIX_BUILD_TOP'/source/x.c";' | gcc -shared -x c - -o tree/lib/libwhere.so
  rejects 'libwhere.so names the build folder' fixOutput $PWD/tree
  noAuditTmpdir=1 fixOutput $PWD/tree

  good
  echo $(type -P gcc) $NIX_CC >tree/bin/note
  rejects 'these files name the compiler' fixOutput $PWD/tree

  # static archives carry no dates and owners
  good
  gcc -c -x c /dev/null -o empty.o && ar rcU tree/lib/libempty.a empty.o
  fixOutput $PWD/tree
  ar tv tree/lib/libempty.a | grep '^rw-r--r-- 0/0 .* 1970'

  # scripts start an interpreter of the store
  printf '#!/usr/bin/env bash\n' >tree/bin/script && chmod +x tree/bin/script
  fixOutput $PWD/tree
  grep '^#!/nix/store/.*/bin/bash$' tree/bin/script
  touch $out
''
