/* Random numbers: Philox 4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3",
 * SC 2011). Counter-based: element i of a fill depends on seed, offset and i only, so the same
 * numbers come out for any number of threads. The offset counts blocks of four 32-bit words; each
 * call advances it by the blocks it used. Two threads may draw from one generator. */
#ifndef TH_RANDOM_H
#define TH_RANDOM_H

#include <TH/THTensor.h>

typedef struct THGenerator THGenerator;

TH_API THGenerator *THGenerator_new(void); /* seed 67280421310721, as torch.Generator's default */
TH_API void THGenerator_free(THGenerator *self);
TH_API THGenerator *THGenerator_default(void); /* the process's own; never freed */
TH_API void THGenerator_manualSeed(THGenerator *self, uint64_t seed);
TH_API uint64_t THGenerator_seed(THGenerator *self); /* from the system's entropy; returns it */
TH_API uint64_t THGenerator_initialSeed(const THGenerator *self);
TH_API uint64_t THGenerator_offset(const THGenerator *self);
TH_API void THGenerator_setOffset(THGenerator *self, uint64_t offset); /* seed and offset are the whole state */
TH_API uint64_t THGenerator_random(THGenerator *self); /* one 64-bit word */

TH_FUNCTION(uniform, floating, (THTensor *self, THGenerator *generator, double from, double to)) /* [from, to) */
TH_FUNCTION(normal, floating, (THTensor *self, THGenerator *generator, double mean, double std))
TH_FUNCTION(random, all,
            (THTensor *self, THGenerator *generator, int64_t from,
             int64_t to)) /* integers in [from, to), without bias */
TH_FUNCTION(randperm, number,
            (THTensor *r, THGenerator *generator, int64_t n)) /* 0 … n-1 in any order, all equally likely */

#endif
