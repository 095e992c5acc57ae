# oneDNN: optimised neural-network kernels; OpenMP threads.
{ mkDebPackage }:
mkDebPackage {
  pname = "oneDNN";
  meta.description = "oneAPI deep neural network library";
}
