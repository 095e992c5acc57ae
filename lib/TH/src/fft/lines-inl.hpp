// Lines of a tensor on their way to and from a buffer. Included once per target (simd.hpp).
//
// In the buffer, part p of element i of line l stands at (2 i + p) L + l: lines side by side, one in each lane of vectors.
// Where lines lie in memory as they are, L numbers of L lines are transposed; where lines lie beside each other in memory,
// too, vectors are copied. Both are moves: the numbers are those that one by one would give.
#if defined(TH_FFT_LINES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef HWY_TARGET_TOGGLE
#undef TH_FFT_LINES_INL
#else
#define TH_FFT_LINES_INL
#endif

#include "fft-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {

using fft::Job;
using fft::Kind;

template <class T, int L>
struct Group {
  int64_t in[L], out[L];
  int used;
  bool inBeside, outBeside;  // element i of these lines follow each other in memory
};

// Starts of the lines from number `first` on. Lanes without a line read the first one's and are not stored.
template <class T, int L>
Group<T, L> findLines(const Job &job, int64_t first) {
  Group<T, L> g;
  g.used = int(std::min<int64_t>(L, job.lines - first));
  int64_t index[64], in = 0, out = 0;
  for (int d = 0; d < job.ndim; d++) {
    index[d] = first % job.size[d], first /= job.size[d];
    in += index[d] * job.inStride[d], out += index[d] * job.outStride[d];
  }
  for (int l = 0; l < g.used; l++) {
    g.in[l] = in, g.out[l] = out;
    for (int d = 0; d < job.ndim; d++) {
      in += job.inStride[d], out += job.outStride[d];
      if (++index[d] < job.size[d]) break;
      in -= job.size[d] * job.inStride[d], out -= job.size[d] * job.outStride[d];
      index[d] = 0;
    }
  }
  for (int l = g.used; l < L; l++) g.in[l] = g.in[0], g.out[l] = g.out[0];
  const int inParts = job.kind == Kind::R2C ? 1 : 2, outParts = job.kind == Kind::C2R ? 1 : 2;
  g.inBeside = g.outBeside = L > 1 && g.used > 1;
  for (int l = 1; l < g.used; l++) {
    g.inBeside &= g.in[l] == g.in[0] + inParts * l;
    g.outBeside &= g.out[l] == g.out[0] + outParts * l;
  }
  return g;
}

// body(step), with a step that is a compile-time constant where one line lies in memory as it is.
template <int L, int contiguous, class Body>
void withStep(int64_t step, const Body &body) {
  if (L == 1 && step == contiguous)
    body(std::integral_constant<int64_t, contiguous>());
  else
    body(step);
}

// Numbers (not elements) `from` … `count` of lines that lie in memory as they are, number i + j to place(i, j) of the
// buffer, where i is a multiple of L; as far as whole vectors go. What is left is for the caller, from the number that is returned.
template <class T, int L, class Place>
HWY_INLINE int64_t loadAcross(const T *in, const int64_t (&lines)[L], int64_t count, const Place &place) {
  int64_t i = 0;
  if constexpr (L > 1)
    for (; i + L <= count; i += L) {
      Vector<T> x[L];
      for (int l = 0; l < L; l++) std::memcpy(&x[l], in + lines[l] + i, sizeof x[l]);
      transpose<T>(x);
      for (int j = 0; j < L; j++) std::memcpy(place(i, j), &x[j], sizeof x[j]);
    }
  return i;
}
// The reverse, of `used` lines: take(v, i, j) sets v to the vector of number i + j.
template <class T, int L, class Take>
HWY_INLINE int64_t storeAcross(T *out, const int64_t (&lines)[L], int used, int64_t count, const Take &take) {
  int64_t i = 0;
  if constexpr (L > 1)
    for (; i + L <= count; i += L) {
      Vector<T> x[L];
      for (int j = 0; j < L; j++) take(x[j], i, j);
      transpose<T>(x);
      for (int l = 0; l < used; l++) std::memcpy(out + lines[l] + i, &x[l], sizeof x[l]);
    }
  return i;
}

template <class T>
HWY_INLINE Vector<T> vectorAt(const T *p) {
  Vector<T> v;
  std::memcpy(&v, p, sizeof v);
  return v;
}
// memcpy of n numbers of a vector's, with a size that the compiler knows where it can be one.
template <class T>
HWY_INLINE void copyLanes(T *to, const T *from, int n) {
  if (n == kLanes<T>)
    std::memcpy(to, from, kLanes<T> * sizeof(T));
  else
    for (int l = 0; l < n; l++) to[l] = from[l];
}

