# torch._distributed_mpi: groups over MPI for torch.distributed.
{
  interfaces,
  libtorch-interface,
  mkModule,
  mpi,
}:
mkModule {
  pname = "torch_mpi";
  manifest = "torch_mpi";
  folder = "csrc/mpi";
  paths = [
    "csrc/distributed/bind.h"
    "csrc/extension"
    "csrc/mpi"
  ];
  interfaces = [
    interfaces.THD
    libtorch-interface
  ];
  vendor = [ mpi ];
  description = "Process groups over MPI for torch.distributed";
}
