/* Storages that are made while nothing is recorded, and never will be: torch.inference_mode(). */
#ifndef TH_INFERENCE_H
#define TH_INFERENCE_H

#include <TH/THStorage.h>

/* While it is on, the calling thread's new storages are marked: THStorage.inference. What the mark means is for those above
 * TH: nobody asks for the version of what lies there, and operators write it in inference mode only. */
TH_API void TH_setInferenceMode(bool on);
TH_API bool TH_inferenceMode(void);

#endif
