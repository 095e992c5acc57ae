# pocketfft, a header for Fourier transforms: out of gemmi, which brings it along, so that TH depends on
# nothing else of that. Its licence is its first comment.
{
  lib,
  runCommand,
  gemmi,
}:
runCommand "pocketfft"
  {
    meta = {
      description = "Fast Fourier transforms, a C++ header";
      license = lib.licenses.bsd3;
    };
  }
  ''
    install -Dm644 -t $out/include ${lib.getDev gemmi}/include/gemmi/third_party/pocketfft_hdronly.h
    sed '1d; /^\*\//,$d' $out/include/pocketfft_hdronly.h >LICENSE
    install -Dm644 -t $out/share/doc/pocketfft LICENSE
  ''
