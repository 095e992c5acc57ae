// Convolutions by oneDNN. Work is cut here, by shape alone, into slices of the batch and, where that is small, blocks of
// channels; a slice's operands stay in a core's cache while they go to oneDNN's formats and back. Each primitive is one
// thread's, so results are the same bits for any number of threads.
//
// Weights are reordered by each call: a kept copy could not see that somebody has written the weights through NumPy or
// another library that shares their memory.
#ifdef THNN_ONEDNN

#include <algorithm>
#include <string>
#include <THNN/OneDNN.h>

#include "kit/parallel.hpp"
#include "onednn.hpp"
#include "primitives.hpp"

namespace thnn::onednn {
namespace {

using th::parallelFor;

constexpr int64_t kLeast = 1 << 15;  // multiplications below which calling oneDNN costs more than it gains
constexpr int64_t kSlice = 1 << 22;  // multiplications that are worth a slice of their own
constexpr int64_t kCache = 1 << 19;  // bytes of a slice's operands: half of what a core's cache holds, or less
constexpr int64_t kMany = 1 << 19, kFew = 2;  // weights that a core's cache does not hold, and slices then
constexpr int64_t kParts = 8;  // how many threads should find work
constexpr int64_t kSums = 1 << 25;  // bytes of partial sums, at most
constexpr int64_t kChannels = 8;  // input channels below which oneDNN's gradients are slower than ours
constexpr int64_t kWeights = 1 << 20;  // weights that are many
// Positions in all images below which reordering the weights costs too much, and that where these are many.
constexpr int64_t kFewPositions = 8, kMinPositions = 64;
constexpr int64_t kReuse = 128;  // multiplications per element that is reordered again for each block of channels

int64_t product(const int64_t (&size)[3]) { return size[0] * size[1] * size[2]; }

int64_t divided(int64_t n, int64_t by) { return (n + by - 1) / by; }

size_t aligned(size_t bytes) { return (bytes + 63) / 64 * 64; }

// Into how many equal blocks, at most `most`, n channels may be cut: of 16 each, as many as a vector has elements.
int64_t blocksOf(int64_t n, int64_t most) {
  for (int64_t blocks = most; blocks > 1; blocks--)
    if (n % (16 * blocks) == 0) return blocks;
  return 1;
}

// Elements of an image that every block of channels reads.
int64_t others(const THNNConvolutionPlan &plan, Pass pass) {
  return pass == Pass::GradInput ? plan.out * product(plan.output) : plan.in * product(plan.input);
}

// Where our own kernels are at least as fast. A product of matrices copies nothing for a kernel of one element, while
// oneDNN's operands have to be reordered; so have weights, with little to gain where each is met a few times only.
bool prefersNative(const THNNConvolutionPlan &plan, Pass pass) {
  const int64_t positions = product(plan.output), weights = plan.in * plan.out, all = plan.batch * positions;
  const bool steps = product(plan.stride) > 1 || plan.padding[0] || plan.padding[1] || plan.padding[2];
  const bool one = product(plan.kernel) == 1;
  if (plan.groups > 1) {
    if (!one) return false;
    return steps ? pass == Pass::GradInput && weights > 1 : weights * positions >= 256;
  }
  if (pass == Pass::GradInput && (plan.in < kChannels || (one && steps))) return true;
  if (one && steps && pass == Pass::Output && plan.batch == 1) return true;
  // Of up to three, as images have, it has kernels of their own.
  if (pass == Pass::GradWeight && plan.in > 3 && plan.in < kChannels) return true;
  if (one && !steps) {
    // Products of many terms are slow for so few results.
    if (pass == Pass::GradWeight && positions >= 16 && positions <= 1024 && std::min(plan.in, plan.out) <= 16)
      return true;
    // Products of few positions are slow, and there is one for each image.
    const bool few = positions <= 64 && all >= kMinPositions && std::min(plan.in, plan.out) >= kChannels &&
                     4 * weights * all >= kSlice;
    if (pass != Pass::GradWeight && !few) return true;
  }
  return all < (weights * product(plan.kernel) < kWeights ? kFewPositions : kMinPositions);
}

// Whether so many multiplications are worth calling oneDNN.
bool isWorth(const THNNConvolutionPlan &plan, int64_t work) { return work >= kLeast || arePlanes(plan); }

// Where oneDNN has to do nothing with the operands, less is lost by calling it.
bool prefersNative(const THNNConvolutionPlan &plan, Pass pass, Layout layout) {
  return !layout.imagesLast && prefersNative(plan, pass);
}

struct Operands {
  const float *x, *w, *bias, *y;
};

// One pass of a convolution, cut into units.
class Task {
 public:
  Task(const THNNConvolutionPlan &plan, Pass pass, bool bias, Layout layout)
      : plan_(plan), pass_(pass), layout_(layout), bias_(bias) {
    const int64_t taps = product(plan.kernel), positions = product(plan.output), input = product(plan.input);
    const int64_t image = plan.groups * plan.in * plan.out * taps * positions;
    const int64_t bytes = 4 * plan.groups * (plan.in * input + plan.out * positions);
    work_ = plan.batch * image;
    if (!isWorth(plan, work_)) return;
    // What is reordered should stay in a cache meanwhile.
    int64_t slices = std::max(layout.imagesLast ? 1 : divided(plan.batch * bytes, kCache),
                              std::min(kParts, work_ / kSlice));
    // Each slice reads all weights.
    if (pass != Pass::GradWeight && 4 * plan.groups * plan.in * plan.out * taps > kMany)
      slices = std::min(slices, kFew);
    // Adding up gradients for the weights costs as much as some multiplications each.
    if (pass == Pass::GradWeight) slices = std::min(slices, plan.batch * positions / 512);
    slices = std::clamp<int64_t>(slices, 1, plan.batch);
    images_ = divided(plan.batch, slices);
    slices_ = divided(plan.batch, images_);
    // Some of the channels of a pixel are read as slowly as all of them.
    const int64_t more = layout.imagesLast && slices_ > 1 ? 1 : std::min(kParts / slices_, work_ / kSlice);
    // Every block of channels, but not of groups, reads all of the operand on the other side.
    const int64_t reuse = plan.groups > 1 ? kReuse * more : work_ / (plan.batch * others(plan, pass));
    blocks_ = blocksOf(plan.groups > 1           ? plan.groups
                       : pass == Pass::GradInput ? plan.in
                                                 : plan.out,
                       std::min(more, reuse / kReuse));
  }

