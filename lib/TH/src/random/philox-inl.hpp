// The rounds of Philox 4x32-10: counters and a key become random words by multiplication and exclusive or. Included once
// in a namespace for plain numbers (of the host and of kernels), and once in that of each SIMD target, whose vectors are
// many numbers at once.
//
// `Word` holds 64 bits, or lanes of as many. A word of the counter is the lower half; what stands in the upper half is
// ignored, before and after. c[word][k] are n counters side by side, so that none waits for the products of another.
template <class Arithmetic, int n, class Word = typename Arithmetic::Word>
constexpr __attribute__((always_inline)) void philoxRounds(Word (&c)[4][n], uint64_t key) {
  uint32_t k0 = uint32_t(key), k1 = uint32_t(key >> 32);
  for (int round = 0; round < 10; round++, k0 += 0x9E3779B9u, k1 += 0xBB67AE85u) {
    const Word key0 = Arithmetic::of(k0), key1 = Arithmetic::of(k1);
    for (int k = 0; k < n; k++) {
      const Word p0 = Arithmetic::product(c[0][k], 0xD2511F53u), p1 = Arithmetic::product(c[2][k], 0xCD9E8D57u);
      c[0][k] = Arithmetic::either(Arithmetic::either(Arithmetic::upper(p1), c[1][k]), key0);
      c[1][k] = p1;
      c[2][k] = Arithmetic::either(Arithmetic::either(Arithmetic::upper(p0), c[3][k]), key1);
      c[3][k] = p0;
    }
  }
}
