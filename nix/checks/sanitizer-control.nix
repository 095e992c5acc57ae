# That the scope's sanitizer finds what it is for: mistakes planted in a program that is compiled like the libraries.
{
  stdenv,
  sanitizer,
  source,
  version,
}:
stdenv.mkDerivation {
  pname = "sanitizer-control";
  inherit version;
  src = source {
    name = "sanitizer-control";
    paths = [ "tests/sanitizer/control.cpp" ];
  };
  unpackCmd = "cp -r --no-preserve=mode,timestamps $curSrc source";
  sourceRoot = "source/tests/sanitizer";
  dontConfigure = true;
  buildPhase = "$CXX -std=c++20 -O3 -DNDEBUG control.cpp -o control";
  installPhase = ''
    mkdir $out
    ${sanitizer.exports}found=0
    ./control
    for mistake in ${toString (map (m: "'${m}'") sanitizer.finds)}; do
      if ./control "$mistake" 2> report.log; then echo "nothing was found: $mistake"; exit 1; fi
      grep -q "$mistake" report.log || { cat report.log; exit 1; }
      echo "$mistake: found"
      found=$((found + 1))
    done
    echo "$found passed, 0 failed" | tee $out/report.txt
  '';
  dontFixup = true;
}
