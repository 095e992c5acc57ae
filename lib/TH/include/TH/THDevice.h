/* Where elements are: kinds of devices, and one device of a kind. */
#ifndef TH_DEVICE_H
#define TH_DEVICE_H

#include <stdint.h>

/* X(Name, "name"), one line per kind. The CPU is 0. A tensor on Meta has a shape and no memory. */
#define TH_DEVICES(X) \
  X(CPU, "cpu")       \
  X(Meta, "meta")     \
  X(CUDA, "cuda")

typedef enum THDeviceKind {
#define TH_DEVICE_ENUMERATOR(Name, name) TH_##Name,
  TH_DEVICES(TH_DEVICE_ENUMERATOR)
#undef TH_DEVICE_ENUMERATOR
      TH_NUM_DEVICE_KINDS
} THDeviceKind;

/* {0} is the CPU. Kinds that have one device only have index 0. */
typedef struct THDevice {
  int8_t kind; /* a THDeviceKind */
  int8_t index;
} THDevice;

/* How a tensor's elements are kept: X(NAME, "name"). One stride per dimension; or only some of them, with their places,
 * in other tensors, which THS knows: then the tensor has no memory of its own. */
#define TH_LAYOUTS(X)            \
  X(STRIDED, "strided")          \
  X(SPARSE_COO, "sparse_coo")    \
  X(SPARSE_CSR, "sparse_csr")    \
  X(SPARSE_CSC, "sparse_csc")    \
  X(SPARSE_BSR, "sparse_bsr")    \
  X(SPARSE_BSC, "sparse_bsc")

typedef enum THLayout {
#define TH_LAYOUT_ENUMERATOR(NAME, name) TH_##NAME,
  TH_LAYOUTS(TH_LAYOUT_ENUMERATOR)
#undef TH_LAYOUT_ENUMERATOR
      TH_NUM_LAYOUTS
} THLayout;

#endif