  // Finds the primitives; false: there is none that is faster than our own kernel.
  bool prepare() {
    if (!isWorth(plan_, work_) || prefersNative(plan_, pass_, layout_)) return false;
    whole_ = primitiveFor(shape(images_));
    if (!whole_->fast) return false;
    const int64_t rest = plan_.batch - (slices_ - 1) * images_;
    last_ = rest == images_ ? whole_ : primitiveFor(shape(rest));
    return last_->fast;
  }

  int64_t slices() const { return slices_; }
  int64_t blocks() const { return blocks_; }
  const Primitive &of(int64_t slice) const { return slice + 1 == slices_ ? *last_ : *whole_; }
  const Primitive &whole() const { return *whole_; }
  const Primitive &last() const { return *last_; }

  // What a unit has of the tensors.
  Operands unit(const Operands &all, int64_t slice, int64_t block) const {
    const int64_t from = slice * images_, taps = product(plan_.kernel);
    const int64_t x = product(plan_.input), y = product(plan_.output);
    const int64_t group = groups() * block * (plan_.groups > 1);
    const int64_t in = plan_.groups > 1 || pass_ != Pass::GradInput ? 0 : ins() * block;
    const int64_t out = plan_.groups > 1 || pass_ == Pass::GradInput ? 0 : outs() * block;
    const auto channels = [this](int64_t channel, int64_t positions) {
      return layout_.imagesLast ? channel : channel * positions;
    };
    return {all.x + from * plan_.groups * plan_.in * x + channels(group * plan_.in + in, x),
            all.w + (group * plan_.out + out) * plan_.in * taps + (layout_.weightsLast ? in : in * taps),
            all.bias ? all.bias + group * plan_.out + out : nullptr,
            all.y + from * plan_.groups * plan_.out * y + channels(group * plan_.out + out, y)};
  }

  // Weights of one block.
  int64_t weights() const { return groups() * outs() * ins() * product(plan_.kernel); }

 private:
  int64_t groups() const { return plan_.groups > 1 ? plan_.groups / blocks_ : 1; }
  int64_t ins() const { return plan_.groups == 1 && pass_ == Pass::GradInput ? plan_.in / blocks_ : plan_.in; }
  int64_t outs() const { return plan_.groups == 1 && pass_ != Pass::GradInput ? plan_.out / blocks_ : plan_.out; }

