# The rebuild matrix: edit this file, and exactly these derivations change. `how` is the edit, if
# it is to be more particular than a new line at the end.
let
  # Whoever runs the built package is rebuilt with it.
  composed = [
    "docs"
    "torch"
    "torch-cuda"
    "torch-mpi"
    "python-tests"
  ];
  foldersOf =
    path:
    let
      entries = builtins.readDir path;
    in
    builtins.filter (entry: entries.${entry} == "directory") (builtins.attrNames entries);
  # The derivations of a library's objects: one for each folder of its sources.
  objects = name: map (family: "${name}-${family}") (foldersOf (../../lib + "/${name}/src"));
  # And of the bindings that are written by hand.
  bindings = map (family: "libtorch_python-${family}") (
    builtins.filter (name: name != "include") (foldersOf ../../csrc/python)
  );
  # What is linked from them, and the tests of that.
  linked = [
    "TH"
    "TH-tests"
  ]
  ++ composed;
in
[
  {
    # A family of kernels: its objects, no others.
    edit = "lib/TH/src/reduce/reduce_norm.cpp";
    rebuilds = [ "TH-reduce" ] ++ linked;
  }
  {
    # What two of them are made of.
    edit = "lib/TH/src/reduce/reduce-inl.hpp";
    rebuilds = [
      "TH-extrema"
      "TH-reduce"
    ]
    ++ linked;
  }
  {
    edit = "lib/TH/src/fft/fft.hpp";
    rebuilds = [ "TH-fft" ] ++ linked;
  }
  {
    # What all families use, and THNN: the code of the kernel kit is compiled once,
    edit = "lib/TH/src/kit/iterator.cpp";
    rebuilds = [
      "TH-kit"
      "THNN"
      "THS"
      "THC"
    ]
    ++ linked;
  }
  {
    # its headers everywhere.
    edit = "lib/TH/src/kit/iterator.hpp";
    rebuilds = [
      "THNN"
      "THS"
      "THC"
      "THCUNN"
      "THCS"
    ]
    ++ objects "TH"
    ++ objects "THNN"
    ++ objects "THS"
    ++ objects "THC"
    ++ linked;
  }
  {
    # Formulas that two libraries share are a family's, of either.
    edit = "lib/TH/src/random/philox.hpp";
    rebuilds = [
      "TH-random"
      "THC"
      "THC-random"
    ]
    ++ linked;
  }
  {
    # Of the kit's objects, none.
    edit = "lib/THNN/src/softmax/softmax.cpp";
    rebuilds = [
      "THNN"
      "THNN-softmax"
    ]
    ++ composed;
  }
  {
    # What another family calls; those two see its header.
    edit = "lib/THNN/src/onednn/onednn.hpp";
    rebuilds = [
      "THNN"
      "THNN-convolution"
      "THNN-onednn"
    ]
    ++ composed;
  }
  {
    # torch.override { mklDnnSupport = false; }: the family that would call oneDNN, and no other.
    options.mklDnnSupport = false;
    rebuilds = [
      "THNN"
      "THNN-onednn"
    ]
    ++ composed;
  }
  {
    edit = "lib/THS/src/product/spmm.cpp";
    rebuilds = [
      "THS"
      "THS-product"
    ]
    ++ composed;
  }
  {
    # Nothing that computes sees the processes.
    edit = "lib/THD/src/store/hash_store.cpp";
    rebuilds = [
      "THD"
      "THD-store"
    ]
    ++ composed;
  }
  {
    # No binding but its own.
    edit = "lib/THD/include/THD/Store.h";
    rebuilds = [
      "THD"
      "THD-interface"
      "torch_distributed"
      "torch_mpi"
    ]
    ++ objects "THD"
    ++ composed;
  }
  {
    edit = "csrc/distributed/stores.cpp";
    rebuilds = [ "torch_distributed" ] ++ composed;
  }
  {
    # Only a torch with MPI.
    edit = "csrc/mpi/group.cpp";
    rebuilds = [
      "torch_mpi"
      "torch-mpi"
    ];
  }
  {
    # Behind C headers, so no binding is compiled.
    edit = "lib/shm/src/client.cpp";
    rebuilds = [ "shm" ] ++ composed;
  }
  {
    edit = "lib/shm/manager/manager.cpp";
    rebuilds = [ "shm" ] ++ composed;
  }
  {
    # One family of the bindings sees it; not libtorch, nor what codegen writes.
    edit = "lib/shm/include/shm/shm.h";
    rebuilds = [
      "shm"
      "shm-interface"
      "libtorch_python"
      "libtorch_python-storage"
    ]
    ++ composed;
  }
  {
    # The body of an operator: what links THPP sees its headers and a stub.
    edit = "lib/THPP/src/linalg/linear.cpp";
    rebuilds = [
      "THPP"
      "THPP-linalg"
    ]
    ++ composed;
  }
  {
    # What all of them share.
    edit = "lib/THPP/src/kit/results.h";
    rebuilds = objects "THPP" ++ [
      "THPP"
      "THPP-generated"
    ]
    ++ composed;
  }
  {
    # What CUDA adds: one family of kernels, and nothing of the package without CUDA.
    edit = "lib/THC/src/copy/copy.cu";
    rebuilds = [
      "THC"
      "THC-copy"
      "torch-cuda"
    ];
  }
  {
    # What all families use, and the libraries that are made with it.
    edit = "lib/THC/src/kit/launch.cuh";
    rebuilds = [
      "THC"
      "THCUNN"
      "THCS"
      "torch-cuda"
    ]
    ++ objects "THC";
  }
  {
    edit = "lib/cmake/TorchCuda.cmake";
    rebuilds = [
      "THC"
      "THCUNN"
      "THCS"
      "torch-cuda"
    ]
    ++ objects "THC";
  }
  {
    edit = "lib/THCUNN/src/softmax.cu";
    rebuilds = [
      "THCUNN"
      "torch-cuda"
    ];
  }
  {
    edit = "lib/THCS/src/spmm.cu";
    rebuilds = [
      "THCS"
      "torch-cuda"
    ];
  }
  {
    edit = "csrc/cuda/start.cpp";
    rebuilds = [
      "libtorch_cuda"
      "torch-cuda"
    ];
  }
  {
    edit = "csrc/nccl/module.cpp";
    rebuilds = [
      "torch_nccl"
      "torch-cuda"
    ];
  }
  {
    # What the extension modules over C share.
    edit = "csrc/cuda/python/bind.h";
    rebuilds = [
      "libtorch_cuda"
      "torch_nccl"
      "torch-cuda"
    ];
  }
  {
    # Modules over the toolkit see no library of ours.
    edit = "csrc/cuda-modules/nvtx.c";
    rebuilds = [
      "torch-cuda-modules"
      "torch-cuda"
    ];
  }
  {
    edit = "lib/TH/include/TH/THTensor.h";
    rebuilds = [
      "TH"
      "TH-interface"
      "TH-tests"
      "THNN"
      "THNN-interface"
      "THS"
      "THS-interface"
      "THPP"
      "THPP-generated"
      "THPP-interface"
      "THD"
      "THD-interface"
      "THC"
      "THC-interface"
      "THCUNN"
      "THCUNN-interface"
      "THCS"
      "THCS-interface"
      "shm"
      "shm-interface"
      "generated-cuda"
      "generated-nn"
      "generated-thpp"
      "libtorch"
      "libtorch-formulas-a"
      "libtorch-formulas-m"
      "libtorch-generated"
      "libtorch-graph"
      "libtorch-interface"
      "libtorch_cuda"
      "libtorch_python"
      "libtorch_python-generated"
      "libtorch_python-interface"
      "torch-modules"
      "torch_nccl"
      "torch_distributed"
      "torch_mpi"
    ]
    ++ objects "TH"
    ++ objects "THNN"
    ++ objects "THS"
    ++ objects "THC"
    ++ objects "THD"
    ++ objects "THPP"
    ++ bindings
    ++ composed;
  }
  {
    # A binding: its family, not what codegen wrote of them.
    edit = "csrc/python/values/layout.cpp";
    rebuilds = [
      "libtorch_python"
      "libtorch_python-values"
    ]
    ++ composed;
  }
  {
    # A header of one family,
    edit = "csrc/python/autograd/node.h";
    rebuilds = [
      "libtorch_python"
      "libtorch_python-autograd"
    ]
    ++ composed;
  }
  {
    # of all that are written by hand,
    edit = "csrc/python/kit/errors.h";
    rebuilds = [ "libtorch_python" ] ++ bindings ++ composed;
  }
  {
    # and the code behind it.
    edit = "csrc/python/kit/errors.cpp";
    rebuilds = [
      "libtorch_python"
      "libtorch_python-kit"
    ]
    ++ composed;
  }
  {
    # What generated calls are made of.
    edit = "csrc/python/kit/operators.h";
    rebuilds = [
      "libtorch_python"
      "libtorch_python-generated"
    ]
    ++ composed;
  }
  {
    edit = "csrc/python/include/torch_python/args.h";
    rebuilds = [
      "libtorch_cuda"
      "libtorch_python"
      "libtorch_python-generated"
      "libtorch_python-interface"
      "torch-modules"
      "torch_nccl"
      "torch_distributed"
      "torch_mpi"
    ]
    ++ bindings
    ++ composed;
  }
  {
    edit = "lib/cmake/TorchModule.cmake";
    rebuilds = [
      "torch-modules"
      "torch_distributed"
      "torch_mpi"
      "torch_nccl"
    ]
    ++ composed;
  }
  {
    edit = "csrc/modules/stub.c";
    rebuilds = [ "torch-modules" ] ++ composed;
  }
  {
    # What only the build without Nix reads compiles nothing.
    edit = "tools/tree.py";
    rebuilds = composed;
  }
  {
    edit = "CMakeLists.txt";
    rebuilds = [ ];
  }
  {
    edit = "torch/_tensor_str.py";
    rebuilds = composed;
  }
  {
    # The documentation of an operator.
    edit = "codegen/declarations/arithmetic.cwrap";
    how =
      text: builtins.replaceStrings [ "\n  doc: |\n" ] [ "\n  doc: |\n    Reworded.\n" ] text;
    rebuilds = [ "generated-docs" ] ++ composed;
  }
  {
    # How an operator runs on parts of tensors: a table that Python reads.
    edit = "codegen/declarations/linear.cwrap";
    how = text: builtins.replaceStrings [ "\n  sharding: mk,kn->mn; " ] [ "\n  sharding: mk,kn->mn | mk,k->m; " ] text;
    rebuilds = [ "generated-docs" ] ++ composed;
  }
  {
    # A derivative's formula: the library that is generated from it. Documentation is generated from declarations as
    # they are.
    edit = "codegen/declarations/elementary.cwrap";
    how = text: builtins.replaceStrings [ "\n    self: grad * conj(result)\n" ] [ "\n    self: conj(result) * grad\n" ] text;
    rebuilds = [
      "generated-autograd"
      "generated-docs"
      "libtorch"
      "libtorch-generated"
    ]
    ++ composed;
  }
  {
    # The engine: no formula is compiled again, and no binding.
    edit = "csrc/autograd/graph/engine.cpp";
    rebuilds = [
      "libtorch"
      "libtorch-graph"
    ]
    ++ composed;
  }
  {
    # What a formula calls.
    edit = "csrc/autograd/formulas/linear.cpp";
    rebuilds = [
      "libtorch"
      "libtorch-formulas-a"
    ]
    ++ composed;
  }
  {
    edit = "lib/THPP/include/THPP/Guard.h";
    rebuilds = [
      "THPP"
      "THPP-generated"
      "THPP-interface"
      "THD"
      "THD-interface"
      "libtorch"
      "libtorch-formulas-a"
      "libtorch-formulas-m"
      "libtorch-generated"
      "libtorch-graph"
      "libtorch-interface"
      "libtorch_cuda"
      "libtorch_python"
      "libtorch_python-generated"
      "libtorch_python-interface"
      "torch-modules"
      "torch_nccl"
      "torch_distributed"
      "torch_mpi"
    ]
    ++ objects "THD"
    ++ objects "THPP"
    ++ bindings
    ++ composed;
  }
  {
    edit = "csrc/autograd/include/autograd/hooks.h";
    rebuilds = [
      "libtorch"
      "libtorch-formulas-a"
      "libtorch-formulas-m"
      "libtorch-generated"
      "libtorch-graph"
      "libtorch-interface"
      "libtorch_python"
      "libtorch_python-autograd"
      "libtorch_python-module"
      "libtorch_python-storage"
      "libtorch_python-tensor"
      "torch_distributed"
      "torch_mpi"
    ]
    ++ composed;
  }
  {
    # A BLAS whose integers have 64 bits: the one family that includes its headers.
    packages = pkgs: {
      blas = pkgs.openblas;
      lapack = pkgs.openblas;
    };
    rebuilds = [ "TH-linalg" ] ++ linked;
  }
  {
    edit = "lib/TH/tests/sort.cpp";
    rebuilds = [ "TH-tests" ];
  }
  {
    edit = "tests/test_tiny.py";
    rebuilds = [ "python-tests" ];
  }
  {
    edit = "README.md";
    rebuilds = [ "docs" ];
  }
]
