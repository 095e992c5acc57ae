# autoPatchelfHook: among nativeBuildInputs of a package whose programs and libraries others have linked.
{ makeSetupHook }: makeSetupHook { name = "auto-patchelf-hook"; } ./setup-hook.sh
