# Names in `vendor` of lib/libraries.toml to the packages behind them.
#
# blas, lapack: those that NumPy is made with, so that a process has one BLAS. For 64-bit integers take openblas in the
# place of both.
{
  blas,
  gloo,
  lapack,
  libhwy,
  oneDNN,
  pocketfft,
}:
{
  blas = [
    blas
    lapack
  ];
  gloo = [ gloo ];
  # Newer versions of nixpkgs keep the part of Highway that sorts in an output of its own.
  libhwy = [ libhwy ] ++ (if libhwy ? contrib then [ libhwy.contrib ] else [ ]);
  oneDNN = [ oneDNN ];
  # comes with the compiler
  openmp = [ ];
  pocketfft = [ pocketfft ];
}
