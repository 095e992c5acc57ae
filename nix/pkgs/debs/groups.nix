# Which debs become one package. A deb is a package of its own unless it stands here: merged are
# those that one tool expects under one prefix. The file that builds a group is named in
# ../default.nix by the same attribute.
{
  glibc = [
    "libc6"
    # libc loads it by name, for thread cancellation
    "libgcc-s1"
  ];
  # Runtime libraries of the compiler, what nixpkgs calls stdenv.cc.cc.lib.
  gcc-lib = [
    "libstdc++6"
    "libatomic1"
    "libgfortran5"
    "libgomp1"
    "libquadmath0"
  ];
  gcc = [
    "gcc-14-x86-64-linux-gnu"
    "binutils"
    "binutils-common"
    "binutils-x86-64-linux-gnu"
    "cpp-14"
    "cpp-14-x86-64-linux-gnu"
    "g++-14"
    "g++-14-x86-64-linux-gnu"
    "gcc-14"
    "libbinutils"
    "libc6-dev"
    "libcc1-0"
    "libcrypt-dev"
    "libctf-nobfd0"
    "libctf0"
    "libgcc-14-dev"
    "libsframe1"
    "libstdc++-14-dev"
    "linux-libc-dev"
  ];
  # What other debs link as libblas.so.3 and liblapack.so.3.
  blas = [ "libopenblas0-openmp" ];
  cmake = [
    "cmake"
    "cmake-data"
  ];
  gtest = [
    "libgtest-dev"
    "libgmock-dev"
  ];
  libhwy = [
    "libhwy1t64"
    "libhwy-dev"
  ];
  oneDNN = [
    "libdnnl3.6"
    "libdnnl-dev"
  ];
  openblas = [
    "libopenblas64-0-openmp"
    "libopenblas64-openmp-dev"
  ];
  libevent-core = [
    "libevent-core-2.1-7t64"
    "libevent-pthreads-2.1-7t64"
  ];
  openmpi = [
    "libopenmpi40"
    "libopenmpi-dev"
    "libpmix2t64"
    "openmpi-bin"
    "openmpi-common"
  ];
  pkg-config = [
    "pkgconf"
    "pkgconf-bin"
    "libpkgconf3"
  ];
  python3 = [
    "python3.13-minimal"
    "libpython3.13-dev"
    "libpython3.13-minimal"
    "libpython3.13-stdlib"
    "python3.13"
    "python3.13-dev"
  ];
  ucx = [ "libucx0" ];
  zlib = [
    "zlib1g"
    "zlib1g-dev"
  ];

  # Python packages made of several debs; nixpkgs' names are given in ../python/packages.nix.
  python3-babel = [
    "python3-babel"
    "python-babel-localedata"
  ];
  python3-docutils = [
    "python3-docutils"
    "docutils-common"
  ];
  python3-mypy = [
    "python3-mypy"
    "python3-typeshed"
  ];
  python3-sphinx = [
    "python3-sphinx"
    "sphinx-common"
    "libjs-sphinxdoc"
  ];
  python3-pip = [
    "python3-pip"
    "ca-certificates"
  ];
  python3-matplotlib = [
    "python3-matplotlib"
    "python-matplotlib-data"
    "fonts-dejavu-core"
    "fonts-dejavu-mono"
    "fonts-lyx"
  ];
  python3-numpy = [
    "python3-numpy"
    "python3-numpy-dev"
  ];
  python3-setuptools = [
    "python3-setuptools"
    "python3-pkg-resources"
  ];
}
