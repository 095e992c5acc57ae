# `nix fmt`: what it changes, what it leaves alone, what it says, and that --check changes nothing.
{
  runCommand,
  formatter,
  source,
}:
let
  settings = source {
    name = "settings";
    paths = [
      ".clang-format"
      "ruff.toml"
    ];
  };
in
runCommand "formatter-tests" { nativeBuildInputs = [ formatter ]; } ''
  passed=0
  # is WHAT STATUS OUTPUT COMMAND...: it exits so and prints exactly this, in any order
  is() {
    local what=$1 status=0
    "''${@:4}" >printed 2>errors || status=$?
    if [ $status != $2 ] || [ "$(sort printed)" != "$(printf "$3")" ]; then
      echo "error: $what: status $status, printed:" && cat printed errors && exit 1
    fi
    passed=$((passed + 1))
  }
  holds() { # holds FILE TEXT
    printf "$2" | cmp - "$1" || { echo "error: $1 is:" && cat "$1" && exit 1; }
    passed=$((passed + 1))
  }

  cp -r ${settings} tree
  chmod -R u+w tree
  cd tree
  mkdir -p sub tests/golden/cases
  printf 'int  f( int a ){return a;}  \n' >sub/a.cpp
  printf 'import sys\nimport os\nx = {  "a":1 }\n' >sub/b.py
  printf '#!/usr/bin/env python3\nx = 1;\n' >sub/program
  printf 'text \t\nmore\n\n\n' >'sub/a name.md'
  printf 'no end' >sub/-x.txt
  printf '{"a": 1 }  \n' | tee sub/data.json sub/declaration.cwrap >left
  printf 'x = [ 1,\n      2 ]\n' >tests/golden/cases/table.py
  printf '\000 \n' >sub/binary
  ln -s a.cpp sub/link.cpp
  chmod 755 sub/program

  would='would format sub/-x.txt\nwould format sub/a name.md\nwould format sub/a.cpp\n'
  would+='would format sub/b.py\nwould format sub/program'
  is "a folder, --check" 1 "$would" torch-format --check sub
  is "--check changed nothing" 1 "$would" torch-format --check sub
  is "a file, --check" 1 'would format sub/a.cpp' torch-format --check sub/a.cpp
  is "all" 0 "''${would//would format/formatted}" torch-format sub tests
  is "a second time" 0 "" torch-format sub tests
  is "a second time, --check" 0 "" torch-format --check sub tests
  holds sub/a.cpp 'int f(int a) { return a; }\n'
  holds sub/b.py 'import os\nimport sys\n\nx = {"a": 1}\n'
  holds sub/program '#!/usr/bin/env python3\nx = 1\n'
  [ -x sub/program ] && [ -L sub/link.cpp ]
  holds 'sub/a name.md' 'text\nmore\n'
  holds sub/-x.txt 'no end\n'
  holds sub/data.json "$(cat left)\n"
  holds sub/declaration.cwrap "$(cat left)\n"
  holds tests/golden/cases/table.py 'x = [ 1,\n      2 ]\n'
  holds sub/binary '\000 \n'

  printf 'def f(:\n' >sub/b.py
  is "what cannot be parsed" 2 "" torch-format sub
  grep -F 'cannot read sub/b.py' errors && grep -F 'Failed to parse' errors
  holds sub/b.py 'def f(:\n'
  is "no such file" 2 "" torch-format sub/none
  grep -F 'no such file: sub/none' errors
  is "an unknown option" 2 "" torch-format --chekc
  grep -F -e '--chekc: allowed are' errors

  mkdir $out
  echo "$passed passed, 0 failed" >$out/report.txt
''
