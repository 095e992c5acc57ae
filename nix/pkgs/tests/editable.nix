# `pip install -e`, as in the development shell: works without a certificate bundle, which pip opens
# even when it downloads nothing.
{
  runCommandCC,
  python3,
  openblas,
}:
runCommandCC "test-editable"
  {
    nativeBuildInputs = [
      (python3.withPackages (ps: [
        ps.numpy
        ps.pip
        ps.setuptools
        ps.wheel
      ]))
    ];
    buildInputs = [ openblas ];
  }
  ''
    [ ! -e /etc/ssl ]
    cp -r --no-preserve=mode ${./extension} checkout
    python -m pip install --no-index --no-build-isolation --no-deps --prefix $PWD/prefix -e ./checkout
    (cd checkout && python setup.py --quiet build_ext --inplace)
    PYTHONPATH=checkout python -c 'import witness; assert witness.dot([2], [3]) == 6'
    touch $out
  ''
