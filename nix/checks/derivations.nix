# Which derivations a scope has, with their paths: { cpu; cuda; }
#   cpu    what the package without CUDA is made of, and what asks it
#   cuda   what CUDA adds, and the package that has both
{ lib }:
scope:
let
  drvPath = drv: builtins.unsafeDiscardStringContext drv.drvPath;
  interfacesOf =
    lib.mapAttrs' (name: lib.nameValuePair "${name}-interface");
  objectsOf = lib.concatMapAttrs (
    name: library: lib.mapAttrs' (family: lib.nameValuePair "${name}-${family}") library.objects
  );
in
{
  cpu = lib.mapAttrs (_: drvPath) (
    interfacesOf scope.interfaces
    // scope.libraries
    // objectsOf (scope.libraries // { inherit (scope) libtorch libtorch_python; })
    // lib.mapAttrs' (name: lib.nameValuePair "generated-${name}") scope.generated
    // {
      inherit (scope)
        docs
        libtorch
        libtorch-interface
        libtorch_python
        libtorch_python-interface
        torch
        torch_distributed
        torch_mpi
        torch-mpi
        ;
      torch-modules = scope.modules;
      python-tests = scope.checks.python;
      TH-tests = scope.libraries.TH.tests.unit;
    }
  );
  cuda = lib.mapAttrs (_: drvPath) (
    interfacesOf scope.cudaInterfaces
    // scope.cudaLibraries
    // objectsOf scope.cudaLibraries
    // {
      generated-cuda = scope.cudaGenerated;
      inherit (scope) libtorch_cuda torch-cuda torch-cuda-modules torch_nccl;
    }
  );
}
