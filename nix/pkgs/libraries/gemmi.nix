# Not gemmi, only pocketfft, at the place where gemmi has it.
{ runCommand, fetchDebFile }:
runCommand "gemmi-pocketfft" { } ''
  install -D -m 644 ${
    fetchDebFile {
      deb = "gemmi-dev";
      file = "./usr/include/gemmi/third_party/pocketfft_hdronly.h";
    }
  } $out/include/gemmi/third_party/pocketfft_hdronly.h
''
