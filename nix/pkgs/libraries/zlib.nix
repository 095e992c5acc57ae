# Data compression.
{ mkDebPackage }:
mkDebPackage {
  pname = "zlib";
  # Debian: 1.3.dfsg+really1.3.1
  version = "1.3.1";
  meta.description = "Lossless data compression";
}
