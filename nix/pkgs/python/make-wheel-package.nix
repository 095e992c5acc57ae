# mkPythonWheelPackage { wheel, dependencies ? [ ], ... } -> a module that wheels.lock.json has.
{ buildPythonPackage, fetchWheel }:
{ wheel, ... }@args:
let
  src = fetchWheel wheel;
in
buildPythonPackage (
  {
    pname = wheel;
    inherit (src) version;
    inherit src;
    pyproject = true;
    # It is built.
    dontUnpack = true;
    buildPhase = "mkdir dist && cp $src dist/${src.name}";
  }
  // removeAttrs args [ "wheel" ]
)
