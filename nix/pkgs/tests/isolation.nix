# The C library knows no file of the host.
{ runCommandCC, glibc }:
runCommandCC "test-isolation" { } ''
  loader=${glibc.loader}
  for old in /etc/ld.so.cache /etc/ld.so.preload /usr/lib /lib/x86_64-linux-gnu; do
    if strings $loader | grep -x -e "$old.*"; then echo "error: the loader still names $old"; exit 1; fi
  done
  for old in /usr/lib/locale gconv/gconv-modules; do
    if strings ${glibc}/lib/libc.so.6 | grep -e "^/usr.*$old"; then echo "error: libc still names $old"; exit 1; fi
  done
  # no default folder at all: a library without an rpath is not found
  echo 'int main(void) { return 0; }' >main.c
  NIX_DONT_SET_RPATH=1 gcc main.c -o main
  if ./main 2>message; then echo "error: libc found without an rpath"; exit 1; fi
  grep 'libc.so.6: cannot open shared object file' message
  touch $out
''
