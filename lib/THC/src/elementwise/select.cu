// Choosing elements by a mask. Elements only move, so the kernels go by width.
#include <THC/THCTensorMath.h>
#include <TH/THPrepare.h>
#include "kit/operands.hpp"
#include "kit/pointwise.cuh"
#include "kit/words.cuh"

namespace thc {
namespace {

// Operands of the walk: the result, the mask, and the two to choose from; an input without an address is a number.
template <class Word>
struct Choice {
  Word number[2] = {};
  uint8_t mask = 0;
};

// What would be written to itself stays untouched: it may overlap what another thread writes.
template <class Word>
__global__ void __launch_bounds__(kBlock) chooseKernel(Walk<4> walk, Choice<Word> choice) {
  constexpr uint32_t ahead = 4;  // elements of a thread that are under way at the same time
  const uint32_t step = gridDim.x * blockDim.x;
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < walk.count; i += ahead * step) {
    char *at[ahead][4];
    bool first[ahead];
#pragma unroll
    for (uint32_t j = 0; j < ahead; j++) {
      if (i + j * step >= walk.count) break;
      walk.addresses(i + j * step, at[j]);
      first[j] = walk.data[1] ? *reinterpret_cast<const uint8_t *>(at[j][1]) != 0 : choice.mask != 0;
    }
    Word word[ahead];
#pragma unroll
    for (uint32_t j = 0; j < ahead; j++) {
      if (i + j * step >= walk.count) break;
      char *const from = first[j] ? at[j][2] : at[j][3];
      word[j] = choice.number[first[j] ? 0 : 1];
      if (!(first[j] ? walk.data[2] : walk.data[3])) continue;
      if (from == at[j][0])
        at[j][0] = nullptr;
      else
        word[j] = *reinterpret_cast<const Word *>(from);
    }
#pragma unroll
    for (uint32_t j = 0; j < ahead; j++)
      if (i + j * step < walk.count && at[j][0]) *reinterpret_cast<Word *>(at[j][0]) = word[j];
  }
}

// Numbers as the result's dtype holds them.
struct Numbers {
  alignas(8) char element[2][th::kWidest] = {};
  uint8_t mask = 0;
};

template <class Word>
void choose(const THPointwisePlan &plan, char *const (&data)[4], const Numbers &numbers, cudaStream_t stream) {
  Choice<Word> choice;
  for (int k = 0; k < 2; k++) std::memcpy(&choice.number[k], numbers.element[k], sizeof(Word));
  choice.mask = numbers.mask;
  // An operand without an address is not looked at, wherever the walk leads.
  THPointwisePlan of = plan;
  for (int k = 0; k < 4; k++)
    for (int d = 0; !data[k] && d < of.ndim; d++) of.stride[d][k] = 0;
  forWalks<4>(of, data, [&](const Walk<4> &walk) {
    launch(chooseKernel<Word>, blocksFor(walk.count, 4 * kBlock), kBlock, 0, stream, walk, choice);
  });
}

void chooseElements(const THPointwisePlan &plan, THDtype dtype, char *const (&data)[4], const Numbers &numbers,
                    cudaStream_t stream) {
  withWord(th::elementSize(dtype), addressBits(data[0], data[2], data[3]),
           [&](auto word) { choose<decltype(word)>(plan, data, numbers, stream); });
}

// The element of an input on the CPU, in this dtype.
void readNumber(void *element, THDtype dtype, const THTensor *t) {
  const Ref number(THTensor_newWithSize(dtype, t->ndim, t->size));
  THTensor_copy(number, t);
  std::memcpy(element, THTensor_data(number), size_t(th::elementSize(dtype)));
}

bool isNumber(const THTensor *t, const OnDevice &on) {
  if (t->device != TH_CPU) return false;
  if (t->numel != 1) refuseDevice(t, on.index);
  return true;
}

void where(THTensor *r, const THTensor *condition, const THTensor *a, const THTensor *b) {
  requireOneDevice({r}, {condition, a, b});
  THPointwisePlan plan;
  const THTensor *operands[] = {r, condition, a, b};
  if (!THPrepare_pointwise(&plan, 4, operands, TH_RESULT_RESIZED)) return;
  const OnDevice on(r);
  const THDtype dtypes[] = {THDtype(r->dtype), TH_Bool, THDtype(r->dtype), THDtype(r->dtype)};
  Ref converted[4];
  Numbers numbers;
  char *data[4] = {};
  bool others = false;
  for (int k = 1; k < 4; k++) {
    if (isNumber(operands[k], on)) {
      readNumber(k == 1 ? static_cast<void *>(&numbers.mask) : numbers.element[k - 2], dtypes[k], operands[k]);
    } else if (operands[k]->dtype != dtypes[k]) {
      converted[k] = contiguousAs(dtypes[k], operands[k], r);
      operands[k] = converted[k];
      others = true;
    }
  }
  if (others) THPrepare_pointwise(&plan, 4, operands, TH_RESULT_RESIZED);
  for (int k = 0; k < 4; k++)
    if (!k || operands[k]->device != TH_CPU) data[k] = dataOf(operands[k], on);
  chooseElements(plan, dtypes[0], data, numbers, on.stream);
}

// self = mask ? value : self
void maskedFill(THTensor *self, const THTensor *mask, THScalar value) {
  requireOneDevice({self}, {mask});
  THPointwisePlan plan;
  Numbers numbers;
  if (!THPrepare_maskedFill(&plan, numbers.element[0], self, mask, value)) return;
  const OnDevice on(self);
  char *const own = dataOf(self, on);
  const bool number = isNumber(mask, on);
  if (number) readNumber(&numbers.mask, TH_Bool, mask);
  char *const data[] = {own, number ? nullptr : dataOf(mask, on), nullptr, own};
  for (int d = 0; d < plan.ndim; d++) plan.stride[d][3] = plan.stride[d][0];
  chooseElements(plan, THDtype(self->dtype), data, numbers, on.stream);
}

}  // namespace
}  // namespace thc

void THCTensor_where(THTensor *r, const THTensor *condition, const THTensor *a, const THTensor *b) {
  const thc::Operator named("where");
  thc::where(r, condition, a, b);
}
void THCTensor_maskedFill(THTensor *self, const THTensor *mask, THScalar value) {
  const thc::Operator named("masked_fill_");
  thc::maskedFill(self, mask, value);
}
