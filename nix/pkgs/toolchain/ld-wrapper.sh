#!@shell@
# ld that makes programs and libraries of the store: glibc's own loader, DT_RPATH (never RUNPATH), and
# an rpath entry for the folder of each store library that is linked.
# NIX_LDFLAGS: further arguments, such as -L for each input. NIX_DONT_SET_RPATH=1: no rpath at all.

kind=program
directories=()
libraries=()
rpath=()

# addRpath FOLDER, unless it is none of the store's or already there.
addRpath() {
  case $1 in @storeDir@/*) ;; *) return ;; esac
  case "${rpath[*]} " in *" $1 "*) ;; *) rpath+=(-rpath "$1") ;; esac
}

# scan ARGUMENT...: what is linked, from where.
scan() {
  local argument words
  while [ $# -gt 0 ]; do
    argument=$1
    shift
    case $argument in
    -shared | -static | -r | -i | --relocatable | -static-pie) kind=${argument#-} ;;
    -m) if [ "$1" = elf_i386 ]; then kind=foreign; fi ;;
    -L) directories+=("$1") && shift ;;
    -L*) directories+=("${argument#-L}") ;;
    -l) libraries+=("$1") && shift ;;
    -lasan) addRpath @asan@/lib ;;
    -lubsan) addRpath @ubsan@/lib ;;
    -ltsan) addRpath @tsan@/lib ;;
    -l*) libraries+=("${argument#-l}") ;;
    -o | -soname | -h | -rpath | -rpath-link | -dynamic-linker | -plugin) shift ;;
    /*.so | /*.so.*) addRpath "${argument%/*}" ;;
    @*)
      if [ -f "${argument#@}" ]; then
        # a response file: words, perhaps in quotes
        eval "words=($(<"${argument#@}"))" && scan "${words[@]}"
      fi
      ;;
    esac
  done
}

scan "$@" ${NIX_LDFLAGS:-}

for library in "${libraries[@]}"; do
  for directory in "${directories[@]}"; do
    case $directory in @gcc@/*) continue ;; esac
    if [ -e "$directory/lib$library.so" ]; then
      addRpath "$directory"
      break
    fi
  done
done
addRpath @gcc_lib@/lib
addRpath @glibc@/lib

extra=(--disable-new-dtags)
case $kind in
program) extra+=(-dynamic-linker @loader@ "${rpath[@]}") ;;
shared) extra+=("${rpath[@]}") ;;
*) extra=() ;;
esac
if [ -n "${NIX_DONT_SET_RPATH:-}" ]; then
  extra=("${extra[@]/#-rpath/-rpath-link}")
fi

exec @gcc@/bin/x86_64-linux-gnu-ld.bfd --sysroot=@gcc@ "$@" ${NIX_LDFLAGS:-} "${extra[@]}"
