# stdenv -> runCommand. The script runs alone: no phases, no fixup.
stdenv: name: env: script:
stdenv.mkDerivation (
  {
    inherit name;
    enableParallelBuilding = true;
    buildCommand = script;
    phases = "buildCommandPhase";
    buildCommandPhase = ''eval "$buildCommand"'';
  }
  // env
)
