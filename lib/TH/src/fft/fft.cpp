// Fourier transforms: lines of a tensor on their way to and from transforms of complex numbers.
#include "fft.hpp"
#include "kit/simd.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fft/fft.cpp"
#include <hwy/foreach_target.h>

#include <algorithm>
#include <cstring>

#include "fft-inl.hpp"
#include "lines-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {

using fft::Job;
using fft::Kind;

// Elements k and h - k of the transform of 2 h real numbers, from those of h pairs of them taken for complex numbers.
template <class E, class Root>
void joinReal(Complex<E> &low, Complex<E> &high, const Root &root) {
  const Complex<E> mirrored(high.r, -high.i), even = low + mirrored, odd = low - mirrored;
  const Complex<E> turned = Complex<E>(odd.i, -odd.r).template special_mul<true>(root);  // odd / i, turned
  low = even + turned;
  high.Set(even.r - turned.r, turned.i - even.i);
}
// The reverse, with the parts of the result exchanged.
template <class E, class Root>
void splitReal(Complex<E> &low, Complex<E> &high, const Root &root) {
  const Complex<E> mirrored(high.r, -high.i), even = low + mirrored, odd = (low - mirrored) * root;
  low.Set(even.i + odd.r, even.r - odd.i);
  high.Set(odd.r - even.i, even.r + odd.i);
}

// pair(z[k], z[h - k], roots[k]) for k = 1 … h / 2; of one line for several k at once.
template <class T, class E, class Pair>
void forPairs(Complex<E> *z, int64_t h, const Complex<T> *roots, const Pair &pair) {
  int64_t k = 1;
  if constexpr (std::is_same_v<T, E>) {
    constexpr int L = kLanes<T>;
    for (; 2 * (k + L) < h + 2; k += L) {
      T *const first = reinterpret_cast<T *>(z + k), *const last = reinterpret_cast<T *>(z + h - k - L + 1);
      Complex<Vector<T>> low = load(first, L), high = reverse<T>(load(last, L));
      pair(low, high, load(reinterpret_cast<const T *>(roots + k), L));
      save(first, low, L), save(last, reverse<T>(high), L);
    }
  }
  for (; 2 * k <= h; k++) {
    Complex<E> low = z[k], high = z[h - k];
    pair(low, high, roots[k]);
    z[h - k] = high, z[k] = low;
  }
}

template <class T, class E>
void afterReal(Complex<E> *z, int64_t h, const Complex<T> *roots) {
  const Complex<E> first = z[0];
  z[0].Set((first.r + first.i) * T(2), E{});
  z[h].Set((first.r - first.i) * T(2), E{});
  forPairs(z, h, roots, [](auto &low, auto &high, const auto &root) { joinReal(low, high, root); });
}
template <class T, class E>
void beforeReal(Complex<E> *z, int64_t h, const Complex<T> *roots) {
  const E first = z[0].r, last = z[h].r;
  z[0].Set(first - last, first + last);
  forPairs(z, h, roots, [](auto &low, auto &high, const auto &root) { splitReal(low, high, root); });
}

template <class T>
bool allFinite(const T *x, int64_t n) {
  T sum = 0;  // of zeros and NaN
  for (int64_t i = 0; i < n; i++) sum += x[i] - x[i];
  return sum == 0;
}
// Of all lanes.
template <class T, class E>
HWY_INLINE bool isFinite(const Complex<E> &z) {
  const E zeros = (z.r - z.r) + (z.i - z.i);  // or NaN
  T lanes[sizeof zeros / sizeof(T)], sum = 0;
  std::memcpy(lanes, &zeros, sizeof zeros);
  for (const T lane : lanes) sum += lane;
  return sum == 0;
}

template <class T, int L, class E>
HWY_NOINLINE void redoLines(const Job &job, const Group<T, L> &g, const Complex<E> &z,
                            std::vector<fft::Redone> &redone) {
  T parts[2][L];
  std::memcpy(parts, &z, sizeof z);
  for (int l = 0; l < g.used; l++)
    if (!allFinite(parts[0] + l, 1) || !allFinite(parts[1] + l, 1))
      redone.push_back(fft::redo(job, g.in[l], g.out[l], sizeof(T) == 8));
}
// Every number of a line is part of the sums z: those of lines with infinities or NaN are not finite. These lines are
// done in another way.
template <class T, int L, class E>
HWY_INLINE void redoNonfinite(const Job &job, const Group<T, L> &g, const Complex<E> &z,
                              std::vector<fft::Redone> &redone) {
  if (!job.plain && !HWY_LIKELY(isFinite<T>(z))) redoLines(job, g, z, redone);
}

