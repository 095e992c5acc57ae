# pkg-config (pkgconf), which sees the .pc files of all inputs and no others.
{ mkDebPackage }:
mkDebPackage {
  pname = "pkg-config";
  postUnpack = "rm -f $out/bin/*-linux-gnu* $out/share/pkgconfig/personality.d/*";
  # bin/pkg-config is a link to pkgconf already; its folders are Debian's.
  postFixup = ''
    mv $out/bin/pkgconf $out/bin/.pkgconf
    cat >$out/bin/pkgconf <<EOF
    #!$shell
    export PKG_CONFIG_LIBDIR=\''${PKG_CONFIG_LIBDIR-/no/system/folders}
    exec $out/bin/.pkgconf "\$@"
    EOF
    chmod +x $out/bin/pkgconf
  '';
  setupHook = ./setup-hook.sh;
  meta = {
    description = "Finds the flags for compiling and linking a library";
    mainProgram = "pkg-config";
  };
}
