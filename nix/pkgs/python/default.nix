# CPython 3.13 in upstream's layout (lib/python3.13/site-packages, no dist-packages), with
# `withPackages`, `pkgs` and the attributes that nixpkgs' interpreters have.
{
  lib,
  mkDebPackage,
  runtimeShell,
  callPackage,
}:
let
  pythonVersion = "3.13";
  executable = "python${pythonVersion}";
  sitePackages = "lib/${executable}/site-packages";

  python = mkDebPackage {
    pname = "python3";
    # pyconfig.h and the build configuration are spread over multiarch folders; see below.
    flattenMultiarch = false;
    postUnpack = ''
      lib=$out/lib/${executable}

      # left out: what an installed interpreter does not use, and ways to a Debian system
      rm -rf $lib/config-*/*.a $lib/config-*/*.o $lib/config-*/*.so $lib/ensurepip $lib/pydoc_data $lib/test \
        $lib/sitecustomize.py $lib/EXTERNALLY-MANAGED \
        $out/lib/python3 $out/lib/binfmt.d $out/lib/x86_64-linux-gnu/*.a $out/etc \
        $out/share/[!d]* $out/src \
        $out/bin/pygettext* $out/bin/pydoc* $out/bin/pdb* $out/bin/*-config
      ln -s ${executable} $out/bin/python3
      ln -s ${executable} $out/bin/python

      # one include folder
      mv $out/include/x86_64-linux-gnu/${executable}/pyconfig.h $out/include/${executable}/pyconfig.h
      rm -rf $out/include/x86_64-linux-gnu
      moveInto $out/lib/x86_64-linux-gnu $out/lib

      # upstream's install scheme
      sed -i "s/prefix_scheme = 'posix_local'/prefix_scheme = 'posix_prefix'/" $lib/sysconfig/__init__.py
      ! grep -q "scheme = 'posix_local'" $lib/sysconfig/__init__.py
      # Debian's setuptools needs this module; it keeps upstream's layout inside a virtual environment
      sed -i 's/return sys.base_prefix != sys.prefix.*/return True/' $lib/_distutils_system_mod.py
      grep -q 'return True' $lib/_distutils_system_mod.py

      # what Python tells extension modules about itself
      sed -i -e "s,/usr/lib/x86_64-linux-gnu,$out/lib,g" -e "s,'/usr,'$out,g" -e "s, /usr/, $out/,g" -e "s,-I/usr/,-I$out/,g" \
        $lib/_sysconfigdata__*.py

      # os.system is libc's; this is subprocess with shell=True
      sed -i "s,'/bin/sh','${runtimeShell}',g" $lib/subprocess.py
      ! grep -q "'/bin/sh'" $lib/subprocess.py
    '';
    # By content, not by time stamp: the same bits in every build, and never stale in the store.
    postFixup = ''
      $out/bin/${executable} -I -S -m compileall -q -f -s $out -p "" -x 'lib2to3/tests|/bad' \
        --invalidation-mode unchecked-hash $out/lib/${executable}
    '';
    setupHook = ./setup-hook.sh;
    passthru = {
      inherit pythonVersion executable sitePackages;
      implementation = "cpython";
      interpreter = "${python}/bin/${executable}";
      isPy3k = true;
      libPrefix = executable;
      sourceVersion = {
        major = "3";
        minor = "13";
      };
      pythonOlder = lib.versionOlder pythonVersion;
      pythonAtLeast = lib.versionAtLeast pythonVersion;
      # withPackages :: (pkgs -> [ package ]) -> an interpreter that imports them
      withPackages = f: buildEnv { extraLibs = f packages; };
      inherit buildEnv;
      pkgs = packages;
    };
    meta = {
      description = "High-level dynamically-typed programming language";
      mainProgram = executable;
    };
  };
  buildEnv = lib.makeOverridable (callPackage ./build-env.nix { inherit python; });
  packages = callPackage ./packages.nix { inherit python; };
in
python
