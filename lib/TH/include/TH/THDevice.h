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

/* How a tensor's elements are kept: with one stride per dimension. */
typedef enum THLayout {
  TH_STRIDED,
  TH_NUM_LAYOUTS = 16 /* the others are those of backends */
} THLayout;

#endif
