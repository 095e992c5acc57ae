# The interpreter that runs tests of the package where there is nothing else: tests/gpu packs it for another machine.
{ python3, torch }:
python3.withPackages (ps: [
  torch
  ps.hypothesis
  ps.numpy
  ps.pytest
])
