# fetchFromGitHub :: { owner, repo, rev, hash } -> derivation, a folder of sources
#
# Served from the upstream tarball of Debian's source package of that name. The hash is of the unpacked folder, as in
# nixpkgs, so it is the same store path there, and a tarball of another commit is refused.
{
  lib,
  lock,
  fetchLocked,
  stdenvNoCC,
}:
{
  owner,
  repo,
  rev,
  hash,
}:
assert lib.assertMsg (
  lock.sources ? ${repo}
) "fetchFromGitHub ${owner}/${repo}: debs.lock.json has no source package ${repo}";
stdenvNoCC.mkDerivation {
  name = "source";
  src = fetchLocked {
    kind = "deb";
    inherit (lock.sources.${repo}) path sha256;
  };
  dontConfigure = true;
  dontBuild = true;
  dontFixup = true;
  # Debian packs the files without a folder around them, and others with one.
  unpackPhase = ''
    mkdir files
    tar xf $src -C files
    if [ "$(ls -A files | wc -l)" = 1 ]; then mv files/* source; else mv files source; fi
  '';
  installPhase = "cp -r source $out";
  outputHashMode = "recursive";
  outputHash = hash;
}
