# unpackWheel { several ? false } -> unpackCmd of a derivation whose source is a wheel: it comes into the folder `wheel`.
# `several`: wheels, of which some hold the same file.
{ busybox }:
{
  several ? false,
}:
if several then
  "mkdir -p wheel && ${busybox}/bin/unzip -q -o -d wheel $curSrc"
else
  "mkdir wheel && ${busybox}/bin/unzip -q -d wheel $curSrc"