// `count` complex numbers of each line, and zeros up to `length`; with `exchanged` the parts stand the other way
// round.
template <class T, int L>
void loadComplex(const Job &job, const Group<T, L> &g, T *buffer, int64_t count, int64_t length, bool exchanged,
                 bool conjugate) {
  const T *const in = static_cast<const T *>(job.in);
  count = std::min({count, job.given, length});
  T *const re = buffer + (exchanged ? L : 0), *const im = buffer + (exchanged ? 0 : L);
  if (g.inBeside) {
    for (int64_t i = 0; i < count; i++) {
      const Complex<Vector<T>> z = load(in + g.in[0] + i * job.inStep, g.used);
      std::memcpy(re + 2 * L * i, &z.r, L * sizeof(T));
      std::memcpy(im + 2 * L * i, &z.i, L * sizeof(T));
    }
  } else {
    int64_t done = 0;
    if (job.inStep == 2)
      done = loadAcross<T, L>(in, g.in, 2 * count,
                              [&](int64_t i, int j) { return buffer + L * (i + (j ^ int(exchanged))); }) /
             2;
    withStep<L, 2>(job.inStep, [&](auto step) {
      for (int64_t i = done; i < count; i++)
        for (int l = 0; l < L; l++) {
          const T *p = in + g.in[l] + i * step;
          re[2 * L * i + l] = p[0];
          im[2 * L * i + l] = p[1];
        }
    });
  }
  if (conjugate)
    for (int64_t i = 0; i < count; i++)
      for (int l = 0; l < L; l++) im[2 * L * i + l] = -im[2 * L * i + l];
  std::fill(buffer + 2 * L * count, buffer + 2 * L * length, T(0));
}

// Elements `first` … `last` of the results; `mirrored`: from elements n - i of the buffer.
template <class T, int L, bool mirrored = false>
void storeComplex(const Job &job, const Group<T, L> &g, const T *buffer, int64_t first, int64_t last, bool exchanged,
                  bool conjugate) {
  T *const out = static_cast<T *>(job.out);
  const auto number = [&](int64_t i, bool im) {
    return buffer + L * (2 * (mirrored ? job.n - i : i) + int64_t(im != exchanged));
  };
  const T sign = conjugate ? -1 : 1;
  int64_t done = first;
  if constexpr (L > 1) {
    if (g.outBeside) {
      for (int64_t i = first; i < last; i++)
        save<T>(out + g.out[0] + i * job.outStep, {vectorAt(number(i, false)), vectorAt(number(i, true)) * sign},
                g.used);
      return;
    }
    if (job.outStep == 2)
      done += storeAcross<T, L>(out + 2 * first, g.out, g.used, 2 * (last - first),
                                [&](Vector<T> &v, int64_t i, int j) {
                                  v = vectorAt(number(first + (i + j) / 2, j % 2));
                                  if (j % 2) v *= sign;
                                }) /
              2;
  }
  withStep<L, 2>(job.outStep, [&](auto step) {
    for (int64_t i = done; i < last; i++)
      for (int l = 0; l < (L == 1 ? 1 : g.used); l++) {
        T *p = out + g.out[l] + i * step;
        p[0] = number(i, false)[l];
        p[1] = sign * number(i, true)[l];
      }
  });
}

// Up to n real numbers of each line, and zeros; with `halved` two of them are one complex number.
template <class T, int L>
void loadReal(const Job &job, const Group<T, L> &g, T *buffer, int64_t n, int64_t length, bool halved) {
  const T *const in = static_cast<const T *>(job.in);
  const int64_t count = std::min(n, job.given), apart = halved ? L : 2 * L;
  std::fill(buffer + (halved ? apart * count : 0), buffer + 2 * L * length, T(0));
  int64_t done = 0;
  if (g.inBeside && g.used == L)
    for (; done < count; done++) copyLanes(buffer + apart * done, in + g.in[0] + done * job.inStep, L);
  else if (job.inStep == 1)
    done = loadAcross<T, L>(in, g.in, count, [&](int64_t i, int j) { return buffer + apart * (i + j); });
  withStep<L, 1>(job.inStep, [&](auto step) {
    for (int64_t i = done; i < count; i++)
      for (int l = 0; l < L; l++) buffer[apart * i + l] = in[g.in[l] + i * step];
  });
}

// n real numbers of each line, of whose complex numbers the parts are exchanged.
template <class T, int L>
void storeReal(const Job &job, const Group<T, L> &g, const T *buffer, int64_t n, bool halved) {
  T *const out = static_cast<T *>(job.out);
  const auto number = [&](int64_t i) { return buffer + L * (halved ? i ^ 1 : 2 * i + 1); };
  int64_t done = 0;
  if (g.outBeside)
    for (; done < n; done++) copyLanes(out + g.out[0] + done * job.outStep, number(done), g.used);
  else if (job.outStep == 1)
    done = storeAcross<T, L>(out, g.out, g.used, n,
                             [&](Vector<T> &v, int64_t i, int j) { v = vectorAt(number(i + j)); });
  withStep<L, 1>(job.outStep, [&](auto step) {
    for (int64_t i = done; i < n; i++)
      for (int l = 0; l < (L == 1 ? 1 : g.used); l++) out[g.out[l] + i * step] = number(i)[l];
  });
}

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
