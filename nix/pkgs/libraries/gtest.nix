# GoogleTest and GoogleMock, static.
{ mkDebPackage }:
mkDebPackage {
  pname = "gtest";
  postUnpack = "rm -rf $out/src";
  meta.description = "C++ testing framework";
}
