# wheelProgram :: { pname, wheel, file, meta ? { } } -> derivation, one program out of a wheel
#
#   wheelProgram {
#     pname = "clang-tools";
#     wheel = "clang-format";
#     file = "clang_format/data/bin/clang-format";
#   }
{
  stdenv,
  autoPatchelfHook,
  fetchWheel,
  unpackWheel,
}:
{
  pname,
  wheel,
  file,
  meta ? { },
}:
let
  src = fetchWheel wheel;
in
stdenv.mkDerivation {
  inherit pname src meta;
  inherit (src) version;
  unpackCmd = unpackWheel { };
  nativeBuildInputs = [ autoPatchelfHook ];
  buildInputs = [ stdenv.cc.cc.lib ];
  # As it was released; only loader and rpath change.
  dontStrip = true;
  installPhase = ''
    runHook preInstall
    install -D -m 755 -t $out/bin ${file}
    patchelf --remove-rpath $out/bin/*
    runHook postInstall
  '';
}
