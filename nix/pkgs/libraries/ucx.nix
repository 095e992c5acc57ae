# UCX, one of Open MPI's ways to networks. Without the modules for AMD's devices and the tools that measure them.
{ debPackages, mkDebPackage }:
mkDebPackage {
  pname = "ucx";
  inputs = [
    debPackages.gcc-lib
    debPackages.glibc
    debPackages.ibverbs-providers
    debPackages.libibverbs1
    debPackages.librdmacm1t64
  ];
  postUnpack = "rm -f $out/lib/ucx/*_rocm.so* $out/lib/ucx/*_mad.so* $out/lib/ucx/*_fuse.so*";
  meta.description = "Communication between processes and machines";
}
