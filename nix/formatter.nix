# `nix fmt [--check] [FILE-OR-FOLDER...]`: C++ by clang-format, Python by ruff (its formatter and its safe
# corrections), and in other texts no blanks at the end of a line and one newline at the end of the file.
# Without arguments: every file that git knows. It prints what it changed.
#
# --check changes nothing, prints what it would, and exits 1 if that is anything. Generated and golden data
# (JSON), declarations (.cwrap) and patches are left alone; a file that cannot be parsed stays as it is,
# and the exit status is 2.
{
  lib,
  writeShellScriptBin,
  clang-tools,
  coreutils,
  diffutils,
  findutils,
  gnugrep,
  gnused,
  ruff,
}:
let
  path = lib.makeBinPath [
    clang-tools
    coreutils
    diffutils
    findutils
    gnugrep
    gnused
    ruff
  ];
in
writeShellScriptBin "torch-format" ''
  set -euo pipefail
  export PATH=${path}:$PATH LC_ALL=C RUFF_NO_CACHE=true

  # formatted FILE: its text as it should be
  formatted() {
    case $1 in
      *.c | *.cc | *.cpp | *.cu | *.cuh | *.h | *.hpp)
        clang-format --style=file --fallback-style=none --assume-filename="$1" <"$1" ;;
      *.py) python "$1" ;;
      *)
        if head -n 1 <"$1" | grep -q '^#!.*python'; then python "$1"
        else sed -e 's/[[:blank:]]*$//' -e '$a\' <"$1" | sed -e :a -e '/^\n*$/{$d;N;ba' -e '}'; fi ;;
    esac
  }

  # What ruff.toml excludes (ruff sees that in an absolute path only) comes back as it is. Mistakes that
  # ruff cannot correct are the linter's matter.
  python() {
    local name
    name=$(realpath -- "$1")
    ruff check --quiet --fix-only --force-exclude --stdin-filename "$name" - <"$1" |
      ruff format --force-exclude --stdin-filename "$name" -
  }

  # work FOLDER CHECK FILE...: formats files, and notes in FOLDER which changed and which failed.
  work() {
    folder=$1 check=$2 new=$1/new.$$
    shift 2
    for file; do
      if ! formatted "$file" >"$new" 2>"$new.log"; then
        { echo "torch-format: cannot read $file:"; cat "$new.log"; } >>"$folder/failed.$$"
      elif ! cmp -s "$new" - <"$file"; then
        [ "$check" = 1 ] || cat "$new" >"$file"
        echo "$file" >>"$folder/changed.$$"
      fi
    done
  }

  # The files behind the arguments, NUL after each: a folder stands for what git knows below it.
  files() {
    for name; do
      if ! [ -d "$name" ]; then
        [ -e "$name" ] || { echo "torch-format: no such file: $name" >&2; exit 2; }
        printf '%s\0' "$name"
      elif git -C "$name" rev-parse --is-inside-work-tree >/dev/null 2>&1; then
        git -C "$name" ls-files -z --cached --others --exclude-standard | sed -z "s|^|$name/|; s|^\./||"
      else
        find "$name" -name .git -prune -o -type f -printf '%p\0' | sed -z 's|^\./||'
      fi
    done
  }

  if [ "''${1-}" = --work ]; then
    shift
    work "$@"
    exit
  fi
  check=0
  if [ "''${1-}" = --check ]; then
    check=1
    shift
  fi
  case ''${1-} in
    -h | --help) echo "torch-format [--check] [FILE-OR-FOLDER...]"; exit ;;
    -*) echo "torch-format: $1: allowed are --check and files" >&2; exit 2 ;;
  esac
  [ $# -gt 0 ] || set -- .

  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  files "$@" >"$folder/all"
  # no links, no folders (git's submodules), nothing empty, no binary, nothing that is data
  while IFS= read -r -d "" file; do
    case $file in *.cwrap | *.diff | *.json | *.lock | *.patch | *.svg) continue ;; esac
    if [ -f "$file" ] && ! [ -L "$file" ]; then printf '%s\0' "$file"; fi
  done <"$folder/all" | { xargs -0 -r grep -lIZ . -- || true; } >"$folder/chosen"
  xargs -0 -r -n 16 -P "$(nproc)" "$0" --work "$folder" $check <"$folder/chosen"

  status=0
  if cat "$folder"/changed.* >"$folder/changed" 2>/dev/null; then
    if [ $check = 1 ]; then status=1 text="would format"; else text=formatted; fi
    sort "$folder/changed" | sed "s|^|$text |"
  fi
  if cat "$folder"/failed.* >&2 2>/dev/null; then status=2; fi
  exit $status
''
