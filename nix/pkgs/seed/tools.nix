# busybox with a link for each of its programs, so that a PATH holds them all.
{ system, busybox }:
derivation {
  name = "busybox-tools";
  inherit system;
  builder = "${busybox}/bin/busybox";
  args = [
    "sh"
    "-euc"
    ''
      b=${busybox}/bin/busybox
      $b mkdir -p $out/bin
      for applet in $($b --list); do $b ln -s $b $out/bin/$applet; done
    ''
  ];
}
