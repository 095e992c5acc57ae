# torchvision's sources: a check here compiles the operators in them against torch. Nobody needs the package.
{ lock, fetchLocked }:
let
  source = lock.sources.pytorch-vision;
in
{
  pname = "torchvision";
  inherit (source) version;
  src = fetchLocked {
    kind = "deb";
    inherit (source) path sha256;
  };
}
