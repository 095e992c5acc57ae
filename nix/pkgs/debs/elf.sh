# Functions for a POSIX shell: where a program or library finds its loader and libraries.
# Used for Debian's binaries and, by stdenv's fixup, for our own. Needs patchelf in PATH.
#
# The result is DT_RPATH, never DT_RUNPATH: the loader consults it before LD_LIBRARY_PATH.

isElf() {
  IFS= read -r -n 4 elf_magic <"$1" 2>/dev/null || [ -n "$elf_magic" ] || return 1
  case $elf_magic in ?ELF) return 0 ;; *) return 1 ;; esac
}

# elfFiles ROOT...: programs, libraries and Python modules.
elfFiles() {
  find "$@" -type f \( -perm -0100 -o -name '*.so' -o -name '*.so.*' \) ! -name '*.py' ! -name '*.h' | sort |
    while IFS= read -r elf_file; do
      if isElf "$elf_file"; then printf '%s\n' "$elf_file"; fi
    done
}

# libDirsOf ROOT...: the folders that hold shared libraries.
libDirsOf() {
  find "$@" \( -name '*.so' -o -name '*.so.*' \) ! -type d 2>/dev/null | sed 's,/[^/]*$,,' | sort -u
}

# exactRpath FILE LIBDIR...: prints the folders in which FILE finds each DT_NEEDED: those of its own
# rpath first, then LIBDIRs. $ORIGIN entries stay, since a later composition may count on them.
# Fails, naming file and library, if one is found nowhere and not in $ignoreMissingDeps.
exactRpath() {
  rp_file=$1
  shift
  rp_needed=$(patchelf --print-needed "$rp_file") || return 1
  rp_old=$(patchelf --print-rpath "$rp_file") || return 1
  rp_new=
  rp_status=0
  rp_ifs=$IFS
  IFS=:
  for rp_dir in $rp_old; do
    case $rp_dir in '$ORIGIN'*) rp_new=$rp_new${rp_new:+:}$rp_dir ;; esac
  done
  IFS=$rp_ifs
  for rp_name in $rp_needed; do
    case $rp_name in ld-linux-x86-64.so.2 | /*) continue ;; esac
    rp_found=
    IFS=:
    for rp_dir in $rp_old; do
      case $rp_dir in
      '$ORIGIN'*) rp_real=${rp_file%/*}${rp_dir#'$ORIGIN'} ;;
      /nix/store/*) rp_real=$rp_dir ;;
      *) continue ;;
      esac
      if [ -e "$rp_real/$rp_name" ]; then
        rp_found=$rp_dir
        break
      fi
    done
    IFS=$rp_ifs
    if [ -z "$rp_found" ]; then
      for rp_dir in "$@"; do
        if [ -e "$rp_dir/$rp_name" ]; then
          rp_found=$rp_dir
          break
        fi
      done
    fi
    if [ -z "$rp_found" ]; then
      case " ${ignoreMissingDeps:-} " in
      *" $rp_name "*) ;;
      *)
        echo "error: $rp_file needs $rp_name, which none of its inputs has" >&2
        rp_status=1
        ;;
      esac
      continue
    fi
    case ":$rp_new:" in *":$rp_found:"*) ;; *) rp_new=$rp_new${rp_new:+:}$rp_found ;; esac
  done
  printf '%s\n' "$rp_new"
  return $rp_status
}

# setRpath FILE RPATH
setRpath() {
  if [ -n "$2" ]; then
    patchelf --force-rpath --set-rpath "$2" "$1"
  else
    patchelf --remove-rpath "$1"
  fi
}

# patchElfs INTERPRETER ROOT LIBDIR...: every dynamic ELF file under ROOT gets its exact rpath, and a
# program this interpreter. All missing libraries are reported before it fails.
patchElfs() {
  pe_interpreter=$1 pe_root=$2 pe_status=0
  shift 2
  pe_own=$(libDirsOf "$pe_root")
  elfFiles "$pe_root" >"$TMPDIR/elf-files"
  while IFS= read -r pe_file; do
    # static, or an object file
    pe_old=$(patchelf --print-rpath "$pe_file" 2>/dev/null) || continue
    pe_new=$(exactRpath "$pe_file" "${pe_file%/*}" $pe_own "$@") || pe_status=1
    chmod u+w "$pe_file"
    if pe_loader=$(patchelf --print-interpreter "$pe_file" 2>/dev/null) && [ "$pe_loader" != "$pe_interpreter" ]; then
      patchelf --set-interpreter "$pe_interpreter" "$pe_file"
    fi
    [ "$pe_old" = "$pe_new" ] || setRpath "$pe_file" "$pe_new"
  done <"$TMPDIR/elf-files"
  return $pe_status
}
