# clang-format and ruff format, find mistakes, and leave alone what is right.
{
  runCommand,
  clang-tools,
  ruff,
}:
runCommand "test-formatters"
  {
    nativeBuildInputs = [
      clang-tools
      ruff
    ];
  }
  ''
    export RUFF_NO_CACHE=true
    echo 'int  f( int a ){return a;}' >f.cpp
    clang-format f.cpp | tee $out
    grep -x 'int f(int a) { return a; }' $out
    if clang-format --dry-run --Werror f.cpp; then exit 1; fi
    clang-format -i f.cpp
    clang-format --dry-run --Werror f.cpp

    printf 'import os\nx = {  "a":1 }\n' >f.py
    if ruff check --output-format concise f.py >message; then exit 1; fi
    grep -F 'f.py:1:8: F401' message
    if ruff format --check f.py; then exit 1; fi
    ruff check -q --fix f.py
    ruff format -q f.py
    ruff format --check f.py
    grep -x 'x = {"a": 1}' f.py | tee -a $out
  ''
