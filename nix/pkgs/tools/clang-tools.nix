# Of nixpkgs' clang-tools only clang-format: its wheel has 2 MB, where LLVM's debs with the others
# have 48.
{ wheelProgram }:
wheelProgram {
  pname = "clang-tools";
  wheel = "clang-format";
  file = "clang_format/data/bin/clang-format";
  meta = {
    description = "Formatter of C++";
    mainProgram = "clang-format";
  };
}
