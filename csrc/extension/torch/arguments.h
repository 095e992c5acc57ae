// Checks of several tensors at once, with their names and places, and loops over threads.
#pragma once

#include <algorithm>
#include <concepts>
#include <exception>
#include <ranges>
#include <vector>

#include <torch/tensor.h>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace torch {

// ---- at::checkAllSameType("kernel", {{x, "x", 1}, {y, "y", 2}}) --------------------------------------
using CheckedFrom = const char *;
struct TensorArg {
  Tensor tensor;
  const char *name;
  int pos;
  TensorArg(Tensor tensor, const char *name, int pos) : tensor(std::move(tensor)), name(name), pos(pos) {}
  const Tensor &operator*() const { return tensor; }
  const Tensor *operator->() const { return &tensor; }
};

namespace detail {

// The first of them is what the others are to be like.
template <class Of>
void check_all_same(CheckedFrom who, const std::vector<TensorArg> &tensors, const char *what, Of of) {
  for (const TensorArg &other : tensors) {
    const TensorArg &first = tensors.front();
    TORCH_CHECK(of(other.tensor) == of(first.tensor), "Expected tensor for argument #", first.pos, " '", first.name,
                "' to have the same ", what, " as tensor for argument #", other.pos, " '", other.name, "'; but ",
                of(first.tensor), " does not equal ", of(other.tensor), " (while checking arguments for ", who, ")");
  }
}

}  // namespace detail

inline void checkAllSameType(CheckedFrom who, const std::vector<TensorArg> &tensors) {
  detail::check_all_same(who, tensors, "type", [](const Tensor &t) { return t.scalar_type(); });
}
inline void checkAllSameGPU(CheckedFrom who, const std::vector<TensorArg> &tensors) {
  detail::check_all_same(who, tensors, "device", [](const Tensor &t) { return t.device(); });
}
inline void checkSameType(CheckedFrom who, const TensorArg &a, const TensorArg &b) { checkAllSameType(who, {a, b}); }

// for (const auto i : c10::irange(n)), or from one number to another.
template <std::integral T>
auto irange(T end) {
  return std::views::iota(T(0), std::max(T(0), end));
}
template <std::integral First, std::integral Last>
auto irange(First begin, Last end) {
  return std::views::iota(Last(begin), std::max(Last(begin), end));
}

// ---- at::parallel_for(0, n, grain, [&](int64_t first, int64_t last) { … }) ---------------------------
// Shares the range out among OpenMP's threads, in parts of at least `grain`, where the file is compiled with -fopenmp;
// else it is one part. Gradients are recorded by no thread but the caller's.
template <class F>
void parallel_for(int64_t begin, int64_t end, int64_t grain, const F &body) {
  if (begin >= end) return;
#ifdef _OPENMP
  const int64_t parts = omp_in_parallel()
                            ? 1
                            : std::min<int64_t>(omp_get_max_threads(), (end - begin) / std::max<int64_t>(grain, 1));
  if (parts > 1) {
    std::exception_ptr error;
    const int64_t step = (end - begin + parts - 1) / parts;
#pragma omp parallel for num_threads(parts) schedule(static, 1)
    for (int64_t part = 0; part < parts; ++part) {
      try {
        const int64_t first = begin + part * step, last = std::min(end, first + step);
        if (first < last) body(first, last);
      } catch (...) {
#pragma omp critical(torch_parallel_for)
        error = std::current_exception();
      }
    }
    if (error) std::rethrow_exception(error);
    return;
  }
#endif
  body(begin, end);
}

}  // namespace torch
