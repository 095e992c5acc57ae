// What is said of bad elements, in every library that looks at them: formats of THError. Callers add the kind of error.
#pragma once

// index, dimension, size
#define TH_INDEX_OUTSIDE "index %lld is out of bounds for dimension %d with size %lld"
#define TH_ROW_OUTSIDE "index out of range in self"
#define TH_TARGET_OUTSIDE "Target %lld is out of bounds."
#define TH_NEGATIVE_COUNT "bincount only supports 1-d non-negative integral inputs."
#define TH_NEGATIVE_RATE "invalid Poisson rate, expected rate to be non-negative, got %g"
// the number, and where it stands
#define TH_BAD_PROBABILITY "probability tensor contains either `inf`, `nan` or element < 0: %g at %lld"
#define TH_NEGATIVE_WEIGHT "invalid multinomial distribution (encountering probability entry < 0): %g at %lld"
#define TH_WEIGHT_NOT_FINITE \
  "invalid multinomial distribution (encountering probability entry = infinity or NaN): %g at %lld"
#define TH_NO_WEIGHT "invalid multinomial distribution (sum of probabilities <= 0)"
