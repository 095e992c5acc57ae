// Reductions: how the work of a plan is cut into blocks of threads. The kernels are in kit/reduce.cuh.
//
// Every element of the result is reduced from a sequence of inputs. `lanes` threads take its elements in turn, each joins what
// it took, and the block joins them in a tree. Long sequences of few results are cut into chunks, a block for each, whose
// states a second kernel joins. All of that follows from shapes and layout, so every run gives the same bits.
#pragma once

#include <cuda_runtime.h>
#include <TH/THTensorReduce.h>
#include <TH/prepare/reduce.h>
#include "kit/cuda.hpp"
#include "kit/tensor.hpp"

namespace thc {

constexpr int kReduceThreads = 256;

// What a kernel gets to know.
struct ReduceLaunch {
  const char *data = nullptr;
  char *out[2] = {nullptr, nullptr};
  void *states = nullptr;  // of chunks; NULL: there is one only
  int64_t outputs = 0, count = 0;
  int64_t chunk = 0, chunks = 1;  // elements of one; how many
  int32_t lanes = 1;  // threads of one output, a power of 2
  bool across = false;  // neighbouring threads have neighbouring outputs, not elements
  uint8_t dtype = 0, via = 0;  // of the input; through which it is converted
  uint8_t outDtype[2] = {0, 0};
  int16_t nReduced = 0, nKept = 0;
  THReduceDim dim[TH_MAX_DIM] = {};  // reduced ones first
};

class Reduction {
 public:
  // Gives the results their shapes. `via`: the dtype of the computation; `name`: see THReduceKind.
  Reduction(THDtype via, const char *name, bool ordered, THTensor *r, THTensor *second, const THTensor *t,
            uint64_t dims, bool keepdim);
  ~Reduction();
  Reduction(const Reduction &) = delete;

  bool runs() const { return runs_; }
  THDtype dtype() const { return THDtype(launch_.dtype); }
  THDtype via() const { return THDtype(launch_.via); }
  // Whether an element may be read as one number: not one that is complex and aligned as its parts are.
  bool isAligned() const;
  // Whether `width` neighbouring elements may be read at once.
  bool readsVectors(int width) const;
  // Cut for reads of `width` elements at a time; the number of blocks.
  ReduceLaunch &cut(int width);
  unsigned blocks() const;
  // The same for the second kernel, which joins the chunks' states.
  ReduceLaunch &cutChunks();
  void finish();  // comes last, in any case

  const int device;
  const DeviceGuard guard;
  const cudaStream_t stream;

 private:
  THTensor *const results_[2];
  th::Ref input_;
  THReducePlan plan_;
  ReduceLaunch launch_;
  bool runs_;
};

}  // namespace thc
