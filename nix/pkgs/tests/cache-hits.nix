# ccache answers a second compilation from its cache, and not one of an edited file.
{ runCommandCC, ccache }:
runCommandCC "test-cache-hits" { nativeBuildInputs = [ ccache ]; } ''
  export CCACHE_DIR=$PWD/cache
  # statistics HITS MISSES: so many of each since the last call
  statistics() {
    ccache --print-stats | grep -x -P "direct_cache_hit\t$1" | tee -a $out
    ccache --print-stats | grep -x -P "cache_miss\t$2" | tee -a $out
    ccache --zero-stats
  }
  echo 'int f() { return 1; }' >f.cpp
  ccache g++ -c f.cpp -o first.o
  statistics 0 1
  ccache g++ -c f.cpp -o second.o
  statistics 1 0
  cmp first.o second.o
  echo 'int f() { return 2; }' >f.cpp
  ccache g++ -c f.cpp -o third.o
  statistics 0 1
  if cmp -s first.o third.o; then exit 1; fi
''
