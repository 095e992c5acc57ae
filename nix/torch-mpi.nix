# torch._distributed_mpi: groups over MPI for torch.distributed.
{
  interfaces,
  interfacesOfTHPP,
  libtorch-interface,
  libtorch_python-interface,
  mkPart,
  mpi,
  python3,
}:
let
  python = python3.withPackages (ps: [ ps.pybind11 ]);
in
mkPart {
  pname = "torch_mpi";
  manifest = "torch_mpi";
  folder = "csrc/mpi";
  paths = [
    "csrc/distributed/bind.h"
    "csrc/extension"
    "csrc/mpi"
  ];
  nativeBuildInputs = [ python ];
  buildInputs = [
    libtorch-interface
    libtorch_python-interface
    interfaces.THD
    mpi
  ];
  cmakeFlags = [ "-DPython3_EXECUTABLE=${python}/bin/python3" ];
  postFixup = ''
    unwanted="${
      toString (
        map (i: "${i}/lib") (
          interfacesOfTHPP
          ++ [
            interfaces.THD
            libtorch-interface
            libtorch_python-interface
          ]
        )
      )
    }"
    rpathFrom '$ORIGIN/lib' $unwanted -- $out/python/torch/*.so
  '';
  description = "Process groups over MPI for torch.distributed";
}
