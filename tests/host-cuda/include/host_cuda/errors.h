/* The error codes: X(name without cudaError, value, what it says). The numbers are CUDA's. */
#define HOST_CUDA_ERRORS(X) \
  X(InvalidValue, 1, "invalid argument") \
  X(MemoryAllocation, 2, "out of memory") \
  X(InitializationError, 3, "initialization error") \
  X(CudartUnloading, 4, "driver shutting down") \
  X(InvalidConfiguration, 9, "invalid configuration argument") \
  X(InvalidPitchValue, 12, "invalid pitch argument") \
  X(InvalidSymbol, 13, "invalid device symbol") \
  X(InvalidDevicePointer, 17, "invalid device pointer") \
  X(InvalidMemcpyDirection, 21, "invalid copy direction for memcpy") \
  X(StubLibrary, 34, "CUDA driver is a stub library") \
  X(InsufficientDriver, 35, "CUDA driver version is insufficient for CUDA runtime version") \
  X(InvalidDeviceFunction, 98, "invalid device function") \
  X(NoDevice, 100, "no CUDA-capable device is detected") \
  X(InvalidDevice, 101, "invalid device ordinal") \
  X(NoKernelImageForDevice, 209, "no kernel image is available for execution on the device") \
  X(PeerAccessUnsupported, 217, "peer access is not supported between these two devices") \
  X(OperatingSystem, 304, "OS call failed or operation not supported on this OS") \
  X(InvalidResourceHandle, 400, "invalid resource handle") \
  X(IllegalState, 401, "the operation cannot be performed in the present state") \
  X(SymbolNotFound, 500, "named symbol not found") \
  X(NotReady, 600, "device not ready") \
  X(IllegalAddress, 700, "an illegal memory access was encountered") \
  X(LaunchOutOfResources, 701, "too many resources requested for launch") \
  X(LaunchTimeout, 702, "the launch timed out and was terminated") \
  X(PeerAccessAlreadyEnabled, 704, "peer access is already enabled") \
  X(PeerAccessNotEnabled, 705, "peer access has not been enabled") \
  X(ContextIsDestroyed, 709, "context is destroyed") \
  X(Assert, 710, "device-side assert triggered") \
  X(HostMemoryAlreadyRegistered, 712, "part or all of the requested memory range is already mapped") \
  X(HostMemoryNotRegistered, 713, "pointer does not correspond to a registered memory region") \
  X(MisalignedAddress, 716, "misaligned address") \
  X(LaunchFailure, 719, "unspecified launch failure") \
  X(NotPermitted, 800, "operation not permitted") \
  X(NotSupported, 801, "operation not supported") \
  X(Unknown, 999, "unknown error")
