# mkLibrary name spec -> { interface; implementation; }, from one entry of lib/libraries.toml.
#
# interface       public headers, CMake package, link stub: a shared object with the right soname
#                 and symbols and no code. Whoever links the library depends on this alone, so an
#                 edit in src/ rebuilds nobody else.
# implementation  the library, compiled against the interfaces of what it needs.
{
  lib,
  stdenv,
  callPackage,
  cmake,
  ninja,
  patchelf,
  python3,
  source,
  version,
  split,
  generated,
  vendorPackages,
}:
name: spec:
let
  folder = "lib/${name}";

  vendors = lib.concatMap (
    vendor:
    vendorPackages.${vendor}
      or (throw "lib/libraries.toml: ${name}: unknown vendor '${vendor}'; known: ${toString (builtins.attrNames vendorPackages)}")
  ) spec.vendor;

  # What the implementation is made from.
  paths = [
    "${folder}/CMakeLists.txt"
    "${folder}/include"
    "${folder}/src"
    "lib/cmake/LibraryConfig.cmake.in"
    "lib/cmake/TorchLibrary.cmake"
  ];

  # What dependents see of the libraries that this one needs.
  visible = map (need: split.${need}.interface) spec.needs;

  meta = {
    inherit (spec) description;
    license = lib.licenses.bsd3;
    platforms = [ "x86_64-linux" ];
  };

  cInterface = stdenv.mkDerivation {
    pname = "${name}-interface";
    inherit version;
    src = source {
      name = "${name}-interface";
      paths = [
        "${folder}/include"
        "lib/cmake/LibraryConfig.cmake.in"
        "lib/cmake/write-config.cmake"
        "codegen/__init__.py"
        "codegen/__main__.py"
        "codegen/emitters/__init__.py"
        "codegen/emitters/stub.py"
        "codegen/errors.py"
        "codegen/fake"
        "codegen/headers.py"
        "codegen/output.py"
      ];
    };
    nativeBuildInputs = [
      cmake
      (python3.withPackages (ps: [ ps.pycparser ]))
    ];
    propagatedBuildInputs = visible;
    dontConfigure = true;
    buildPhase = ''
      runHook preBuild
      includes=
      for need in ${toString visible}; do includes+=" --include $need/include"; done
      header="--header ${folder}/include/${name}/${name}.h --include ${folder}/include $includes --cpp $CC"
      python -m codegen stub $header --soname lib${name}.so.1 --out .
      python -m codegen symbols $header > symbols.txt
      mkdir -p $out/lib
      $CC -shared -nostdlib -Wl,-soname,lib${name}.so.1 -o $out/lib/lib${name}.so.1 lib${name}.so.1.s
      runHook postBuild
    '';
    installPhase = ''
      runHook preInstall
      ln -s lib${name}.so.1 $out/lib/lib${name}.so
      cp -r ${folder}/include $out/include
      cmake -DNAME=${name} -DNEEDS="${lib.concatStringsSep ";" spec.needs}" -DPREFIX=$out \
        -P lib/cmake/write-config.cmake
      install -Dm644 symbols.txt $out/share/${name}/symbols.txt
      runHook postInstall
    '';
    meta = meta // {
      description = "Headers and link stub of ${name}: ${spec.description}";
    };
  };

  implementation = stdenv.mkDerivation {
    pname = name;
    inherit version;
    src = source { inherit name paths; };
    # The name of the unpacked folder does not depend on `edited`.
    unpackCmd = "cp -r --no-preserve=mode,timestamps $curSrc source";
    sourceRoot = "source";
    postPatch = ''
      source ${./manifest.sh}
      writeManifest ${name} ${toString paths}
      cd ${folder}
    '';
    nativeBuildInputs = [
      cmake
      ninja
      patchelf
    ];
    buildInputs = vendors;
    propagatedBuildInputs = visible;
    cmakeFlags = [
      "-DTORCH_NEEDS=${lib.concatStringsSep ";" spec.needs}"
      "-DTORCH_VENDOR=${lib.concatStringsSep ";" spec.vendor}"
    ]
    ++ lib.optional (spec ? generated) "-D${name}_GENERATED=${generated.${spec.generated}}";
    postInstall = "installManifest";
    # The linker wrapper records where it found each library; of those, the interfaces hold stubs.
    postFixup = ''
      source ${./relink.sh}
      rpathFrom '$ORIGIN' ${toString (map (i: "${i}/lib") visible)} -- $out/lib/lib${name}.so.1
    '';
    passthru = {
      inherit interface;
      tests = {
        unit = callPackage ./checks/library-unit.nix { inherit name; };
      }
      // lib.optionalAttrs (spec.boundary == "C") {
        abi = callPackage ./checks/library-abi.nix { inherit name; };
      };
    };
    inherit meta;
  };

  # C++ libraries have no stub: templates, inline functions and typeinfo are part of their interface.
  interface = if spec.boundary == "C" then cInterface else implementation;
in
{
  inherit interface implementation;
}
