# auditwheel reads the tag out of a wheel's symbols, in an empty environment; a wheel of pure Python has
# none.
{
  runCommand,
  auditwheel,
  fetchWheel,
}:
runCommand "test-wheel-tag" { nativeBuildInputs = [ auditwheel ]; } ''
  program=$(type -P auditwheel)
  # auditwheel looks at the name, too, and a store path is none
  mkdir ruff pure
  cp ${fetchWheel "ruff"} ruff/${(fetchWheel "ruff").name}
  env -i $program show ruff/*.whl | tee message
  tr '\n' ' ' <message | grep -o 'platform tag: "manylinux_2_17_x86_64"' >$out
  cp ${fetchWheel "auditwheel"} pure/${(fetchWheel "auditwheel").name}
  if env -i $program show pure/*.whl >message 2>&1; then exit 1; fi
  grep 'not look like a platform wheel' message
''
