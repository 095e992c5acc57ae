# The debugger, with its Python, and the printers of C++'s standard library for our libstdc++.
{
  mkDebPackage,
  debPackages,
  fetchDeb,
  python3,
  gcc-lib,
  runtimeShell,
}:
mkDebPackage {
  pname = "gdb";
  # As a library, Python is needed by nothing else here.
  debs = [
    "gdb"
    "libpython3.13"
  ];
  inputs = map (name: debPackages.${name}) [
    "gcc-lib"
    "glibc"
    "libbabeltrace1"
    "libdebuginfod1t64"
    "libexpat1"
    "libgmp10"
    "libipt2"
    "liblzma5"
    "libmpfr6"
    "libncursesw6"
    "libreadline8t64"
    "libsource-highlight4t64"
    "libtinfo6"
    "libxxhash0"
    "libzstd1"
    "zlib"
  ];
  postUnpack = ''
    # A package's printers for gdb are dropped with its documentation; here they are what it is about.
    for deb in $debFiles ${fetchDeb "libc6"} ${fetchDeb "libstdc++6"}; do unpackDeb $deb $TMPDIR; done
    mv $TMPDIR/usr/share/gdb $TMPDIR/usr/share/gcc $out/share/
    # It turns every name into UTF-32, for which our libc has no converter.
    mkdir $out/lib/gconv
    mv $TMPDIR/usr/lib/x86_64-linux-gnu/gconv/UTF-*.so $out/lib/gconv/
    grep UTF- $TMPDIR/usr/lib/x86_64-linux-gnu/gconv/gconv-modules >$out/lib/gconv/gconv-modules
    rm -r $TMPDIR/usr $TMPDIR/etc $out/etc $out/lib/python3.13
    # It loads what stands here under the path of a library that a program has mapped.
    printers=$out/share/gdb/auto-load${gcc-lib}/lib
    mkdir -p $printers
    mv $out/share/gdb/auto-load/usr/lib/x86_64-linux-gnu/libstdc++.so.*-gdb.py $printers
    sed -i -e "s,^pythondir = .*,pythondir = '$out/share/gcc/python'," \
      -e "s,^libdir = .*,libdir = '${gcc-lib}/lib'," $printers/*.py
    # gdb takes Python's library from beside itself: it is told that this is a virtual environment.
    cat >$out/pyvenv.cfg <<EOF
    home = ${python3}/bin
    include-system-site-packages = false
    EOF
  '';
  # The variable is gdb's; the program that it starts does not get it.
  postFixup = ''
    mkdir $out/libexec
    mv $out/bin/gdb $out/libexec/gdb
    cat >$out/bin/gdb <<EOF
    #!${runtimeShell}
    GCONV_PATH=$out/lib/gconv exec $out/libexec/gdb -iex 'unset environment GCONV_PATH' "\$@"
    EOF
    chmod +x $out/bin/gdb
  '';
  meta = {
    description = "Debugger";
    mainProgram = "gdb";
  };
}
