# libtorch_python: the bindings. torch._C is a stub that links it.
{
  lib,
  coreInterfaces,
  generated,
  interfaces,
  libtorch-interface,
  mkPart,
  objects,
  python3,
}:
let
  python = python3.withPackages (ps: [ ps.numpy ]);
  description = "Python bindings of torch: the library behind torch._C";
  folder = "csrc/python";
  # What compiling takes that sees these libraries besides THPP.
  compilingWith = seen: {
    inherit folder;
    nativeBuildInputs = [ python ];
    buildInputs = [ interfaces.THPP ] ++ seen;
    cmakeFlags = [ "-DPython3_EXECUTABLE=${python}/bin/python3" ];
  };
  withGenerated =
    compiling: compiling // { cmakeFlags = compiling.cmakeFlags ++ [ "-DPYTHON_GENERATED=${generated.python}" ]; };
  # Who includes their headers.
  seenBy = {
    autograd = [ libtorch-interface ];
    module = [ libtorch-interface ];
    storage = [
      interfaces.shm
      libtorch-interface
    ];
    tensor = [ libtorch-interface ];
  };
  # What all of it is compiled with.
  common = [
    "${folder}/CMakeLists.txt"
    "${folder}/include"
    "lib/cmake/TorchFamilies.cmake"
    "lib/cmake/TorchPrecompile.cmake"
  ];
  # A folder is a family, but for the public headers. What families share stands in `kit`; what codegen writes, half of
  # the work, needs few of these headers, and one that is its own.
  entries = path: builtins.readDir (../. + "/${path}");
  folders = lib.filter (name: name != "include" && (entries folder).${name} == "directory") (
    lib.attrNames (entries folder)
  );
  calls = "${folder}/kit/operators.h";
  ofKit =
    end: map (file: "${folder}/kit/${file}") (lib.filter (lib.hasSuffix end) (lib.attrNames (entries "${folder}/kit")));
  families = objects {
    name = "torch_python";
    families =
      lib.genAttrs folders (
        family:
        common ++ lib.remove calls (ofKit ".h") ++ (if family == "kit" then ofKit ".cpp" else [ "${folder}/${family}" ])
      )
      // {
        generated = common ++ [ calls ];
      };
    compiling =
      family: if family == "generated" then withGenerated (compilingWith [ ]) else compilingWith (seenBy.${family} or [ ]);
    inherit description folder;
  };
in
mkPart (
  withGenerated (compilingWith [
    interfaces.shm
    libtorch-interface
  ])
  // {
    pname = "libtorch_python";
    manifest = "torch_python";
    paths = common ++ [ "lib/cmake/LibraryConfig.cmake.in" ];
    inherit (families) postPatch preConfigure disallowedReferences;
    postFixup = ''
      rpathFrom '$ORIGIN' ${
        toString (map (i: "${i}/lib") (lib.attrValues coreInterfaces ++ [ libtorch-interface ]))
      } \
        -- $out/lib/libtorch_python.so.1
    '';
    passthru = { inherit (families) objects; };
    inherit description;
  }
)
