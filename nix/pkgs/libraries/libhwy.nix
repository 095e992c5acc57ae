# Highway: SIMD with run-time dispatch.
{ mkDebPackage }:
mkDebPackage {
  pname = "libhwy";
  meta.description = "Performance-portable SIMD";
}
