# libtorch: gradients. What operators are differentiated by is generated from their declarations.
{
  lib,
  generated,
  interfaces,
  interfacesOfTHPP,
  mkPart,
  objects,
}:
let
  description = "Gradients of torch's operators: the graph, the engine, a node per operator";
  compiling = {
    folder = "csrc/autograd";
    buildInputs = [ interfaces.THPP ];
    cmakeFlags = [ "-DAUTOGRAD_GENERATED=${generated.autograd}" ];
  };
  # What all of it is compiled with.
  common = [
    "csrc/autograd/CMakeLists.txt"
    "csrc/autograd/include"
    "lib/cmake/TorchFamilies.cmake"
    "lib/cmake/TorchPrecompile.cmake"
  ];
  recorders = common ++ [ "csrc/autograd/generated.h" ];
  formulas =
    wanted:
    map (file: "csrc/autograd/formulas/${file}") (
      lib.filter wanted (builtins.attrNames (builtins.readDir ../csrc/autograd/formulas))
    );
  families = objects {
    name = "torch";
    families = {
      # A node and its recorders for every operator: most of the work.
      generated = recorders ++ formulas (lib.hasSuffix ".h");
      graph = recorders ++ [ "csrc/autograd/graph" ];
      # What formulas call, in halves by the files' names, so that an edit compiles one of them.
      "formulas-a" = common ++ formulas (file: lib.hasSuffix ".h" file || file < "m");
      "formulas-m" = common ++ formulas (file: lib.hasSuffix ".h" file || file >= "m");
    };
    compiling = family: compiling // lib.optionalAttrs (family != "generated") { cmakeFlags = [ ]; };
    inherit description;
    inherit (compiling) folder;
  };
in
mkPart (
  compiling
  // {
    pname = "libtorch";
    manifest = "torch";
    paths = [
      "csrc/autograd/CMakeLists.txt"
      "csrc/autograd/include"
      "lib/cmake/LibraryConfig.cmake.in"
      "lib/cmake/TorchFamilies.cmake"
      "lib/cmake/TorchPrecompile.cmake"
    ];
    inherit (families) postPatch preConfigure disallowedReferences;
    postFixup = ''
      rpathFrom '$ORIGIN' ${
        toString (map (i: "${i}/lib") interfacesOfTHPP)
      } -- $out/lib/libtorch.so.1
    '';
    passthru = { inherit (families) objects; };
    inherit description;
  }
)
