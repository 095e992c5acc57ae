// Sorting, and what is chosen from sorted rows: the greatest elements, order statistics, modes.
#include <THC/THCTensorOrder.h>
#include <TH/THPrepare.h>
#include "kit/define.cuh"
#include "kit/launch.cuh"
#include "kit/numbers.cuh"
#include "kit/operands.hpp"
#include "order/below.cuh"
#include "order/rowsort.hpp"
#include "order/select.hpp"

namespace thc {
namespace {

// values and indices = `taken` of each row, which `choose` brings: called with what `order` gives for the contiguous input.
template <class Order, class Choose>
void takeOrdered(const THRowsPlan &plan, const THTensor *t, const Order &order, const Choose &choose) {
  THTensor *const values = plan.result[0].tensor, *const indices = plan.result[1].tensor;
  const OnDevice on(values);
  const Ref input = contiguousAs(THDtype(t->dtype), t, values);
  const auto ordered = order(on, input);
  THResult_resize(plan.result, 2);
  if (!plan.result[0].tensor->numel) return;
  Target valueTarget(THDtype(t->dtype), values, input), indexTarget(TH_Long, indices);
  choose(on, ordered, [&](const Taken &taken) {
    takeFromRows(dataOf(valueTarget.tensor(), on), indexTarget.data<int64_t>(), input, plan.rows, taken, on.stream);
  });
  valueTarget.finish();
  indexTarget.finish();
}

template <class Choose>
void takeSorted(const THRowsPlan &plan, const THTensor *t, bool descending, const Choose &choose) {
  takeOrdered(
      plan, t,
      [&](const OnDevice &on, const THTensor *input) {
        return SortedRows(input, plan.rows, descending, on.stream, on.index);
      },
      choose);
}

void sort(THDtype dtype, THTensor *values, THTensor *indices, const THTensor *t, int dim, bool descending) {
  requireOneDevice({values, indices}, {t});
  THRowsPlan plan;
  THPrepare_sort(&plan, dtype, values, indices, t, dim);
  takeSorted(plan, t, descending, [&](auto &, const SortedRows &sorted, const auto &take) {
    take({sorted.positions(), plan.rows.length, plan.rows.length});
  });
}

void topk(THDtype dtype, THTensor *values, THTensor *indices, const THTensor *t, int64_t k, int dim, bool largest) {
  requireOneDevice({values, indices}, {t});
  THRowsPlan plan;
  THPrepare_topk(&plan, dtype, values, indices, t, k, dim);
  if (isSelected(plan.rows, plan.k))
    return takeOrdered(
        plan, t,
        [&](const OnDevice &on, const THTensor *input) {
          return SelectedRows(input, plan.rows, plan.k, largest, on.stream, on.index);
        },
        [&](auto &, const SelectedRows &selected, const auto &take) { take({selected.positions(), plan.k, plan.k}); });
  takeSorted(plan, t, largest, [&](auto &, const SortedRows &sorted, const auto &take) {
    take({sorted.positions(), plan.rows.length, plan.k});
  });
}

// ---- one element of each row ------------------------------------------------------------------------------
struct Statistic {
  uint32_t *chosen;
  const uint32_t *positions;
  int64_t count, length;
  uint64_t nan;  // its key, if there may be NaN, else 0
};

// The element of rank k, or the lower one in the middle.
template <class Key>
__global__ void __launch_bounds__(kBlock) rankKernel(Statistic s, const Key *keys, Median median, int64_t k) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t row = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; row < s.count; row += step) {
    const int64_t start = row * s.length;
    int64_t rank = k;
    if (median != Median::no) {
      const int64_t numbers = s.nan ? countBelow(keys + start, s.length, s.nan) : s.length;
      rank = medianRank(median, numbers, s.length);
    }
    s.chosen[row] = s.positions[start + rank];
  }
}

// The last element of the longest run of equal keys; of several the first. A NaN is a run of its own.
template <class Key>
__global__ void __launch_bounds__(kBlock) modeKernel(Statistic s, const Key *keys) {
  THC_SHARED(int64_t, length, kBlock);
  THC_SHARED(int64_t, end, kBlock);
  const int thread = int(threadIdx.x);
  for (int64_t row = blockIdx.x; row < s.count; row += gridDim.x) {
    const Key *const key = keys + row * s.length;
    int64_t most = 0, best = 0;
    for (int64_t i = thread; i < s.length; i += kBlock) {
      const bool isNan = s.nan && key[i] == s.nan;
      if (i + 1 < s.length && key[i + 1] == key[i] && !isNan) continue;
      const int64_t run = isNan ? 1 : i + 1 - countBelow(key, i, key[i]);
      if (run > most) most = run, best = i;
    }
    __syncthreads();
    length[thread] = most, end[thread] = best;
    for (int half = kBlock / 2; half; half /= 2) {
      __syncthreads();
      const int other = thread + half;
      if (thread < half &&
          (length[other] > length[thread] || (length[other] == length[thread] && end[other] < end[thread])))
        length[thread] = length[other], end[thread] = end[other];
    }
    if (!thread) s.chosen[row] = s.positions[row * s.length + end[0]];
  }
}

