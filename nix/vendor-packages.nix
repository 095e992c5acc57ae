# Names in `vendor` of lib/libraries.toml to the packages behind them.
{
  libhwy,
  oneDNN,
  openblas,
  pocketfft,
}:
{
  # Newer versions of nixpkgs keep the part of Highway that sorts in an output of its own.
  libhwy = [ libhwy ] ++ (if libhwy ? contrib then [ libhwy.contrib ] else [ ]);
  oneDNN = [ oneDNN ];
  openblas = [ openblas ];
  # comes with the compiler
  openmp = [ ];
  pocketfft = [ pocketfft ];
}
