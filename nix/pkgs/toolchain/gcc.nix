# GCC and binutils as Debian ships them, shaped as a sysroot: headers, start files and link-time
# libraries of glibc are inside, runtime libraries are links. Use it through the wrapper (cc.nix).
{ mkDebPackage, debPackages }:
mkDebPackage {
  pname = "gcc";
  # libc.so is a linker script that names Debian's folders, relative to the sysroot.
  flattenMultiarch = false;
  ignoreMissingDeps = [ "libgprofng.so.0" ];
  postUnpack = ''
    ln -s . $out/usr
    rm -rf $out/lib64 $out/bin/*gprofng* $out/bin/*gp-*
    mkdir $out/lib64
    ln -s $interpreter $out/lib64/
    # what programs are linked against
    for package in ${debPackages.glibc} ${debPackages.gcc-lib} ${debPackages.libcrypt1} \
      ${debPackages.libasan8} ${debPackages.libitm1} ${debPackages.libtsan2} ${debPackages.libubsan1}; do
      for file in $package/lib/*.so*; do
        link=$out/lib/x86_64-linux-gnu/''${file##*/}
        [ -e "$link" ] || ln -sfn $file $link
      done
    done
  '';
  # the same names as in an upstream build: gcc for x86_64-linux-gnu-gcc-14
  postFixup = ''
    cd $out/bin
    for program in x86_64-linux-gnu-*; do
      name=''${program#x86_64-linux-gnu-}
      ln -sfn $program ''${name%-14}
    done
    ln -s gcc cc
    ln -s g++ c++
  '';
  passthru.lib = debPackages.gcc-lib;
  meta.description = "GNU compiler collection and binutils, unwrapped";
}
