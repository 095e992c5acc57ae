# Checks annotated types, as editors do. Its wheel starts a Node that it looks for, or downloads; this one has its own.
{
  stdenv,
  fetchWheel,
  nodejs,
  runtimeShell,
  unpackWheel,
}:
let
  src = fetchWheel "pyright";
in
stdenv.mkDerivation {
  pname = "pyright";
  inherit src;
  inherit (src) version;
  unpackCmd = unpackWheel { };
  installPhase = ''
    runHook preInstall
    mkdir -p $out/bin $out/share
    cp -r pyright/dist $out/share/pyright
    find $out/share -name '*.map' -delete
    cat >$out/bin/pyright <<EOF
    #!${runtimeShell}
    exec ${nodejs}/bin/node $out/share/pyright/index.js "\$@"
    EOF
    chmod +x $out/bin/pyright
    runHook postInstall
  '';
  meta = {
    description = "Checks annotated types of Python";
    mainProgram = "pyright";
  };
}
