# patchelf before anything is patched: Debian's program, started through the loader of our glibc.
{ mkDebPackage, debPackages }:
let
  inherit (debPackages) glibc;
in
mkDebPackage {
  pname = "patchelf-bootstrap";
  debs = [
    "patchelf"
    "libstdc++6"
  ];
  interpreter = null;
  inputs = [ ];
  postUnpack = ''
    mv $out/bin $out/libexec
    mkdir $out/bin
    cat >$out/bin/patchelf <<EOF
    #!$shell
    exec ${glibc.loader} --library-path ${glibc}/lib:$out/lib $out/libexec/patchelf "\$@"
    EOF
    chmod +x $out/bin/patchelf
    $out/bin/patchelf --version
  '';
}
