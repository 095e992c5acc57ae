# mkInterface { pname; name; folder; needs; description; exported; … } -> what others see of a library: public headers,
# CMake package, and a link stub: a shared object with its soname and symbols and no code. It is made of the headers alone, so
# an edit in the library's sources rebuilds nobody who links it.
#
#   name       of the CMake package, and of lib<name>.so.1
#   folder     holds include/; a C library's header is include/<name>/<name>.h
#   needs      { CMake package = interface; }
#   exported   of a C++ library: the macro by which its headers mark what it exports (codegen/exports.py)
#   generated  such headers that codegen writes: a derivation with include/
#   include    folders of others' headers that its own include, besides those of `needs`
{
  lib,
  stdenv,
  cmake,
  python3,
  source,
  version,
}:
{
  pname,
  name,
  folder,
  needs,
  description,
  exported ? null,
  generated ? null,
  include ? [ ],
}:
let
  headers = [ "${folder}/include" ] ++ lib.optional (generated != null) "${generated}/include";
  visible = map (interface: "${interface}/include") (lib.attrValues needs) ++ include;
in
stdenv.mkDerivation {
  inherit pname version;
  src = source {
    name = pname;
    paths = [
      "${folder}/include"
      "lib/cmake/LibraryConfig.cmake.in"
      "lib/cmake/write-config.cmake"
      "codegen/__init__.py"
      "codegen/__main__.py"
      "codegen/emitters/__init__.py"
      "codegen/emitters/stub.py"
      "codegen/errors.py"
      "codegen/output.py"
    ]
    ++ (
      if exported != null then
        [ "codegen/exports.py" ]
      else
        [
          "codegen/fake"
          "codegen/headers.py"
        ]
    );
  };
  nativeBuildInputs = [
    cmake
    (python3.withPackages (ps: [ ps.pycparser ]))
  ];
  propagatedBuildInputs = lib.attrValues needs;
  dontConfigure = true;
  buildPhase = ''
    runHook preBuild
    arguments="${
      toString (
        (
          if exported != null then
            map (folder: "--header ${folder}") headers ++ [ "--exported ${exported} --cpp $CXX" ]
          else
            [ "--header ${folder}/include/${name}/${name}.h --include ${folder}/include --cpp $CC" ]
        )
        ++ map (path: "--include ${path}") visible
      )
    }"
    python -m codegen stub $arguments --soname lib${name}.so.1 --out .
    python -m codegen symbols $arguments > symbols.txt
    mkdir -p $out/lib
    $CC -shared -nostdlib -Wl,-soname,lib${name}.so.1 -o $out/lib/lib${name}.so.1 lib${name}.so.1.s
    runHook postBuild
  '';
  installPhase = ''
    runHook preInstall
    ln -s lib${name}.so.1 $out/lib/lib${name}.so
    mkdir $out/include
    for folder in ${toString headers}; do cp -r --no-preserve=mode $folder/. $out/include/; done
    cmake -DNAME=${name} -DNEEDS="${lib.concatStringsSep ";" (lib.attrNames needs)}" -DPREFIX=$out -P lib/cmake/write-config.cmake
    install -Dm644 symbols.txt $out/share/${name}/symbols.txt
    runHook postInstall
  '';
  meta = {
    inherit description;
    license = lib.licenses.bsd3;
    platforms = [ "x86_64-linux" ];
  };
}
