# The interpreter with torch that `nix run` starts. It sees the store and the script's own folder:
# no PYTHONPATH, no user site, and for -c, -m and the prompt not the current folder either, where
# a checkout's unbuilt torch/ would shadow the real one.
{
  python3,
  digits,
  sanitizer,
  torch,
  runtimeShell,
  writeTextFile,
  # Packages besides: ps: [ ps.matplotlib ]
  extraPackages,
}:
let
  environment = python3.withPackages (
    ps:
    [
      torch
      ps.numpy
    ]
    ++ extraPackages ps
  );
in
writeTextFile {
  name = "python-with-torch";
  executable = true;
  destination = "/bin/python";
  text = ''
    #!${runtimeShell}
    unset PYTHONPATH PYTHONHOME
    export PYTHONNOUSERSITE=1 TORCH_DIGITS=''${TORCH_DIGITS:-${digits}/digits.csv.gz}
    ${sanitizer.exports}case ''${1:-} in -* | "") export PYTHONSAFEPATH=1 ;; esac
    exec ${environment}/bin/python "$@"
  '';
  passthru = { inherit environment; };
}
