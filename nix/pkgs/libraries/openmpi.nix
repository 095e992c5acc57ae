# Open MPI, with the PMIx that it starts processes by. Debian's programs and libraries expect each other in /usr, and are told
# where they are by the environment; so programs are started by scripts which say it.
{
  debPackages,
  mkDebPackage,
}:
mkDebPackage {
  pname = "openmpi";
  inputs = [
    debPackages.gcc-lib
    debPackages.glibc
    debPackages.libevent-core
    debPackages.libfabric1
    debPackages.libhwloc15
    debPackages.libmunge2
    debPackages.libnl-3-200
    debPackages.libpsm2-2
    debPackages.ucx
    debPackages.zlib
  ];
  postUnpack = ''
    rm $out/include/openmpi
    moveInto $out/lib/openmpi/include $out/include
    # C alone; and what is here twice
    rm -rf $out/lib/libmpi_* $out/lib/liboshmem* $out/lib/libmpi++* $out/lib/fortran $out/lib/openmpi $out/lib/pkgconfig \
      $out/include/openshmem $out/include/x86_64-linux-gnu $out/share/doc/*/javadoc-openmpi $out/share/openmpi/*-wrapper-data.txt
    find $out/include \( -name '*.mod' -o -name 'shmem*' \) -exec rm -rf {} +
    ln -s libmpi.so.40 $out/lib/libmpi.so
    # Settings of the machine's own are none of ours: those that came along take their place. MPI knows ''${prefix}, and this
    # is as long as what it replaces.
    for library in $out/lib/libopen-pal.so.80.* $out/lib/libprrte.so.3.*; do
      place=$(strings -t d $library | sed -n 's,^ *\([0-9]*\) /etc/openmpi$,\1,p')
      printf %s "\''${prefix}/et" | dd of=$library bs=1 seek=$place conv=notrunc
    done
    ln -s etc/openmpi $out/et

    cd $out/bin
    rm -f mpijavac* osh* *cc.openmpi *CC.openmpi *++.openmpi *cxx.openmpi mpif* opal_wrapper oshmem_info
    for program in *.openmpi; do mv $program ''${program%.openmpi}; done
    rm mpiexec
    mkdir ../libexec
    for program in mpirun ompi_info prte prte_info prun pterm; do
      mv $program ../libexec/$program
      cat >$program <<EOF
    #!$shell
    export OPAL_PREFIX=$out PRTE_PREFIX=$out PMIX_PREFIX=$out/lib/pmix2
    export PMIX_MCA_pcompress_base_silence_warning=1
    exec $out/libexec/$program "\$@"
    EOF
      chmod +x $program
    done
    ln -s mpirun mpiexec
    cd /
  '';
  meta.description = "Message passing among processes, by the MPI standard";
}
