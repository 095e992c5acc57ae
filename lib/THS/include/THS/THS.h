/* THS: sparse tensors. Everything that TH.h says of errors, memory and threads holds here, too. */
#ifndef THS_H
#define THS_H

#include <THS/THSPrepare.h>
#include <THS/THSTensor.h>
#include <THS/THSTensorMath.h>

#endif