  Shape shape(int64_t images) const {
    Shape s{pass_, bias_, images, groups(), ins(), outs(), {}, {}, {}, {}, {}, {}, 0, 0, 0, 0, 0, 0};
    for (int d = 0; d < 3; d++) {
      s.input[d] = plan_.input[d], s.kernel[d] = plan_.kernel[d], s.output[d] = plan_.output[d];
      s.stride[d] = plan_.stride[d], s.padding[d] = plan_.padding[d], s.dilation[d] = plan_.dilation[d];
    }
    s.xImage = plan_.groups * plan_.in * product(plan_.input);
    s.yImage = plan_.groups * plan_.out * product(plan_.output);
    s.wOut = plan_.in * product(plan_.kernel);
    if (layout_.imagesLast) s.xPixel = plan_.groups * plan_.in, s.yPixel = plan_.groups * plan_.out;
    s.wLast = layout_.weightsLast;
    return s;
  }

  const THNNConvolutionPlan &plan_;
  Pass pass_;
  Layout layout_;
  int64_t bias_, work_, images_ = 1, slices_ = 1, blocks_ = 1;
  std::shared_ptr<const Primitive> whole_, last_;
};

// Memory for a unit: its operands as the primitive wants them, and what that needs besides.
class Workspace {
 public:
  explicit Workspace(const Task &task, size_t more = 0)
      : x_(most(task, &Primitive::x)), y_(most(task, &Primitive::y)),
        scratch_(aligned(std::max(task.whole().scratch.get_size(), task.last().scratch.get_size()))),
        buffer_(x_ + y_ + scratch_ + more) {}
  char *x() const { return buffer_.data(); }
  char *y() const { return x() + x_; }
  char *scratch() const { return y() + y_; }
  char *more() const { return scratch() + scratch_; }

