# Functions for a POSIX shell: a deb's files under $out, in the shape of a nixpkgs package.

# unpackDeb DEB FOLDER
unpackDeb() {
  member=$(ar -t "$1" | grep '^data\.tar')
  case $member in
  *.xz) ar -p "$1" "$member" | xz -dc | tar -x -C "$2" ;;
  *.gz) ar -p "$1" "$member" | gzip -dc | tar -x -C "$2" ;;
  *) echo "$1: do not know how to unpack $member" >&2 && return 1 ;;
  esac
}

# moveInto FROM TO: the contents of a folder, merged into another.
moveInto() {
  [ -d "$1" ] && [ ! -L "$1" ] || return 0
  mkdir -p "$2"
  cp -a "$1/." "$2/"
  rm -rf "$1"
}

# installDebs DEB...: usr/* to $out. With flattenMultiarch=1, lib/x86_64-linux-gnu/* is in lib/.
installDebs() {
  root=$TMPDIR/root
  mkdir -p "$root/usr" "$out"
  for deb; do unpackDeb "$deb" "$root"; done
  chmod -R u+w "$root"
  for folder in bin sbin lib lib64; do moveInto "$root/$folder" "$root/usr/$folder"; done
  moveInto "$root/usr/sbin" "$root/usr/bin"
  moveInto "$root/usr" "$out"
  moveInto "$root/etc" "$out/etc"
  rm -rf "$root"
  for folder in bash-completion bug lintian locale man info menu doc-base vim emacs gdb; do
    rm -rf "$out/share/$folder"
  done
  if [ -d "$out/share/doc" ]; then
    find "$out/share/doc" ! -type d ! -name copyright -exec rm -f {} +
  fi
  if [ "$flattenMultiarch" = 1 ]; then
    for folder in lib include; do
      [ -d "$out/$folder/x86_64-linux-gnu" ] || continue
      moveInto "$out/$folder/x86_64-linux-gnu" "$out/$folder"
    done
  fi
}

# repointLinks ROOT LIBDIR...: links to /usr, and development links whose library is in another
# package, lead to the store; other dangling links go.
repointLinks() {
  links_root=$1
  shift
  find "$links_root" -type l | sort >"$TMPDIR/links"
  while IFS= read -r link; do
    target=$(readlink "$link")
    case $target in
    /nix/store/*) continue ;;
    /usr/* | /lib/* | /etc/*)
      target=${target#/usr}
      if [ "$flattenMultiarch" = 1 ]; then
        target=$(echo "$target" | sed 's,/x86_64-linux-gnu/,/,')
      fi
      if [ -e "$links_root$target" ]; then
        ln -sfn "$links_root$target" "$link"
        continue
      fi
      ;;
    esac
    [ ! -e "$link" ] || continue
    found=
    for folder; do
      if [ -e "$folder/${target##*/}" ]; then
        found=$folder/${target##*/}
        break
      fi
    done
    if [ -n "$found" ]; then
      ln -sfn "$found" "$link"
    else
      echo "removed dangling link ${link#"$links_root/"} -> $target"
      rm "$link"
    fi
  done <"$TMPDIR/links"
}

# relocateMetadata: .pc and .cmake files say where the package is now. CMake's own way, so many
# folders up from the file, fails where lib/x86_64-linux-gnu was flattened.
relocateMetadata() {
  find "$out/lib" \( -name '*.pc' -o -name '*.cmake' \) -type f 2>/dev/null | sort >"$TMPDIR/metadata"
  while IFS= read -r file; do
    sed -i \
      -e "s,/usr/,$out/,g" -e "s,=/usr\$,=$out," -e "s,\"/usr\",\"$out\",g" -e "s,lib/x86_64-linux-gnu,lib,g" -e "s,include/x86_64-linux-gnu,include,g" \
      -e "s|^get_filename_component(_IMPORT_PREFIX \"\${CMAKE_CURRENT_LIST_FILE}\" PATH)|set(_IMPORT_PREFIX \"$out\")|" \
      -e '/^get_filename_component(_IMPORT_PREFIX "${_IMPORT_PREFIX}" PATH)/d' \
      -e "s|^get_filename_component(PACKAGE_PREFIX_DIR .*|set(PACKAGE_PREFIX_DIR \"$out\")|" \
      "$file"
  done <"$TMPDIR/metadata"
}
