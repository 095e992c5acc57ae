source "$stdenv/setup"
genericBuild
