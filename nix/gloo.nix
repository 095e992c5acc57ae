# gloo: collective operations among processes, over TCP. nixpkgs has none; this is the commit that Debian 13 has, so both
# package sets build the same one.
{
  lib,
  stdenv,
  fetchFromGitHub,
  cmake,
  ninja,
  openssl,
}:
stdenv.mkDerivation {
  pname = "gloo";
  version = "0-unstable-2023-12-02";
  src = fetchFromGitHub {
    owner = "facebookincubator";
    repo = "gloo";
    rev = "5354032ea08eadd7fc4456477f7f7c6308818509";
    hash = "sha256-JMLtxyQz7jechJ5DmMq0guOfL9leI6khdI9g/5Ckgfc=";
  };
  # It asks for OpenSSL 1.1 and no other, and uses nothing that later ones lack. Current compilers want <cstdint> said.
  postPatch = ''
    substituteInPlace gloo/CMakeLists.txt --replace-fail "OpenSSL 1.1 REQUIRED EXACT" "OpenSSL REQUIRED"
  '';
  # For whoever passes the library on: tools/wheel/notice.py.
  postInstall = ''
    install -Dm444 $NIX_BUILD_TOP/$sourceRoot/LICENSE $out/share/doc/gloo/copyright
  '';
  nativeBuildInputs = [
    cmake
    ninja
  ];
  buildInputs = [ openssl ];
  cmakeFlags = [
    "-DBUILD_SHARED_LIBS=ON"
    "-DUSE_TCP_OPENSSL_LINK=ON"
  ];
  meta = {
    description = "Collective communication among processes";
    homepage = "https://github.com/facebookincubator/gloo";
    license = lib.licenses.bsd3;
    platforms = lib.platforms.linux;
  };
}
