# The symbols that a library exports are those of its stub, no more and no fewer. Weak ones are not
# counted: what a C++ header defines inline (th::Exception's typeinfo) comes with every user of it.
{
  runCommandCC,
  split,
  name,
}:
runCommandCC "${name}-abi" { } ''
  mkdir $out
  nm -D --defined-only ${split.${name}.implementation}/lib/lib${name}.so.1 |
    sed -n 's/^[0-9a-f]* [A-U] //p' | LC_ALL=C sort > exported
  if ! diff ${split.${name}.interface}/share/${name}/symbols.txt exported > $out/difference.txt; then
    echo "lib${name}.so.1 and its public headers disagree (< only declared, > only exported):"
    cat $out/difference.txt
    exit 1
  fi
  echo "1 passed, 0 failed: $(wc -l < exported) symbols of lib${name}.so.1 match its headers" > $out/report.txt
''
