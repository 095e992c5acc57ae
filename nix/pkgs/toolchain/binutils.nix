# Linker, archiver and the other tools for object files; `ld` is ours (ld-wrapper.sh).
{
  runBootstrap,
  bash,
  debPackages,
  gcc-unwrapped,
  gcc-lib,
  glibc,
}:
runBootstrap "binutils-wrapper-2.44" { } ''
  mkdir -p $out/bin
  for tool in addr2line ar as c++filt elfedit gprof nm objcopy objdump ranlib readelf size strings strip; do
    ln -s ${gcc-unwrapped}/bin/x86_64-linux-gnu-$tool $out/bin/$tool
  done
  for tool in ar nm ranlib; do
    ln -s ${gcc-unwrapped}/bin/x86_64-linux-gnu-gcc-$tool-14 $out/bin/gcc-$tool
  done
  sed -e 's,@shell@,${bash}/bin/bash,' -e 's,@gcc@,${gcc-unwrapped},' -e 's,@gcc_lib@,${gcc-lib},' \
    -e 's,@glibc@,${glibc},' -e 's,@loader@,${glibc.loader},' -e 's,@storeDir@,${builtins.storeDir},' \
    -e 's,@asan@,${debPackages.libasan8},' -e 's,@ubsan@,${debPackages.libubsan1},' \
    -e 's,@tsan@,${debPackages.libtsan2},' ${./ld-wrapper.sh} >$out/bin/ld
  chmod +x $out/bin/ld
  ln -s ld $out/bin/ld.bfd
  for tool in $out/bin/*; do ln -s ''${tool##*/} $out/bin/x86_64-linux-gnu-''${tool##*/}; done
''
// {
  pname = "binutils-wrapper";
  version = "2.44";
  meta.description = "Tools for object files";
}