 private:
  static size_t most(const Task &task, Operand Primitive::*operand) {
    return aligned(std::max((task.whole().*operand).bytes(), (task.last().*operand).bytes()));
  }
  size_t x_, y_, scratch_;
  Buffer buffer_;
};

// The operand as it is wanted: itself, or reordered to `room`.
const void *asWanted(const Operand &o, const float *plain, char *room, const Primitive &p, char *scratch) {
  if (!o.reordered()) return plain;
  toWanted(o, plain, room, p, scratch);
  return room;
}

// Output or GradInput: `from` is what is read besides the weights, `to` what is written.
bool apply(const Task &task, Pass pass, const Operands &all, Operand Primitive::*from, const float *Operands::*read,
           Operand Primitive::*to, const float *Operands::*written) {
  // The weights of all blocks, for the last slice, too, which may want them otherwise.
  const bool two = task.slices() > 1 && task.last().w.wanted != task.whole().w.wanted;
  const size_t first = aligned(task.whole().w.bytes()), second = two ? aligned(task.last().w.bytes()) : 0;
  const Buffer weights(size_t(task.blocks()) * (first + second));
  {
    const Workspace space(task);
    for (int64_t block = 0; block < task.blocks(); block++) {
      const float *const w = task.unit(all, 0, block).w;
      char *const room = weights.data() + size_t(block) * (first + second);
      asWanted(task.whole().w, w, room, task.whole(), space.scratch());
      if (two) asWanted(task.last().w, w, room + first, task.last(), space.scratch());
    }
  }
  parallelFor(task.slices() * task.blocks(), 1, [&](int64_t begin, int64_t end) {
    const OneThread guard;
    const Workspace space(task);
    for (int64_t i = begin; i < end; i++) {
      const int64_t slice = i / task.blocks(), block = i % task.blocks();
      const Primitive &p = task.of(slice);
      const Operands unit = task.unit(all, slice, block);
      const Operand &result = p.*to;
      char *const room = weights.data() + size_t(block) * (first + second) + (two && &p == &task.last() ? first : 0);
      const bool isOutput = pass == Pass::Output;
      const void *const source = asWanted(p.*from, unit.*read, isOutput ? space.x() : space.y(), p, space.scratch());
      float *const plain = const_cast<float *>(unit.*written);
      void *const target = result.reordered() ? isOutput ? space.y() : space.x() : static_cast<void *>(plain);
      const void *const w = p.w.reordered() ? room : static_cast<const void *>(unit.w);
      run(p, pass, isOutput ? source : target, w, unit.bias, isOutput ? target : source, space.scratch());
      if (result.reordered()) toPlain(result, target, plain, p, space.scratch());
    }
  });
  return true;
}

}  // namespace

bool forward(const THNNConvolutionPlan &plan, const float *x, const float *w, const float *bias, float *y,
             Layout layout) {
  if (!THNNOneDNN_isEnabled()) return false;
  const OneThread guard;
  Task task(plan, Pass::Output, bias, layout);
  return task.prepare() &&
         apply(task, Pass::Output, {x, w, bias, y}, &Primitive::x, &Operands::x, &Primitive::y, &Operands::y);
}

bool backwardInput(const THNNConvolutionPlan &plan, const float *gy, const float *w, float *gx, Layout layout) {
  if (!THNNOneDNN_isEnabled()) return false;
  const OneThread guard;
  Task task(plan, Pass::GradInput, false, layout);
  return task.prepare() &&
         apply(task, Pass::GradInput, {gx, w, nullptr, gy}, &Primitive::y, &Operands::y, &Primitive::x, &Operands::x);
}

bool backwardWeight(const THNNConvolutionPlan &plan, const float *x, const float *gy, float *gw, Layout layout) {
  if (!THNNOneDNN_isEnabled()) return false;
  const OneThread guard;
  Task task(plan, Pass::GradWeight, false, layout);
  if (!task.prepare()) return false;
  const Operands all{x, gw, nullptr, gy};
  // The slices are shared out; each share has a sum of its own, the first one's is the result.
  const int64_t weights = task.weights(), total = weights * task.blocks();
  const int64_t shares = std::clamp<int64_t>(std::min(kParts / task.blocks(), 1 + kSums / (4 * total)), 1,
                                             task.slices());
  const Buffer sums(size_t((shares - 1) * total) * sizeof(float));
  float *const others = reinterpret_cast<float *>(sums.data());
  parallelFor(shares * task.blocks(), 1, [&](int64_t begin, int64_t end) {
    const OneThread guard;
    const size_t ofWeights = aligned(std::max(task.whole().w.bytes(), task.last().w.bytes()));
    const bool adds = shares < task.slices();
    const Workspace space(task, ofWeights + (adds ? size_t(weights) * sizeof(float) : 0));
    float *const term = reinterpret_cast<float *>(space.more() + ofWeights);
    for (int64_t i = begin; i < end; i++) {
      const int64_t share = i / task.blocks(), block = i % task.blocks();
      float *const sum = share ? others + (share - 1) * total + block * weights : gw + block * weights;
      const int64_t first = task.slices() * share / shares, last = task.slices() * (share + 1) / shares;
      for (int64_t slice = first; slice < last; slice++) {
        const Primitive &p = task.of(slice);
        const Operands unit = task.unit(all, slice, block);
        const void *const input = asWanted(p.x, unit.x, space.x(), p, space.scratch());
        const void *const gradient = asWanted(p.y, unit.y, space.y(), p, space.scratch());
        float *const plain = slice > first ? term : sum;
        void *const target = p.w.reordered() ? space.more() : static_cast<void *>(plain);
        run(p, Pass::GradWeight, input, target, nullptr, gradient, space.scratch());
        if (p.w.reordered()) toPlain(p.w, target, plain, p, space.scratch());
        if (slice > first)
          for (int64_t j = 0; j < weights; j++) sum[j] += term[j];
      }
    }
  });
  if (shares == 1) return true;
  parallelFor(total, th::kGrain, [&](int64_t begin, int64_t end) {
    for (int64_t share = 1; share < shares; share++)
      for (int64_t j = begin; j < end; j++) gw[j] += others[(share - 1) * total + j];
  });
  return true;
}

}  // namespace thnn::onednn

const char *THNNOneDNN_version(void) {
  static const std::string version = [] {
    const dnnl_version_t *const v = dnnl_version();
    return std::to_string(v->major) + "." + std::to_string(v->minor) + "." + std::to_string(v->patch);
  }();
  return version.c_str();
}
bool THNNOneDNN_setVerbose(int level) { return dnnl_set_verbose(level) == dnnl_success; }
int64_t THNNOneDNN_cached(void) { return thnn::onednn::cached(); }
int64_t THNNOneDNN_capacity(void) { return thnn::onednn::capacity(); }

#endif
