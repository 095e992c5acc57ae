# mkLibrary name spec -> { interface; implementation; }, from one entry of lib/libraries.toml.
#
# interface       public headers, CMake package, link stub (mk-interface.nix). Whoever links the library depends on this
#                 alone, so an edit in src/ rebuilds nobody else.
# implementation  the library, and its program if it has one, compiled against the interfaces of what it needs. Where src/ has folders,
#                 each is a family of kernels whose objects are a derivation of their own (objects.nix).
{
  lib,
  callPackage,
  mkInterface,
  mkPart,
  objects,
  split,
  checkedSpecs,
  generated,
  vendorPackages,
  cuda,
  mklDnnSupport,
}:
name: spec:
let
  folder = "lib/${name}";
  isCuda = spec.cuda or false;

  # Of a toolkit a library wants a compiler, its packages, and for which devices: the rest is CMake's.
  part = if isCuda then mkPart.override { inherit (cuda) stdenv; } else mkPart;
  packages = vendorPackages // lib.optionalAttrs isCuda cuda.vendorPackages;
  packageOf =
    vendor:
    packages.${vendor}
      or (throw "lib/libraries.toml: ${name}: unknown vendor '${vendor}'; known: ${toString (builtins.attrNames packages)}");

  # What all of it is compiled with.
  common = [
    "${folder}/CMakeLists.txt"
    "${folder}/include"
    "lib/cmake/LibraryConfig.cmake.in"
    "lib/cmake/TorchFamilies.cmake"
    "lib/cmake/TorchLibrary.cmake"
  ]
  ++ lib.optional isCuda "lib/cmake/TorchCuda.cmake"
  # Headers that codegen writes take long to read.
  ++ lib.optional (spec ? generated) "lib/cmake/TorchPrecompile.cmake";

  # The vendors that it is linked with: those of spec.optional only where their option is on.
  chosen = {
    mkldnn = mklDnnSupport;
  };
  linkedVendors = lib.filter (
    vendor: !(spec ? optional.${vendor}) || chosen.${spec.optional.${vendor}}
  ) spec.vendor;

  # What dependents see of the libraries that this one needs.
  visible = map (need: split.${need}.interface) spec.needs;

  interface = mkInterface {
    pname = "${name}-interface";
    inherit name folder;
    needs = lib.genAttrs spec.needs (need: split.${need}.interface);
    exported = if spec.boundary == "C++" then "${name}_API" else null;
    generated = if spec ? generated then generated.${spec.generated} else null;
    description = "Headers and link stub of ${name}: ${spec.description}";
  };

  # What compiling takes that sees these vendors.
  compilingWith = vendors: {
    inherit folder;
    nativeBuildInputs = lib.optional isCuda cuda.nvcc;
    buildInputs = lib.concatMap packageOf vendors;
    propagatedBuildInputs = visible;
    cmakeFlags = [
      "-DTORCH_NEEDS=${lib.concatStringsSep ";" spec.needs}"
      "-DTORCH_VENDOR=${lib.concatStringsSep ";" vendors}"
    ]
    ++ lib.optional isCuda "-DTORCH_CUDA_ARCH_LIST=${cuda.architectures}"
    ++ lib.optional (spec ? kit) "-DTORCH_KIT=${spec.kit}"
    ++ lib.optional (spec ? generated) "-D${name}_GENERATED=${generated.${spec.generated}}";
  };

  # A folder in src/ is a family; so is whatever is added there, without a list, and what codegen writes. It is compiled from that folder, the
  # headers of the family `kit`, and `common`: an edit of kit/*.h, *.hpp or *.cuh compiles all of them, one of kit/*.cpp only
  # `kit`. Of the vendors it sees those that spec.seen_by does not keep for others. With spec.kit another library's kit is there,
  # too, with the headers of the kit that it is made with. Its objects are linked here; of a kit with `cuda` the sources, which
  # are few, are compiled again.
  entries = path: builtins.readDir (../. + "/${path}");
  folders =
    let
      found = entries "${folder}/src";
      ofType = type: lib.attrNames (lib.filterAttrs (_: t: t == type) found);
    in
    if ofType "directory" != [ ] && ofType "regular" != [ ] then
      throw "${folder}/src has a folder for each family, and ${lib.head (ofType "regular")} stands in none"
    else
      ofType "directory";
  headersOf =
    kit:
    map (file: "${kit}/${file}") (
      lib.filter (file: lib.any (end: lib.hasSuffix end file) [ ".h" ".hpp" ".cuh" ]) (lib.attrNames (entries kit))
    );
  ownKit = lib.optionals (lib.elem "kit" folders) (headersOf "${folder}/src/kit");
  kitOf =
    spec:
    lib.optionals (spec ? kit) (
      (if isCudaKit spec then [ "lib/${spec.kit}/src/kit" ] else headersOf "lib/${spec.kit}/src/kit")
      ++ kitOf checkedSpecs.${spec.kit}
    );
  isCudaKit = spec: checkedSpecs.${spec.kit}.cuda or false;
  otherKit = kitOf spec;
  families = objects.override { mkPart = part; } {
    inherit name;
    compiling =
      family: compilingWith (lib.filter (vendor: lib.elem family (spec.seen_by.${vendor} or [ family ])) linkedVendors);
    families =
      lib.genAttrs folders (
        family: common ++ [ "${folder}/src/${family}" ] ++ lib.optionals (family != "kit") ownKit ++ otherKit
        ++ lib.concatMap (place: headersOf "lib/${place}") (spec.sees.${family} or [ ])
      )
      // lib.optionalAttrs (folders != [ ] && spec ? generated) { generated = common ++ ownKit ++ otherKit; };
    others = lib.optionalAttrs (spec ? kit && !isCudaKit spec) {
      "${spec.kit}.kit" = split.${spec.kit}.implementation.objects.kit;
    };
    folder = "${folder}/src";
    inherit (spec) description;
  };

  implementation = part (
    compilingWith linkedVendors
    // {
      pname = name;
      manifest = name;
      paths =
        common
        ++ lib.optionals (folders == [ ]) ([ "${folder}/src" ] ++ otherKit)
        ++ lib.optional (spec ? program) "${folder}/manager";
      inherit (families) postPatch preConfigure disallowedReferences;
      # The linker wrapper records where it found each library; of those, the interfaces hold stubs.
      postFixup = ''
        rpathFrom '$ORIGIN' ${toString (map (i: "${i}/lib") visible)} -- $out/lib/lib${name}.so.1
      ''
      + lib.optionalString (spec ? program) ''
        rpathFrom '$ORIGIN/../lib' ${toString (map (i: "${i}/lib") visible)} -- $out/bin/${spec.program}
      '';
      passthru = {
        inherit interface;
        inherit (families) objects;
        tests = {
          unit = callPackage ./checks/library-unit.nix {
            inherit name;
            others = [ ];
          };
          abi = callPackage ./checks/library-abi.nix { inherit name interface implementation; };
        };
      };
      inherit (spec) description;
    }
  );
in
{
  inherit interface implementation;
}
