# Not scikit-learn, only its digits data set, at the place where scikit-learn has it.
{ runCommand, fetchDebFile, python }:
runCommand "scikit-learn-data" { } ''
  install -D -m 644 ${
    fetchDebFile {
      deb = "python3-sklearn";
      file = "./usr/lib/python3/dist-packages/sklearn/datasets/data/digits.csv.gz";
    }
  } $out/${python.sitePackages}/sklearn/datasets/data/digits.csv.gz
''