// One line of numbers that follow each other, without a buffer where none is needed; false if this is no such line, or
// one with infinities or NaN.
template <class T>
bool transformLine(const Job &job, const Transform<T, T> &transform, const Complex<T> *roots, const Group<T, 1> &g,
                   Complex<T> *z) {
  const bool realIn = job.kind == Kind::R2C, realOut = job.kind == Kind::C2R;
  if (job.inStep != 2 - realIn || job.outStep != 2 - realOut || job.given < (realOut ? job.n / 2 + 1 : job.n))
    return false;
  const T *const in = static_cast<const T *>(job.in) + g.in[0];
  const T scale = T(job.scale);
  auto *const out = reinterpret_cast<Complex<T> *>(static_cast<T *>(job.out) + g.out[0]);
  // The result is written last, many places of it in turn: its lines come while the numbers are computed.
  constexpr int64_t line = 64, near = 16384;
  if (const int64_t size = job.n * int64_t(sizeof(T)) * (realOut || job.halved ? 1 : 2); size <= near)
    for (int64_t byte = 0; byte < size; byte += line) __builtin_prefetch(reinterpret_cast<char *>(out) + byte, 1);
  if (job.kind == Kind::C2C) {
    if (job.in == job.out && !job.plain && !allFinite(in, 2 * job.n)) return false;  // before it is written over
    transform.run(out, in, !job.forward, !job.forward, scale);
  } else if (!job.halved || job.forward == realOut) {
    return false;
  } else if (realIn) {
    if (!job.onesided) return false;
    transform.run(out, in, false, false, scale / 2);
    afterReal(out, job.length(), roots);
  } else {
    std::memcpy(static_cast<void *>(z), in, size_t(job.length() + 1) * sizeof *z);
    beforeReal(z, job.length(), roots);
    transform.run(out, reinterpret_cast<const T *>(z), false, true, scale);
  }
  return isFinite<T>(out[0]) || job.plain;  // every input is part of these sums
}

template <class T, class E, int L>
void transformGroup(const Job &job, const Transform<T, E> &transform, const Complex<T> *roots, const Group<T, L> &g,
                    Complex<E> *z, std::vector<fft::Redone> &redone) {
  if constexpr (std::is_same_v<T, E>)
    if (transformLine(job, transform, roots, g, z)) return;
  T *const buffer = reinterpret_cast<T *>(z);
  const int64_t n = job.n, half = n / 2, length = job.length();
  const bool even = job.halved;
  const T scale = T(job.scale);
  if (job.kind == Kind::C2C) {
    loadComplex<T, L>(job, g, buffer, n, n, !job.forward, false);
    transform.run(z, scale);
    redoNonfinite(job, g, z[0], redone);
    storeComplex<T, L>(job, g, buffer, 0, n, !job.forward, false);
  } else if (job.kind == Kind::R2C) {
    loadReal<T, L>(job, g, buffer, n, length, even);
    transform.run(z, even ? scale / 2 : scale);
    redoNonfinite(job, g, z[0], redone);
    if (even) afterReal(z, length, roots);
    storeComplex<T, L>(job, g, buffer, 0, half + 1, false, !job.forward);
    // Element n - k is the conjugate of element k.
    if (!job.onesided) storeComplex<T, L, true>(job, g, buffer, half + 1, n, false, job.forward);
  } else {
    loadComplex<T, L>(job, g, buffer, half + 1, std::max(length, half + 1), !even, job.forward);
    if (even) {
      beforeReal(z, length, roots);
    } else {
      z[0].r = E{};  // exchanged: the imaginary part of what must be real
      for (int64_t k = 1; k <= half; k++) z[n - k].Set(-z[k].r, z[k].i);
    }
    transform.run(z, scale);
    // Imaginary parts have no share in the first number, but in the second.
    redoNonfinite(job, g, length > 1 ? z[0] + z[1] : z[0], redone);
    storeReal<T, L>(job, g, buffer, n, even);
  }
}

template <class T, class E>
std::shared_ptr<const void> makePlan(int64_t length) {
  return std::make_shared<const Transform<T, E>>(size_t(length));
}

// exp(pi i k / h) for k up to h / 2.
template <class T>
std::shared_ptr<const void> makeRoots(int64_t h) {
  auto roots = std::make_shared<std::vector<Complex<T>>>(size_t(h / 2 + 1));
  const passes::sincos_2pibyn<T> all(size_t(2 * h));
  for (size_t k = 0; k < roots->size(); k++) (*roots)[k] = all[k];
  return {roots, roots->data()};
}

