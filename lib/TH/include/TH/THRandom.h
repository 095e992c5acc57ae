/* Random numbers, of two kinds of generators.
 *
 * Philox, unless asked otherwise: Philox 4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3",
 * SC 2011). Counter-based: element i of a fill depends on seed, offset and i only, so the same
 * numbers come out for any number of threads. The offset counts blocks of four 32-bit words; each
 * call advances it by the blocks it used.
 *
 * On the CPU MT19937 at request (Matsumoto and Nishimura, "Mersenne twister", 1998), which gives the numbers that PyTorch's
 * generators of the CPU give for the same seed: word after word, in one thread. Bit for bit but for functions of the C
 * library where PyTorch calls its own (logarithms and angles of double numbers): these are of the process's C library in
 * both, and so equal on one machine.
 *
 * Two threads may draw from one generator. */
#ifndef TH_RANDOM_H
#define TH_RANDOM_H

#include <TH/THTensor.h>

typedef struct THGenerator THGenerator;
typedef enum THRandomKind { TH_PHILOX, TH_MT19937 } THRandomKind;

TH_API THGenerator *THGenerator_new(void); /* of the CPU; seed 67280421310721, as torch.Generator's default */
TH_API THGenerator *THGenerator_newOn(THDevice device); /* for the numbers of another device */
TH_API void THGenerator_free(THGenerator *self);
TH_API THGenerator *THGenerator_default(void); /* the process's own; never freed */
TH_API THDevice THGenerator_device(const THGenerator *self);
/* What generators of the CPU become when they are made or seeded. At first what the environment variable TORCH_CPU_RNG
 * says (philox, mt19937), philox without it. To set another kind starts the default generator anew, from its seed. */
TH_API THRandomKind THGenerator_defaultKind(void);
TH_API void THGenerator_setDefaultKind(THRandomKind kind);
TH_API THRandomKind THGenerator_kind(const THGenerator *self);
TH_API void THGenerator_manualSeed(THGenerator *self, uint64_t seed);
TH_API uint64_t THGenerator_seed(THGenerator *self); /* from the system's entropy; returns it */
TH_API uint64_t THGenerator_initialSeed(const THGenerator *self);
TH_API uint64_t THGenerator_offset(const THGenerator *self);
TH_API void THGenerator_setOffset(THGenerator *self, uint64_t offset); /* seed and offset: all that Philox needs */
/* The whole state: of Philox seed and offset, 16 bytes; of MT19937 the 5056 bytes that PyTorch's get_rng_state() gives.
 * Returns its size, and writes it where `size` bytes have room for it. */
TH_API int64_t THGenerator_getState(const THGenerator *self, void *state, int64_t size);
/* Makes self a generator of the state's kind. */
TH_API void THGenerator_setState(THGenerator *self, const void *state, int64_t size);
/* Philox: moves the offset on by n and returns what it was, in one step: n blocks for the caller, whom no other thread gets. */
TH_API uint64_t THGenerator_reserve(THGenerator *self, uint64_t n);
TH_API uint64_t THGenerator_random(THGenerator *self); /* one 64-bit word */

TH_FUNCTION(uniform, floating, (THTensor *self, THGenerator *generator, double from, double to)) /* [from, to) */
TH_FUNCTION(normal, floating, (THTensor *self, THGenerator *generator, double mean, double std))
TH_FUNCTION(random, all,
            (THTensor *self, THGenerator *generator, int64_t from,
             int64_t to)) /* integers in [from, to), without bias */
TH_FUNCTION(randperm, number,
            (THTensor *r, THGenerator *generator, int64_t n)) /* 0 … n-1 in any order, all equally likely */

/* The same with the last number included, which may be the greatest of int64. */
TH_API void THLongTensor_randomUpTo(THTensor *self, THGenerator *generator, int64_t from, int64_t last);
/* [0, 2^31): the numbers of THIntTensor_random, but for MT19937, of which they take one word each instead of two. */
TH_API void THIntTensor_randomNonNegative(THTensor *self, THGenerator *generator);
TH_FUNCTION(cauchy, floating, (THTensor *self, THGenerator *generator, double median, double sigma))
TH_FUNCTION(exponential, floating, (THTensor *self, THGenerator *generator, double lambda)) /* mean 1 / lambda; > 0 */
TH_FUNCTION(logNormal, floating,
            (THTensor *self, THGenerator *generator, double mean, double std)) /* e^normal(mean, std) */
TH_FUNCTION(geometric, number, (THTensor *self, THGenerator *generator, double p)) /* 1, 2, …: trials to a success */
TH_FUNCTION(bernoulli, all, (THTensor *self, THGenerator *generator, double p)) /* 1 with probability p, else 0 */
TH_FUNCTION(poisson, floating, (THTensor *r, const THTensor *rate, THGenerator *generator))
/* Successes in `count` trials of probability `prob`, which have one shape. */
TH_API void THFloatTensor_binomial(THTensor *r, const THTensor *count, const THTensor *prob, THGenerator *generator);
TH_API void THDoubleTensor_binomial(THTensor *r, const THTensor *count, const THTensor *prob, THGenerator *generator);
/* Deviates of the gamma distribution of scale 1, one for each element of `shape`; the least is the dtype's smallest
 * normal number. Shapes below 0 give NaN. */
TH_FUNCTION(standardGamma, floating, (THTensor *r, const THTensor *shape, THGenerator *generator))
/* Of each row of concentrations a point whose coordinates add up to 1; none is below the dtype's smallest normal number. */
TH_FUNCTION(dirichlet, floating, (THTensor *r, const THTensor *concentration, THGenerator *generator))
/* r (int64): n categories for each row of weights (one or two dimensions), which need not add up to 1. Without
 * replacement those of weight 0 come last, in their order. */
TH_FUNCTION(multinomial, floating,
            (THTensor *r, const THTensor *weights, int64_t n, bool replacement, THGenerator *generator))

#endif
