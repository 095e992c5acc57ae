# torch.override { distributedSupport = false; }: no THD, and torch.distributed says so by name; all else is there.
{
  lib,
  runCommand,
  python,
  python3,
  torch,
}:
let
  without = torch.override { distributedSupport = false; };
  interpreter = python.override { torch = without; };
  refused = torch.override {
    distributedSupport = false;
    MPISupport = true;
  };
in
assert lib.assertMsg (!(builtins.tryEval refused.drvPath).success) "MPISupport without distributedSupport evaluates";
runCommand "torch-without-distributed" { } ''
  mkdir $out
  package=${without}/${python3.sitePackages}/torch
  test -e $package/lib/libTHPP.so.1
  test -z "$(find -L $package \( -name 'libTHD*' -o -name '_distributed*.so' \) -print -quit)"
  ${interpreter}/bin/python - << 'END' | tee $out/report.txt
  import torch, torch.distributed, torch.nn.parallel
  assert (torch.ones(2) + 1).tolist() == [2, 2] and not torch.distributed.is_available()
  try:
      torch.distributed.init_process_group("gloo")
  except NotImplementedError as error:
      assert "without distributed support" in str(error), error
      print(type(error).__name__, error)
  else:
      raise SystemExit("init_process_group() is there")
  print("4 passed, 0 failed")
  END
''
