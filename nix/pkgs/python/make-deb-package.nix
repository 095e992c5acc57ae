# mkPythonDebPackage { deb, dependencies ? [ ], ... } -> a Debian module in upstream's layout.
{ mkDebPackage, python }:
{
  deb,
  dependencies ? [ ],
  postUnpack ? "",
  postFixup ? "",
  passthru ? { },
  meta ? { },
  ...
}@args:
mkDebPackage (
  removeAttrs args [
    "deb"
    "dependencies"
  ]
  // {
    pname = deb;
    propagatedBuildInputs = dependencies;
    tools = [ python ];
    shell = "${python}/bin/python3";
    postUnpack = ''
      mkdir -p $out/${python.sitePackages}
      moveInto $out/lib/python3/dist-packages $out/${python.sitePackages}
      ${postUnpack}
      rm -rf $out/lib/python3 $out/share $out/etc
    '';
    postFixup = ''
      ${python.executable} -I -S -m compileall -q -f -s $out -p "" --invalidation-mode unchecked-hash $out/${python.sitePackages}
    ''
    + postFixup;
    passthru = passthru // {
      pythonModule = python;
      requiredPythonModules = dependencies;
    };
    inherit meta;
  }
)
