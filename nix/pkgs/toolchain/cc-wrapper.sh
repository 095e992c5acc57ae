#!@shell@
# gcc, g++ or cpp that sees its own sysroot and the inputs of a derivation, and nothing of the host.
# NIX_CFLAGS_COMPILE: further arguments, such as -isystem for each input.

# gcc names some symbols by a random seed; a translation unit's own name makes it the same each time
# and different from that of every other.
source=
for argument; do
  case $argument in
  -frandom-seed=*) source= && break ;;
  *.c | *.cc | *.cpp | *.cxx | *.c++ | *.C | *.i | *.ii | *.S | *.s) source=$argument ;;
  esac
done
seed=()
if [ -n "$source" ]; then
  seed=("-frandom-seed=${source#"${NIX_BUILD_TOP:-}"/}")
fi

exec @gcc@/bin/x86_64-linux-gnu-@program@-14 --sysroot=@gcc@ -B@bintools@/bin/ \
  -ffile-prefix-map=@gcc@=/gcc "${seed[@]}" "$@" ${NIX_CFLAGS_COMPILE:-}
