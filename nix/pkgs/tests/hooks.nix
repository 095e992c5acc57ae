# Setup hooks, hooks of phases and propagation, by the protocol of nixpkgs.
{
  stdenv,
  makeSetupHook,
  writeText,
  runCommand,
}:
let
  hook = makeSetupHook { name = "test-hook"; } (
    writeText "test-hook.sh" ''
      seen=()
      noteInput() { seen+=("''${1##*-}"); }
      addEnvHooks "$hostOffset" noteInput
      noteBuild() { echo "hook array" >>$NIX_BUILD_TOP/log; }
      preBuildHooks+=(noteBuild)
    ''
  );
  deep = stdenv.mkDerivation {
    name = "test-deep";
    dontUnpack = true;
    installPhase = "mkdir -p $out/bin $out/include; echo '#define DEEP 1' >$out/include/deep.h";
  };
  middle = stdenv.mkDerivation {
    name = "test-middle";
    dontUnpack = true;
    propagatedBuildInputs = [ deep ];
    installPhase = "mkdir -p $out/lib";
  };
in
stdenv.mkDerivation {
  name = "test-hooks";
  outputs = [
    "out"
    "dev"
  ];
  src = writeText "unused" "";
  nativeBuildInputs = [ hook ];
  buildInputs = [ middle ];
  env.FROM_ENV = "yes";
  cmakeFlags = [
    "-DA=1"
    "-DB=x;y"
  ];
  words = [
    "one"
    "two"
  ];
  unpackCmd = "mkdir tree && cp $curSrc tree/file";
  patches = [
    (writeText "change.patch" ''
      --- a/file
      +++ b/file
      @@ -0,0 +1 @@
      +patched
    '')
  ];
  postPatch = "substituteInPlace file --replace-fail patched replaced --subst-var-by none x";
  preBuild = "echo pre >>$NIX_BUILD_TOP/log";
  buildPhase = ''
    runHook preBuild
    grep -x replaced file
    [ "$FROM_ENV" = yes ]
    [ "$cmakeFlags" = "-DA=1 -DB=x;y" ]
    appendToVar words three
    prependToVar words zero
    flags=()
    concatTo flags words
    [ "''${flags[*]}" = "zero one two three" ] && [ ''${#flags[@]} = 4 ]
    [ "$(cat $NIX_BUILD_TOP/log)" = "$(printf 'pre\nhook array')" ]
    [[ " ''${seen[*]} " == *" middle deep "* ]]
    echo '#include <deep.h>
    #if DEEP != 1
    #error
    #endif' | gcc -E -x c - >/dev/null
    if (substituteInPlace file --replace-fail absent x) 2>/dev/null; then exit 1; fi
    [ "$HOME" = /homeless-shelter ] && [ "$TZ" = UTC ] && [ "$SOURCE_DATE_EPOCH" = 315532800 ]
    runHook postBuild
  '';
  doCheck = true;
  checkPhase = "checked=1";
  installPhase = ''
    [ "$checked" = 1 ]
    mkdir -p $out/lib/cmake/x $out/include
    touch $out/include/x.h $out/lib/cmake/x/xConfig.cmake
  '';
  postFixup = "[ -e $dev/include/x.h ] && [ -e $dev/lib/cmake/x/xConfig.cmake ] && [ ! -e $out/include ]";
}