template <class Launch>
void chooseSorted(const THRowsPlan &plan, const THTensor *t, const Launch &run) {
  takeSorted(plan, t, false, [&](const OnDevice &on, const SortedRows &sorted, const auto &take) {
    const Workspace chosen(size_t(plan.rows.count) * sizeof(uint32_t), on.index);
    const Statistic statistic{chosen.as<uint32_t>(), sorted.positions(), plan.rows.count, plan.rows.length,
                              nanKey(THDtype(t->dtype))};
    if (const Keys keys = sorted.keys(); keys.wide)
      run(on.stream, statistic, keys.wide);
    else
      run(on.stream, statistic, keys.narrow);
    take({chosen.as<uint32_t>(), 1, 1});
  });
}

void choosePosition(const THRowsPlan &plan, const THTensor *t, Median median, int64_t k) {
  if (isSelected(plan.rows, 1))
    return takeOrdered(
        plan, t,
        [&](const OnDevice &on, const THTensor *input) {
          return ChosenRows(input, plan.rows, median, k, on.stream, on.index);
        },
        [](auto &, const ChosenRows &chosen, const auto &take) { take({chosen.positions(), 1, 1}); });
  chooseSorted(plan, t, [=](cudaStream_t stream, const Statistic &statistic, auto *keys) {
    launch(rankKernel<std::remove_pointer_t<decltype(keys)>>, blocksFor(statistic.count), kBlock, 0, stream, statistic,
           keys, median, k);
  });
}

void kthvalue(THDtype dtype, THTensor *values, THTensor *indices, const THTensor *t, int64_t k, int dim, bool keepdim) {
  requireOneDevice({values, indices}, {t});
  THRowsPlan plan;
  THPrepare_kthvalue(&plan, dtype, values, indices, t, k, dim, keepdim);
  choosePosition(plan, t, Median::no, k - 1);
}

void median(const char *name, Median which, THDtype dtype, THTensor *values, THTensor *indices, const THTensor *t,
            int dim, bool keepdim) {
  requireOneDevice({values, indices}, {t});
  THRowsPlan plan;
  THPrepare_orderStatistic(&plan, name, dtype, values, indices, t, dim, keepdim);
  choosePosition(plan, t, which, 0);
}

void mode(THDtype dtype, THTensor *values, THTensor *indices, const THTensor *t, int dim, bool keepdim) {
  requireOneDevice({values, indices}, {t});
  THRowsPlan plan;
  THPrepare_orderStatistic(&plan, "mode", dtype, values, indices, t, dim, keepdim);
  chooseSorted(plan, t, [](cudaStream_t stream, const Statistic &statistic, auto *keys) {
    launch(modeKernel<std::remove_pointer_t<decltype(keys)>>, blocksFor(statistic.count, 1), kBlock, 0, stream,
           statistic, keys);
  });
}

}  // namespace
}  // namespace thc

THC_DEFINE(sort, all, (THTensor *values, THTensor *indices, const THTensor *t, int dim, bool descending, bool),
           thc::sort(dtype, values, indices, t, dim, descending))
THC_DEFINE(topk, all, (THTensor *values, THTensor *indices, const THTensor *t, int64_t k, int dim, bool largest, bool),
           thc::topk(dtype, values, indices, t, k, dim, largest))

#define ALONG_DIM (THTensor *values, THTensor *indices, const THTensor *t, int dim, bool keepdim)
THC_DEFINE(kthvalue, number, (THTensor *values, THTensor *indices, const THTensor *t, int64_t k, int dim, bool keepdim),
           thc::kthvalue(dtype, values, indices, t, k, dim, keepdim))
THC_DEFINE(median, number, ALONG_DIM,
           thc::median("median", thc::Median::of_all, dtype, values, indices, t, dim, keepdim))
THC_DEFINE(nanmedian, number, ALONG_DIM,
           thc::median("nanmedian", thc::Median::of_numbers, dtype, values, indices, t, dim, keepdim))
THC_DEFINE(mode, all, ALONG_DIM, thc::mode(dtype, values, indices, t, dim, keepdim))
