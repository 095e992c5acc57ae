# CUDA adds, it changes nothing: the derivations of the package without CUDA are the same with any toolkit and any
# options, also with one that cannot be evaluated; and the package with CUDA is made of their very store paths.
# The control: with a toolkit in its place, what CUDA adds differs. Evaluated only; nothing is built.
{
  lib,
  runCommand,
  scopeWith,
}:
let
  derivations = import ./derivations.nix { inherit lib; };
  plain = (scopeWith null).withPackages { cudaPackages = throw "somebody looks at the toolkit"; };
  host = (scopeWith null).hostCuda;
  other = host.withPackages { cudaOptions.cudaCapabilities = [ "8.0" ]; };
  paths = map (part: builtins.unsafeDiscardStringContext part.drvPath);

  cpu = (derivations plain).cpu;
  differing = a: b: lib.filter (name: a.${name} != b.${name} or null) (lib.attrNames a);
  torch = host.torch.override {
    cudaSupport = true;
    cudaCapabilities = [ "8.0" ];
  };
  lacking = host.withPackages { cudaPackages = removeAttrs host.cudaPackages [ "nccl" ]; };
  build =
    scope: options: builtins.tryEval (scope.torch.override ({ cudaSupport = true; } // options)).drvPath;
  evaluates = capabilities: (build host { cudaCapabilities = capabilities; }).success;

  cases = {
    "the parts of torch" = differing cpu (derivations host).cpu == [ ];
    "with other capabilities" = differing cpu (derivations other).cpu == [ ];
    "composition of their store paths" = lib.subtractLists (paths torch.parts) (paths plain.torch.parts) == [ ];
    "what is added" =
      lib.subtractLists (paths plain.torch.parts) (paths torch.parts)
      == paths (
        lib.attrValues other.cudaLibraries
        ++ [
          other.libtorch_cuda
          other.torch-cuda-modules
          other.torch_nccl
        ]
      );
    "NCCL left out" =
      lib.subtractLists (paths (torch.override { ncclSupport = false; }).parts) (paths torch.parts) == paths [ other.torch_nccl ];
    "a toolkit without NCCL" = (build lacking { }).success && !(build lacking { ncclSupport = true; }).success;
    "cuDNN" = !(build host { cudnnSupport = true; }).success;
    "the shell" = plain.shell.drvPath == host.shell.drvPath;
    "the control" =
      differing (derivations host).cuda (derivations other).cuda
      == lib.subtractLists (
        [
          "generated-cuda"
          "libtorch_cuda"
          "torch-cuda-modules"
          "torch_nccl"
        ]
        ++ map (name: "${name}-interface") (lib.attrNames host.cudaLibraries)
      ) (lib.attrNames (derivations host).cuda);
    "capabilities with PTX, and of one chip" = evaluates [ "8.0" "9.0a+PTX" ];
    "a capability that is too old" = !evaluates [ "7.0" ];
    "a capability that is none" = !evaluates [ "sm_90" ];
    "no capability" = !evaluates [ ];
  };
  failed = lib.attrNames (lib.filterAttrs (_: ok: !ok) cases);
in
if failed != [ ] then
  throw "CUDA changes what it should not, or the other way round: ${lib.concatStringsSep "; " failed}"
else
  runCommand "torch-cuda-adds" { } ''
    mkdir $out
    echo "${toString (lib.length (lib.attrNames cases))} passed, 0 failed: ${toString (lib.length (lib.attrNames cpu))} derivations" > $out/report.txt
  ''
