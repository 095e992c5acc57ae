# The 1,797 handwritten digits of UCI's optical recognition set, 8 x 8 pixels each, that
# examples/ read: one file out of scikit-learn.
{ runCommand, python3Packages }:
runCommand "digits" { meta.description = "Handwritten digits, 8x8, as CSV"; } ''
  install -Dm644 -t $out \
    ${python3Packages.scikit-learn}/${python3Packages.python.sitePackages}/sklearn/datasets/data/digits.csv.gz
''
