# Ninja, built from source: it starts every command through a compiled-in /bin/sh, which a Nix
# sandbox need not have. Ours starts the store's bash.
{
  stdenv,
  lock,
  fetchLocked,
}:
let
  source = lock.sources.ninja-build;
in
stdenv.mkDerivation {
  pname = "ninja";
  inherit (source) version;
  src = fetchLocked {
    kind = "deb";
    inherit (source) path sha256;
  };
  postPatch = ''
    substituteInPlace src/subprocess-posix.cc --replace-fail /bin/sh ${stdenv.shell}
  '';
  # Its own build script wants Python; these are the sources that it lists for Linux.
  buildPhase = ''
    runHook preBuild
    cd src
    names="build build_log clean clparser debug_flags depfile_parser deps_log disk_interface
      dyndep dyndep_parser edit_distance eval_env graph graphviz json lexer line_printer
      manifest_parser metrics missing_deps ninja parser state status string_piece_util
      subprocess-posix util version"
    printf '%s.cc\n' $names | xargs -P $NIX_BUILD_CORES -n 6 g++ -O2 -w -std=c++14 -DUSE_PPOLL=1 -c
    g++ *.o -o ninja
    runHook postBuild
  '';
  installPhase = ''
    runHook preInstall
    install -D -t $out/bin ninja
    runHook postInstall
  '';
  setupHook = ./setup-hook.sh;
  meta = {
    description = "Small build system with a focus on speed";
    mainProgram = "ninja";
  };
}
