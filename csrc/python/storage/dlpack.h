// The structs of DLPack's public C ABI (version 1.1), as every library that exchanges tensors lays them out.
#pragma once

#include <cstdint>

namespace torch::python::dlpack {

constexpr uint32_t kMajor = 1, kMinor = 1;

enum DeviceType : int32_t { kCPU = 1, kCUDA = 2, kCUDAHost = 3 };

struct Device {
  int32_t device_type;
  int32_t device_id;
};

enum TypeCode : uint8_t {
  kInt = 0,
  kUInt = 1,
  kFloat = 2,
  kOpaqueHandle = 3,
  kBfloat = 4,
  kComplex = 5,
  kBool = 6,
  kFloat8_e4m3fn = 10,
  kFloat8_e4m3fnuz = 11,
  kFloat8_e5m2 = 12,
  kFloat8_e5m2fnuz = 13
};

struct DataType {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
};

struct Tensor {
  void *data;
  Device device;
  int32_t ndim;
  DataType dtype;
  int64_t *shape;
  int64_t *strides;  // in elements; nullptr: contiguous
  uint64_t byte_offset;
};

// In a capsule named "dltensor", which its consumer renames to "used_dltensor".
struct ManagedTensor {
  Tensor tensor;
  void *manager_ctx;
  void (*deleter)(ManagedTensor *self);  // may be nullptr
};

struct Version {
  uint32_t major, minor;
};

constexpr uint64_t kReadOnly = 1, kIsCopied = 2;

// In a capsule named "dltensor_versioned". A consumer that does not know the major version reads no
// further than the deleter.
struct ManagedTensorVersioned {
  Version version;
  void *manager_ctx;
  void (*deleter)(ManagedTensorVersioned *self);
  uint64_t flags;
  Tensor tensor;
};

}  // namespace torch::python::dlpack
