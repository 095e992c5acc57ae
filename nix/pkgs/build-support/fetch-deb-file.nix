# fetchDebFile :: { deb, file } -> derivation, one file out of a locked deb
#
#   fetchDebFile {
#     deb = "python3-sklearn";
#     file = "./usr/lib/python3/dist-packages/sklearn/datasets/data/digits.csv.gz";
#   }
{ runBootstrap, fetchDeb }:
{ deb, file }:
runBootstrap (baseNameOf file) { inherit file; } ''
  member=$(ar -t ${fetchDeb deb} | grep '^data\.tar')
  ar -p ${fetchDeb deb} $member | xz -dc | tar -x -O -f - "$file" >$out
  [ -s $out ] || { echo "error: ${deb} holds no $file"; exit 1; }
''