template <class T, class E>
void runGroups(const Job &job, const void *plan, const void *roots, int64_t begin, int64_t end) {
  constexpr int L = sizeof(E) / sizeof(T);
  Array<Complex<E>> buffer(size_t(std::max(job.length(), job.n / 2 + 1)));
  std::vector<fft::Redone> redone;
  for (int64_t i = begin; i < end; i++) {
    transformGroup<T, E, L>(job, *static_cast<const Transform<T, E> *>(plan), static_cast<const Complex<T> *>(roots),
                            findLines<T, L>(job, i * L), buffer.data(), redone);
    for (const fft::Redone &line : redone) fft::store(job, line, sizeof(T) == 8);
    redone.clear();
  }
}

template <class T>
constexpr fft::LoopTable kLoops = {{makePlan<T, T>, runGroups<T, T>, 1},
                                   {makePlan<T, Vector<T>>, runGroups<T, Vector<T>>, kLanes<T>},
                                   makeRoots<T>,
                                   {sizeof(T) == 4 ? 512 : 4096, sizeof(T) == 4 ? 1024 : 4096},
                                   [](int64_t length) { return Transform<T, T>::suitsOne(size_t(length)); }};

}  // namespace
constexpr fft::LoopTable floatLoops = kLoops<float>, doubleLoops = kLoops<double>;
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <list>

#include <TH/THPrepare.h>
#include <TH/THTensorFft.h>
#include "kit/parallel.hpp"
#include "kit/result.hpp"

namespace th {
namespace {

using fft::Job;
using fft::Kind;

// ---- memory -------------------------------------------------------------------------------------
constexpr size_t kHeader = 64;  // before each block: its size

struct Kept {
  static constexpr int kMost = 8;
  static constexpr size_t kBytes = size_t(32) << 20;
  char *blocks[kMost];
  int count = 0;
  size_t bytes = 0;

  static size_t size(const char *block) { return *reinterpret_cast<const size_t *>(block - kHeader); }
  char *take(int i) {
    char *const block = std::exchange(blocks[i], blocks[--count]);
    bytes -= size(block);
    return block;
  }
  // The place of the least block of at least `least` bytes, or -1.
  int find(size_t least) const {
    int best = -1;
    for (int i = 0; i < count; i++)
      if (size(blocks[i]) >= least && (best < 0 || size(blocks[i]) < size(blocks[best]))) best = i;
    return best;
  }
  ~Kept() {
    while (count) std::free(take(count - 1) - kHeader);
  }
};
thread_local Kept kept;

// ---- plans --------------------------------------------------------------------------------------
// The latest plans, by what makes them and length. Lengths add up to at most kRoom: what is longer is made anew.
class Plans {
 public:
  std::shared_ptr<const void> get(fft::Maker make, int64_t length) {
    {
      const std::lock_guard lock(mutex_);
      if (auto found = find(make, length)) return found;
    }
    auto plan = make(length);  // may take long
    const std::lock_guard lock(mutex_);
    if (length > kRoom || find(make, length)) return plan;
    entries_.push_front({make, length, plan});
    for (room_ += length; room_ > kRoom || entries_.size() > kEntries; entries_.pop_back())
      room_ -= entries_.back().length;
    return plan;
  }

