# torch.distributed over MPI: groups of processes that mpirun starts, and the example that trains. In a sandbox without
# slots, machines and, on one with few processors, without so many of them.
{
  digits,
  mpi,
  python3,
  runCommand,
  source,
  torch,
  torch-mpi,
}:
let
  src = source {
    name = "mpi-tests";
    paths = [
      "examples"
      "tests/conftest.py"
      "tests/distributed/mpi_ranks.py"
      "tests/distributed/ranks.py"
      "tests/distributed/test_collectives.py"
      "tests/distributed/test_mpi.py"
      "tests/distributed/test_threaded.py"
      "tests/examples"
    ];
  };
  python = python3.withPackages (ps: [
    torch-mpi
    ps.hypothesis
    ps.numpy
    ps.pytest
  ]);
in
runCommand "torch-mpi-tests" { plain = torch; } ''
  cp -r --no-preserve=mode ${src}/* .
  mkdir $out
  export OMP_NUM_THREADS=1 HOME=$NIX_BUILD_TOP PATH=${python}/bin:${mpi}/bin:$PATH
  python -m pytest -q -p no:cacheprovider --durations=10 -rs tests/distributed/test_mpi.py 2>&1 | tee $out/report.txt
  if grep -q "skipped" $out/report.txt; then exit 1; fi
  # A torch without MPI is made of the same parts.
  if find $plain -name '_distributed_mpi*' | grep .; then exit 1; fi
  export TORCH_DIGITS=${digits}/digits.csv.gz
  python tests/examples/ddp.py examples $(python tests/distributed/mpi_ranks.py 2) 2>&1 | tee -a $out/report.txt
  tail -n 1 $out/report.txt | grep "^ddp_digits: two processes"
  closing=$(grep ' passed in ' $out/report.txt)
  echo "$closing" >> $out/report.txt
''
