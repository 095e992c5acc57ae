# What `meta` needs, and little helpers for packages.
{ lists, strings }:
let
  license = spdxId: fullName: {
    inherit spdxId fullName;
    free = true;
  };
in
{
  licenses = {
    asl20 = license "Apache-2.0" "Apache License 2.0";
    bsd2 = license "BSD-2-Clause" "BSD 2-clause license";
    bsd3 = license "BSD-3-Clause" "BSD 3-clause license";
    gpl3Plus = license "GPL-3.0-or-later" "GNU General Public License 3.0 or later";
    lgpl21Plus = license "LGPL-2.1-or-later" "GNU Lesser General Public License 2.1 or later";
    mit = license "MIT" "MIT license";
    psfl = license "Python-2.0" "Python Software Foundation license";
    zlib = license "Zlib" "zlib license";
    unfree = {
      shortName = "unfree";
      fullName = "Unfree";
      free = false;
    };
  };
  platforms = {
    all = [ "x86_64-linux" ];
    linux = [ "x86_64-linux" ];
    unix = [ "x86_64-linux" ];
    x86_64 = [ "x86_64-linux" ];
  };
  maintainers = { };

  getExe = package: "${strings.getBin package}/bin/${package.meta.mainProgram or package.pname}";
  getExe' = package: name: "${strings.getBin package}/bin/${name}";
  getName = package: package.pname or (builtins.parseDrvName package.name).name;
  getVersion = package: package.version or (builtins.parseDrvName package.name).version;
}