 private:
  static constexpr int64_t kRoom = 1 << 21;
  static constexpr size_t kEntries = 32;
  struct Entry {
    fft::Maker make;
    int64_t length;
    std::shared_ptr<const void> plan;
  };
  std::shared_ptr<const void> find(fft::Maker make, int64_t length) {
    for (auto entry = entries_.begin(); entry != entries_.end(); ++entry)
      if (entry->length == length && entry->make == make) {
        entries_.splice(entries_.begin(), entries_, entry);
        return entry->plan;
      }
    return nullptr;
  }
  std::mutex mutex_;
  std::list<Entry> entries_;
  int64_t room_ = 0;
};

std::shared_ptr<const void> findPlan(fft::Maker make, int64_t length) {
  static Plans &plans = *new Plans;  // never destroyed: threads may outlive static objects
  return plans.get(make, length);
}

// Long lines are better alone, since side by side they need buffers of several times their size; so are shorter ones where
// too many lanes would be idle. One line more costs about as much as so many numbers (measured).
bool costsLessAlone(const Job &job, const fft::LoopTable &loops) {
  constexpr int64_t line = 128;
  const int64_t lines = job.lines, length = job.length(), lanes = loops.beside.lanes,
                groups = (lines + lanes - 1) / lanes;
  if (length % lanes || length < lanes * lanes) return false;
  return length >= loops.leastAlone[job.kind != Kind::C2C] || lines * (length + line) < groups * lanes * length;
}

}  // namespace

// ---- tensors ------------------------------------------------------------------------------------
void fft::transform(Kind kind, THTensor *r, const THTensor *t, int dim, int64_t n, bool forward, double scale,
                    bool onesided, THDtype real, bool plain) {
  Job job;
  job.plain = plain;
  job.kind = kind, job.forward = forward, job.onesided = onesided, job.scale = scale, job.n = n;
  const THDtype complex = real == TH_Float ? TH_ComplexFloat : TH_ComplexDouble;
  THResult result;
  THPrepare_fft(&result, kind == Kind::C2R ? real : complex, kind == Kind::R2C ? real : complex, r, t, dim, n,
                onesided);
  resizeResults(&result);
  if (!r->numel || !hasMemory(r)) return;
  const int64_t *const size = result.size;

  const int inParts = job.kind == Kind::R2C ? 1 : 2, outParts = job.kind == Kind::C2R ? 1 : 2;
  job.given = t->size[dim];
  job.inStep = TH_saturatedProduct(t->stride[dim], inParts), job.outStep = r->stride[dim] * outParts;
  job.in = dataOf(t), job.out = dataOf(r);
  int order[TH_MAX_DIM];
  const int64_t *strides[] = {t->stride, r->stride};
  strideOrder(t->ndim, size, 2, strides, order);
  for (int i = 0; i < t->ndim; i++) {
    const int d = order[i];
    if (d == dim || size[d] == 1) continue;
    job.size[job.ndim] = size[d];
    job.inStride[job.ndim] = TH_saturatedProduct(t->stride[d], inParts),
    job.outStride[job.ndim] = r->stride[d] * outParts;
    job.lines *= size[d], job.ndim++;
  }

  static const fft::LoopTable table[] = {TH_BEST_TARGET(floatLoops), TH_BEST_TARGET(doubleLoops)};
  const fft::LoopTable &loops = table[real == TH_Double];
  // One line for which half the length does not fit is better taken for complex numbers.
  job.halved = kind != Kind::C2C && n % 2 == 0 && !(job.lines == 1 && !loops.suitsOne(n / 2) && loops.suitsOne(n));
  const int64_t length = job.length();
  const bool asTheyAre = job.inStep == inParts && job.outStep == outParts, few = 2 * job.lines <= loops.beside.lanes;
  const bool alone = job.lines == 1 ? loops.suitsOne(length) : (asTheyAre || few) && costsLessAlone(job, loops);
  const fft::Loops &chosen = alone ? loops.single : loops.beside;
  const auto plan = findPlan(chosen.plan, length), roots = job.halved ? findPlan(loops.roots, length) : nullptr;
  const int64_t groups = (job.lines + chosen.lanes - 1) / chosen.lanes;
  parallelFor(groups, std::max<int64_t>(1, kGrain / 4 / (length * chosen.lanes)),
              [&](int64_t begin, int64_t end) { chosen.run(job, plan.get(), roots.get(), begin, end); });
}

}  // namespace th

void *th::fft::allocate(size_t size) {
  size = (size + 63) / 64 * 64;
  const int i = kept.find(size);
  if (i >= 0 && Kept::size(kept.blocks[i]) / 2 <= size) return kept.take(i);
  char *const memory = static_cast<char *>(std::aligned_alloc(64, size + kHeader));
  if (!memory) return nullptr;
  *reinterpret_cast<size_t *>(memory) = size;
  return memory + kHeader;
}

void th::fft::release(void *block) {
  if (!block) return;
  char *const mine = static_cast<char *>(block);
  const size_t size = Kept::size(mine);
  if (kept.count == Kept::kMost)
    if (const int least = kept.find(0); Kept::size(kept.blocks[least]) < size) std::free(kept.take(least) - kHeader);
  if (kept.count < Kept::kMost && kept.bytes + size <= Kept::kBytes) {
    kept.bytes += size;
    kept.blocks[kept.count++] = mine;
  } else {
    std::free(mine - kHeader);
  }
}

TH_DEFINE(fftC2C, complex, (THTensor *r, const THTensor *t, int dim, int64_t n, bool forward, double scale),
          th::fft::transform(th::Kind::C2C, r, t, dim, n, forward, scale, false, th::realDtype(dtype), false))
TH_DEFINE(fftR2C, complex,
          (THTensor *r, const THTensor *t, int dim, int64_t n, bool forward, double scale, bool onesided),
          th::fft::transform(th::Kind::R2C, r, t, dim, n, forward, scale, onesided, th::realDtype(dtype), false))
TH_DEFINE(fftC2R, complex, (THTensor *r, const THTensor *t, int dim, int64_t n, bool forward, double scale),
          th::fft::transform(th::Kind::C2R, r, t, dim, n, forward, scale, false, th::realDtype(dtype), false))
#endif
