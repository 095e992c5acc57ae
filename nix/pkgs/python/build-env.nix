# buildEnv { extraLibs } -> an interpreter that imports these packages and all that they require.
#
# It is shaped like a virtual environment: pyvenv.cfg, a link to the interpreter, and site-packages
# full of links. No wrapper and no PYTHONPATH, so that a child process or a script sees the same.
{
  lib,
  runCommand,
  python,
}:
{
  extraLibs ? [ ],
  postBuild ? "",
}:
let
  inherit (python) executable sitePackages;

  modules = map (item: item.package) (
    builtins.genericClosure {
      startSet = map toItem extraLibs;
      operator = item: map toItem (item.package.requiredPythonModules or [ ]);
    }
  );
  toItem = package: {
    key = package.outPath;
    inherit package;
  };
in
runCommand "python3-${python.version}-env"
  {
    inherit modules;
    passthru = python.passthru // {
      inherit python modules;
      interpreter = throw "python env: use \${env}/bin/python";
    };
    meta.mainProgram = executable;
  }
  ''
    mkdir -p $out/bin $out/${sitePackages}
    cat >$out/pyvenv.cfg <<EOF
    home = ${python}/bin
    include-system-site-packages = false
    version = ${python.version}
    EOF
    for name in ${executable} python3 python; do ln -s ${python.interpreter} $out/bin/$name; done
    ln -s ${python}/include $out/include

    # linkTree FROM TO: a folder is a link until a second package has files in it.
    linkTree() {
      local source target
      for source in "$1"/*; do
        target=$2/''${source##*/}
        if [ ! -e "$target" ]; then
          ln -s "$source" "$target"
        elif [ -d "$source" ] && [ -d "$target" ]; then
          if [ -L "$target" ]; then
            local first
            first=$(readlink "$target")
            if [ "$first" = "$source" ]; then continue; fi
            rm "$target"
            mkdir "$target"
            linkTree "$first" "$target"
          fi
          linkTree "$source" "$target"
        fi
      done
    }
    shopt -s nullglob dotglob
    for module in $modules; do
      if [ -d $module/${sitePackages} ]; then linkTree $module/${sitePackages} $out/${sitePackages}; fi
      for script in $module/bin/*; do
        if [ -e $out/bin/''${script##*/} ]; then continue; fi
        # a Python script starts this interpreter, which knows where everything is
        sed '1s,^#!.*python.*,#!'$out'/bin/${executable},' $script >$out/bin/''${script##*/}
        chmod +x $out/bin/''${script##*/}
      done
    done
    ${postBuild}
  ''
