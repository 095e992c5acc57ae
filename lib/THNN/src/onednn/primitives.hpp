// oneDNN's primitives for convolutions and products: made once per shape, kept in a bounded cache, run by one thread each.
#pragma once

#include <array>
#include <memory>
#include <oneapi/dnnl/dnnl.hpp>
#include <TH/TH.h>

namespace thnn::onednn {

// The calling thread uses no others. What oneDNN makes and runs meanwhile does not depend on how many there are, which
// decides how it would split sums otherwise.
class OneThread {
 public:
  OneThread();
  ~OneThread();
  OneThread(const OneThread &) = delete;

 private:
  int before_;
};

enum class Pass : int64_t { Output, GradInput, GradWeight };

// One primitive: a convolution of some images, by some of the channels. All that oneDNN has to know of it.
struct Shape {
  Pass pass;
  int64_t bias;  // whether there is one
  int64_t images, groups, in, out;  // channels of one group
  int64_t input[3], kernel[3], output[3], stride[3], padding[3], dilation[3];
  int64_t xImage, yImage, wOut;  // elements from one image to the next, and from one output channel's weights
  int64_t xPixel, yPixel;  // where channels are innermost: elements from one position to the next; else 0
  int64_t wLast;  // whether the weights' input channels are innermost
};

// Products in half or bfloat16: c (m x n) = op(a) op(b), scaled or not, and added to c or not. a, b and c are the
// primitive's x, w and y.
struct ProductShape {
  int64_t isHalf, transa, transb, batch, m, n, k, lda, ldb, ldc, aStep, bStep, cStep, scaled, add;
};

// A tensor as it lies in memory, and as the primitive wants it. Those that differ are reordered.
struct Operand {
  dnnl::memory::desc plain, wanted;
  dnnl::reorder reorder;  // to what is wanted, or of a result from it; empty where both are the same
  bool reordered() const { return bool(reorder); }
  size_t bytes() const { return reordered() ? wanted.get_size() : 0; }
};

struct Primitive {
  bool fast;  // false: oneDNN has nothing but its reference for this shape; the rest is empty
  dnnl::primitive run;
  Operand x, y, w;
  dnnl::memory::desc bias, scratch;  // the latter is enough for the reorders, too
};

// The primitive for this shape, made if it is not kept. Needs OneThread.
std::shared_ptr<const Primitive> primitiveFor(const Shape &shape);
std::shared_ptr<const Primitive> primitiveFor(const ProductShape &shape);

const dnnl::engine &processor();

// How many are kept, and how many at most.
int64_t cached();
int64_t capacity();

// Uninitialised memory, aligned as oneDNN likes it.
class Buffer {
 public:
  explicit Buffer(size_t bytes) : bytes_(bytes), data_(bytes ? TH_alloc(bytes) : nullptr) {}
  ~Buffer() {
    if (data_) TH_free(data_, bytes_);
  }
  Buffer(const Buffer &) = delete;
  char *data() const { return static_cast<char *>(data_); }

 private:
  size_t bytes_;
  void *data_;
};

// Runs p.reorder of `from` to `to`.
void reorder(const Operand &operand, const dnnl::memory::desc &fromDesc, const void *from,
             const dnnl::memory::desc &toDesc, void *to, const Primitive &p, void *scratch);
inline void toWanted(const Operand &o, const float *plain, void *wanted, const Primitive &p, void *scratch) {
  reorder(o, o.plain, plain, o.wanted, wanted, p, scratch);
}
inline void toPlain(const Operand &o, const void *wanted, float *plain, const Primitive &p, void *scratch) {
  reorder(o, o.wanted, wanted, o.plain, plain, p, scratch);
}

// Runs the primitive on operands as it wants them.
void run(const Primitive &p, Pass pass, const void *x, const void *w, const float *bias, const void *y, void *scratch);

// Runs a product's. alpha and beta are read where it is scaled.
void runProduct(const Primitive &p, const void *a, const void *b, void *c, bool isScaled, float alpha, float beta,
                void *scratch);

}  // namespace thnn::onednn
