# The shell of every build. Also called sh.
{ mkDebPackage }:
mkDebPackage {
  pname = "bash";
  postUnpack = ''
    ln -sf bash $out/bin/sh
    rm -rf $out/etc $out/bin/bashbug $out/bin/clear_console
  '';
  passthru.shellPath = "/bin/bash";
  meta = {
    description = "GNU Bourne-again shell";
    mainProgram = "bash";
  };
}
