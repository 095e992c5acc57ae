// What kernels are made of: exported names, checks, contiguous inputs and results, threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <omp.h>
#include <THNN/THNN.h>

namespace thnn {

template <THDtype> struct ElementOf;
template <> struct ElementOf<TH_Half> {
  using T = THHalf;
};
template <> struct ElementOf<TH_BFloat16> {
  using T = THBFloat16;
};
template <> struct ElementOf<TH_Float> {
  using T = float;
};
template <> struct ElementOf<TH_Double> {
  using T = double;
};
template <class T>
constexpr THDtype kDtype = std::is_same_v<T, THHalf>       ? TH_Half
                           : std::is_same_v<T, THBFloat16> ? TH_BFloat16
                           : std::is_same_v<T, float>      ? TH_Float
                                                           : TH_Double;

// The type in which arithmetic on T is done.
template <class T> using Compute = std::conditional_t<sizeof(T) == 2, float, T>;

// ---- threads: what is computed must not depend on where the range is cut -------------------------

constexpr int64_t kGrain = 32768;  // elements below which one thread is faster than waking others

// body(begin, end) for parts of [0, n) of about `grain` or more. body does not throw.
template <class Body>
void parallelFor(int64_t n, int64_t grain, const Body &body) {
  const int64_t parts = n / std::max<int64_t>(grain, 1);
  const int64_t threads = omp_in_parallel() ? 1 : std::min<int64_t>(TH_getNumThreads(), parts);
  if (threads <= 1) {
    if (n > 0) body(int64_t(0), n);
    return;
  }
#pragma omp parallel for num_threads(int(threads)) schedule(static, 1)
  for (int64_t i = 0; i < threads; i++) {
    // Cuts at multiples of 16: two threads do not write to one cache line.
    const auto cut = [&](int64_t part) { return part == threads ? n : n * part / threads / 16 * 16; };
    if (const int64_t begin = cut(i), end = cut(i + 1); begin < end) body(begin, end);
  }
}

// The sum of term(begin, end) over blocks of n numbers: blocks are added one after the other, in
// double, whatever thread computed them.
template <class Term>
double blockSum(int64_t n, const Term &term) {
  constexpr int64_t block = 4096, batch = 256;
  double total = 0, partial[batch];
  for (int64_t first = 0; first < n; first += block * batch) {
    const int64_t blocks = std::min(batch, (n - first + block - 1) / block);
    parallelFor(blocks, kGrain / block, [&](int64_t begin, int64_t end) {
      for (int64_t b = begin; b < end; b++) partial[b] = term(first + b * block, std::min(n, first + (b + 1) * block));
    });
    for (int64_t b = 0; b < blocks; b++) total += partial[b];
  }
  return total;
}

// ---- tensors ------------------------------------------------------------------------------------

inline THDtype dtypeOf(const THTensor *t) { return THDtype(t->dtype); }
template <class T>
T *elements(const THTensor *t) {
  return static_cast<T *>(THTensor_data(t));
}

bool sameShape(int ndim, const int64_t *size, const THTensor *t);
std::string shapeString(const THTensor *t);  // "[2, 3]"

void requireDtype(const THTensor *t, THDtype dtype, const char *what);
void requireSameShape(const THTensor *a, const char *nameOfA, const THTensor *b, const char *nameOfB);

// Contiguous elements of an input: its own or a copy's.
template <class T>
class Input {
 public:
  Input(const THTensor *t, const char *what) {
    requireDtype(t, kDtype<T>, what);
    t_ = THTensor_newContiguous(const_cast<THTensor *>(t));
  }
  ~Input() { THTensor_free(t_); }
  Input(const Input &) = delete;
  const T *data() const { return elements<const T>(t_); }
  const THTensor *tensor() const { return t_; }

 private:
  THTensor *t_;
};

// Contiguous memory for a result: its own, or where that is not possible (strides, an input that
// overlaps it) a temporary's, which finish() copies. To be made when all checks are done.
// An input that is exactly the result is fine for kernels that read each element before they write it.
class OutputBase {
 public:
  OutputBase(THTensor *r, int ndim, const int64_t *size, std::initializer_list<const THTensor *> inputs,
             bool inPlace = true);
  ~OutputBase() { THTensor_free(temporary_); }
  OutputBase(const OutputBase &) = delete;
  THTensor *tensor() const { return temporary_ ? temporary_ : r_; }
  void finish();

 private:
  THTensor *r_, *temporary_ = nullptr;
};

// Raises unless r can be the output of these types.
void checkOutput(const THTensor *r, THDtype dtype, const char *what, int ndim, const int64_t *size);

template <class T>
class Output : public OutputBase {
 public:
  using OutputBase::OutputBase;
  T *data() const { return elements<T>(tensor()); }
};

}  // namespace thnn

// Defines what THNN_FUNCTION declares; in the last argument, T is the element type:
//     THNN_DEFINE(Tanh_updateGradInput, floating, (THNNState *, …), thnn::tanhBackward<T>(…))
#define THNN_DEFINE(op, dtypes, args, ...) TH_FOR_##dtypes(THNN_DEFINE_, op, args, __VA_ARGS__)
#define THNN_DEFINE_(Name, op, args, ...)                              \
  void THNN_##Name##op args {                                          \
    using T [[maybe_unused]] = typename thnn::ElementOf<TH_##Name>::T; \
    __VA_ARGS__;                                                       \
  }
