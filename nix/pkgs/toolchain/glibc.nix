# The C library, deaf to the host: its loader reads no /etc/ld.so.cache or ld.so.preload and searches
# no system folder, and libc reads no locale and no character set converter. What is not in a
# file's own rpath is not found. Names are overwritten in place, so each has its old length.
{ mkDebPackage }:
let
  glibc = mkDebPackage {
    pname = "glibc";
    interpreter = null;
    inputs = [ ];
    postUnpack = ''
      # overwrite FILE OLD NEW: each string of FILE that starts with OLD; at least one must.
      overwrite() {
        [ ''${#2} = ''${#3} ]
        offsets=$(strings -n ''${#2} -t d "$1" | awk -v old="$2" "$exactly index(\$2, old) == 1 { print \$1 }")
        [ -n "$offsets" ] || { echo "error: $1 holds no $2"; exit 1; }
        for offset in $offsets; do
          printf %s "$3" | dd of="$1" bs=1 seek="$offset" conv=notrunc 2>/dev/null
        done
      }
      loader=$out/lib/ld-linux-x86-64.so.2
      exactly='length($2) == length(old) &&'
      overwrite $loader /etc/ld.so.cache            /nix/.no/ldcache
      overwrite $loader /etc/ld.so.preload          /nix/.no/ldpreload
      overwrite $loader /lib/x86_64-linux-gnu/      /nix/.no/x86_64-gnu/l/
      overwrite $loader /usr/lib/x86_64-linux-gnu/  /nix/.no/x86_64-linux-gnu/
      overwrite $loader /lib/                       /-no/
      overwrite $loader /usr/lib/                   /nix/.no/
      exactly=
      overwrite $out/lib/libc.so.6 /usr/lib/locale  /nix/.no/locale
      overwrite $out/lib/libc.so.6 /usr/lib/x86_64-linux-gnu/gconv /nix/.no/x86_64-linux-gnu/gconv
      rm -rf $out/lib/gconv $out/lib/locale $out/lib64 $out/etc $out/lib/audit
      mkdir $out/lib64
      ln -s ../lib/ld-linux-x86-64.so.2 $out/lib64/
      # ldd, iconv and the like: tools for a host that we do not have
      rm -rf $out/bin $out/libexec
    '';
    passthru.loader = "${glibc}/lib64/ld-linux-x86-64.so.2";
    meta.description = "GNU C library that ignores the host";
  };
in
glibc
