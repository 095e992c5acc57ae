# The symbols that a library exports are those of its stub, no more and no fewer. Weak ones that no header promises are not
# counted: what a C++ header defines inline (th::Exception's typeinfo) comes with every user of it.
{
  runCommandCC,
  name,
  interface,
  implementation,
}:
runCommandCC "${name}-abi" { } ''
  mkdir $out
  export LC_ALL=C
  exported() { nm -D --defined-only ${implementation}/lib/lib${name}.so.1 | sed -n "s/^[0-9a-f]* $1 //p" | sort; }
  exported '[A-Z]' > all
  exported '[A-U]' > strong
  declared=${interface}/share/${name}/symbols.txt
  {
    comm -23 $declared all | sed 's/^/declared, not exported: /'
    comm -13 $declared strong | sed 's/^/exported, not declared: /'
  } | c++filt > difference.txt
  if [ -s difference.txt ]; then
    echo "lib${name}.so.1 is not what its stub says, which is made from the headers in include/ alone:"
    cat difference.txt
    echo "Each function that is exported stands in one of them, in C++ marked by the library's macro; members one by one."
    exit 1
  fi
  echo "1 passed, 0 failed: $(wc -l < $declared) symbols of lib${name}.so.1 match its headers" > $out/report.txt
''
