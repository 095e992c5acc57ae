# What a scope differs in when all that it compiles is under one of gcc's sanitizers: a stdenv whose compiler
# gets the flags, and what an interpreter, which is not compiled with them, needs in its environment.
{
  lib,
  pkgs,
  name,
}:
let
  inherit (pkgs) stdenv;

  # -O1 -g1: fast enough to run every test, and a report still has lines. Assertions: ours and libstdc++'s.
  common = "-O1 -g1 -fno-omit-frame-pointer -UNDEBUG -D_GLIBCXX_ASSERTIONS";

  kinds = {
    address = {
      flags = "-fsanitize=address";
      finds = [
        "heap-buffer-overflow"
        "stack-buffer-overflow"
        "heap-use-after-free"
        "Assertion"
      ];
      # The runtime must be there before all else, or malloc is not its own; it looks for __cxa_throw when it
      # starts, so libstdc++ comes with it.
      preload = [
        "libasan.so"
        "libstdc++.so"
      ];
      variables = {
        # Python leaves much to the end of the process, and the sandbox forbids the tracing that leaks are found by.
        # A block that is too large is the caller's error, as from any other malloc. SIGABRT: faulthandler
        # and pytest then say which line of Python it was.
        ASAN_OPTIONS = "detect_leaks=0:allocator_may_return_null=1:abort_on_error=1:strict_string_checks=1:check_initialization_order=1";
        # Each Python object a block of its own, ours among them.
        PYTHONMALLOC = "malloc";
      };
      # The first two start Python in environments of their own, where the runtime is not preloaded, and ask about
      # Python code only. The third asks for fifty starts of workers in twelve seconds. The next ones measure memory, of
      # which the sanitizer keeps what has been freed, or ask where it lies; and its operator new ends the process where
      # another throws. tests/slots reads a library's memory from end to end, what lies between variables, too.
      leaveOut = [
        "--ignore=tests/package/test_import.py"
        "--ignore=tests/package/test_collect_env.py"
        "--ignore=tests/slots"
        "--deselect=tests/data/test_worker_processes.py::test_a_thousand_starts_and_stops"
        "--deselect=tests/tensor/test_memory.py::test_small_tensors_and_views_do_not_pile_up"
        "--deselect=tests/tensor/test_memory.py::test_nothing_piles_up"
        "--deselect=tests/tensor/test_storage.py::test_nothing_leaks"
        "--deselect=tests/tensor/test_identity.py::test_nothing_leaks"
        "--deselect=tests/tensor/test_large_blocks.py::test_not_much_is_kept"
        "--deselect=tests/tensor/test_large_blocks.py::test_blocks_begin_at_different_places_of_a_page"
        "--deselect=tests/interop/test_dlpack.py::test_nothing_leaks"
        "--deselect=tests/fuzz/test_fuzz.py::test_more_parts_than_any_memory_holds"
      ];
    };
    undefined = {
      # The first finding ends the process.
      flags = "-fsanitize=undefined -fno-sanitize-recover=all";
      finds = [
        "signed integer overflow"
        "shift exponent 32 is too large"
        "misaligned address"
        "load of value 2"
        "Assertion"
      ];
      preload = [ ];
      leaveOut = [ ];
      variables.UBSAN_OPTIONS = "print_stacktrace=1:abort_on_error=1";
    };
    # What two threads do to each other. Python is not compiled with it: of its own memory nothing is seen, of its lock, which
    # the C library's mutexes make, all. Of OpenMP's threads see lib/TH/src/kit/parallel.cpp.
    thread = {
      flags = "-fsanitize=thread";
      finds = [
        "data race"
        "lock-order-inversion"
        "Assertion"
      ];
      preload = [
        "libtsan.so"
        "libstdc++.so"
      ];
      variables = {
        # A child of a process with threads may start some of its own, as multiprocessing's do.
        TSAN_OPTIONS = "halt_on_error=1:abort_on_error=1:die_after_fork=0";
        # Each object a block of its own, or one thread's memory would be taken for what another had there before.
        PYTHONMALLOC = "malloc";
      };
      leaveOut = [ ];
      # The others have one thread, or leave it to parallelFor to have more.
      tests = [
        "amp"
        "autograd/test_graph_threads.py"
        "autograd/test_shared_graphs.py"
        "fft/test_fft.py::test_many_lengths_in_many_threads"
        "fft/test_fft.py::test_threads_change_nothing"
        "nn/test_onednn.py::test_the_number_of_threads_changes_no_bit"
        "operators/test_complex.py::test_results_do_not_depend_on_threads"
        "operators/test_statistics.py::test_the_number_of_threads_does_not_matter"
        "optim/test_lists.py"
        "tensor/test_identity.py"
        "tensor/test_memory.py::test_python_threads"
        "tensor/test_memory.py::test_python_threads_share_one_generator"
        "tensor/test_overrides.py"
      ];
    };
  };
  kind = kinds.${name};

  # The compiler's runtime libraries under names without a version.
  runtime = pkgs.runCommandCC "${name}-sanitizer" { } ''
    mkdir $out
    for library in ${toString kind.preload}; do
      ln -s $(readlink -f $($CXX -print-file-name=$library)) $out/$library
    done
  '';

  # Debug information stays, and with it full names of files: of the build folder, of the compiler's headers.
  attributes = {
    dontStrip = true;
    noAuditTmpdir = true;
    allowCompilerReferences = true;
  };

  exports = lib.concatMapStrings (variable: "export ${variable}=${kind.variables.${variable}}\n") (
    builtins.attrNames kind.variables
  );
in
if name == null then
  {
    inherit stdenv;
    kind = null;
    attributes = { };
    leaveOut = [ ];
    tests = [ "tests" ];
    distributed = [ "tests/distributed" ];
    exports = "";
    active = false;
    preloads = false;
  }
else
  {
    stdenv = stdenv // {
      mkDerivation =
        attrs:
        (stdenv.mkDerivation attrs).overrideAttrs (previous: {
          env = (previous.env or { }) // {
            NIX_CFLAGS_COMPILE = "${previous.env.NIX_CFLAGS_COMPILE or ""} ${common} ${kind.flags}";
          };
          # nixpkgs' compiler has it on; the sanitizer knows memcpy, not __memcpy_chk.
          hardeningDisable = [ "fortify" ];
        } // attributes);
    };
    kind = name;
    # What it finds in tests/sanitizer/control.cpp.
    inherit (kind) finds;
    # Of the Python tests: pytest's options, and which are run.
    inherit (kind) leaveOut;
    tests = map (test: "tests/${test}") kind.tests or [ "" ];
    # Of those of torch.distributed: the ones that start no processes, but threads.
    distributed = [
      "tests/distributed/test_behaviour.py"
      "tests/distributed/test_soak.py"
      "tests/distributed/test_threaded.py"
    ]
    # What has been freed is kept for a while, so memory does not stay what it was.
    ++ lib.optionals (kind.preload != [ ]) [ "--deselect=tests/distributed/test_soak.py::test_memory_stays" ];
    # For a derivation that takes what has been compiled.
    inherit attributes;
    # Shell: what to export before Python starts.
    exports = lib.optionalString (kind.preload != [ ]) ''
      export LD_PRELOAD=${lib.concatMapStringsSep ":" (library: "${runtime}/${library}") kind.preload}
    '' + exports;
    active = true;
    # Whether it watches memory that others allocate.
    preloads = kind.preload != [ ];
  }
