# The compiler as builds see it: stdenv.cc.
{
  runBootstrap,
  bash,
  binutils,
  gcc-unwrapped,
}:
runBootstrap "gcc-wrapper-14.2.0" { setupHook = ./cc-setup-hook.sh; } ''
  mkdir -p $out/bin $out/nix-support
  for program in gcc g++ cpp; do
    sed -e 's,@shell@,${bash}/bin/bash,' -e 's,@gcc@,${gcc-unwrapped},g' -e 's,@bintools@,${binutils},' \
      -e "s,@program@,$program," ${./cc-wrapper.sh} >$out/bin/$program
    chmod +x $out/bin/$program
  done
  ln -s gcc $out/bin/cc
  ln -s g++ $out/bin/c++
  # the names that Python's sysconfig has
  for program in gcc g++ cpp; do
    ln -s $program $out/bin/x86_64-linux-gnu-$program
    ln -s $program $out/bin/x86_64-linux-gnu-$program-14
  done
  sed -e "s|@out@|$out|" -e "s|@bintools@|${binutils}|" $setupHook >$out/nix-support/setup-hook
''
// {
  pname = "gcc-wrapper";
  version = "14.2.0";
  cc = gcc-unwrapped;
  bintools = binutils;
  isGNU = true;
  isClang = false;
  targetPrefix = "";
  meta = {
    description = "GNU compiler collection";
    mainProgram = "gcc";
  };
}
