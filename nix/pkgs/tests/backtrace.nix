# gdb in an empty environment (but for the shell that starts programs): a stack, values of the standard
# library's types, its own Python; and the program under it does not get gdb's variables.
{
  runCommandCC,
  runtimeShell,
  gdb,
}:
runCommandCC "test-backtrace" { nativeBuildInputs = [ gdb ]; } ''
  g++ -g -O0 ${./backtrace/program.cpp} -o program
  env -i SHELL=${runtimeShell} $(type -P gdb) -batch -nx -ex 'break fail' -ex run -ex continue -ex backtrace \
    -ex 'frame function fail' -ex 'print tensor' -ex 'print tensor.sizes.size() * 14' -ex 'print U"wide"' \
    -ex 'python import json; print(json.dumps({"gdb": gdb.VERSION}))' ./program >output 2>&1 || true
  cat output
  grep 'Program received signal SIGABRT' output
  grep '^#[0-9]* .* in fail (tensor=\.\.\.) at .*program.cpp:1[0-9]$' output
  grep '^#[0-9]* .* in main () at .*program.cpp:1[0-9]$' output
  grep -F '{sizes = std::vector of length 3, capacity 3 = {2, 3, 4}, name = "weights"}' output
  grep -F '= 42' output
  grep -F 'U"wide"' output
  grep -F '{"gdb": "${gdb.version}"}' output
  ! grep -i -e warning -e Exception output
  touch $out
''
