// Convolutions of few channels. As a product of matrices they are narrow, and writing the columns takes longer than the
// product; oneDNN's vectors are 8 or 16 channels, most of which are not there. Here vectors are positions along a line, and
// a tile of sums (some channels by some vectors) stays in registers. What an element of the kernel meets is read from a
// copy of the image with zeros around it, where it lies at the same distance from every position.
//
// Work is cut by shape alone into slabs, each some lines of one image, and each sum is one thread's.
#include "direct.hpp"

#include <algorithm>
#include <vector>
#include <TH/TH.h>

#include "choice.hpp"
#include "columns.hpp"
#include "direct_loops.hpp"
#include "kit/parallel.hpp"

namespace thnn::direct {
namespace {

using th::parallelFor;

constexpr int64_t kParts = 8;  // how many threads should find work
constexpr int64_t kSlab = 1 << 15;  // elements of a padded slab, about
constexpr int64_t kNear = 1 << 12;  // elements that are read again and again while the nearest cache has them
constexpr int64_t kMinReuse = 16;  // multiplications that are worth the copy of an element
constexpr int64_t kTiny = 8;  // channels of either side, multiplied, that are a small part of oneDNN's vectors
constexpr int64_t kMinPositions = 128;  // the same of a weight
constexpr int64_t kLines = 2048, kAllLines = 1 << 15;  // elements of a line at a time, and of lines of all channels
constexpr int64_t kTerms = 512;  // of a sum's lane, about, before the lanes are added up: longer sums round badly

// Uninitialised, and aligned as vectors like it.
class Floats {
 public:
  explicit Floats(int64_t n) : bytes_(size_t(n) * sizeof(float)), data_(static_cast<float *>(TH_alloc(bytes_))) {}
  ~Floats() { TH_free(data_, bytes_); }
  Floats(const Floats &) = delete;
  float *get() const { return data_; }

 private:
  size_t bytes_;
  float *data_;
};

int64_t divided(int64_t n, int64_t by) { return (n + by - 1) / by; }

// Where a part begins of n things that are cut into so many, as equal as can be.
int64_t cut(int64_t n, int64_t parts, int64_t part) { return n * part / parts; }

// How a convolution of one group of one image goes over the image, and how it is cut.
class Geometry {
 public:
  explicit Geometry(const THNNConvolutionPlan &plan) : p_(plan), loops_(directLoops()) {
    axis_ = p_.output[0] > 1 ? 0 : 1;
    lanes_ = loops_.lanes(p_.output[2]);
    line_ = divided(p_.output[2], lanes_) * lanes_ + divided(p_.dilation[2] * (p_.kernel[2] - 1), p_.stride[2]);
    const int64_t length = p_.output[axis_],
                  least = std::max<int64_t>(1, 2 * p_.dilation[axis_] * (p_.kernel[axis_] - 1));
    const int64_t images = p_.batch * p_.groups;
    slabs_ = std::max(divided(p_.in * channelOf(length), kSlab), divided(kParts, images));
    slabs_ = std::clamp<int64_t>(slabs_, 1, std::max<int64_t>(1, length / least));
    offsets_.reserve(size_t(rows()));
    lengths(divided(length, slabs_), lines_);
    channel_ = channelOf(divided(length, slabs_));
    most_ = p_.in * channel_;
    eachRow(p_, 0, p_.in, [&](int64_t, int64_t kd, int64_t kh, int64_t kw, int64_t c) {
      const int64_t shift = kw * p_.dilation[2];
      offsets_.push_back(at(c, kd * p_.dilation[0], kh * p_.dilation[1]) + shift % p_.stride[2] * line_ +
                         shift / p_.stride[2]);
    });
  }

  const DirectLoops &loops() const { return loops_; }
  int lanes() const { return lanes_; }
  int64_t rows() const { return p_.in * product(p_.kernel); }
  const int64_t *offsets() const { return offsets_.data(); }
  int64_t slabs() const { return slabs_; }
  int64_t most() const { return most_; }  // elements of a padded slab

  // Rows of so many channels that what they meet at one line stays near until the next.
  int64_t rowsTogether() const {
    const int64_t channel = p_.kernel[0] * p_.kernel[1] * p_.stride[2] * line_;
    return product(p_.kernel) * std::max<int64_t>(1, kNear / channel);
  }

  // The slab of the image x, with zeros around it. Along a line every stride-th element is a neighbour.
  void pad(const float *x, int64_t slab, float *to) const {
    int64_t origin[2] = {-p_.padding[0], -p_.padding[1]};
    origin[axis_] += cut(p_.output[axis_], slabs_, slab) * p_.stride[axis_];
    const int64_t step = p_.stride[2], width = p_.input[2];
    const int64_t top = std::max<int64_t>(0, -origin[1]);
    const int64_t lines = std::min(lines_[1], p_.input[1] - origin[1]) - top;
    std::fill_n(to, most_, 0.0f);
    for (int64_t c = 0; c < p_.in; c++)
      for (int64_t d = std::max<int64_t>(0, -origin[0]); d < std::min(lines_[0], p_.input[0] - origin[0]); d++)
        for (int64_t phase = 0; phase < step; phase++) {
          // Element i is number i * step + shift of the line.
          const int64_t shift = phase - p_.padding[2], first = divided(std::max<int64_t>(0, -shift), step);
          const int64_t count = std::min(line_, divided(width - shift, step)) - first;
          const float *from = x + ((c * p_.input[0] + origin[0] + d) * p_.input[1] + origin[1] + top) * width +
                              first * step + shift;
          float *phased = to + at(c, d, top) + phase * line_ + first;
          if (step == 1) {
            loops_.copy(from, lines, width, count, phased, line_);
            continue;
          }
          for (int64_t h = 0; h < lines; h++, from += width, phased += step * line_)
            for (int64_t i = 0; i < count; i++) phased[i] = from[i * step];
        }
  }

  // The positions of a slab.
  void positions(int64_t slab, std::vector<Positions> &runs) const {
    int64_t begin[2] = {0, 0}, end[2] = {p_.output[0], p_.output[1]};
    begin[axis_] = cut(p_.output[axis_], slabs_, slab), end[axis_] = cut(p_.output[axis_], slabs_, slab + 1);
    runs.clear();
    for (int64_t d = begin[0]; d < end[0]; d++)
      for (int64_t h = begin[1]; h < end[1]; h++)
        for (int64_t w = 0; w < p_.output[2]; w += lanes_)
          runs.push_back({at(0, (d - begin[0]) * p_.stride[0], (h - begin[1]) * p_.stride[1]) + w,
                          (d * p_.output[1] + h) * p_.output[2] + w, std::min<int64_t>(lanes_, p_.output[2] - w)});
  }

 private:
  // Lines that so many positions along the axis meet.
  void lengths(int64_t along, int64_t (&lines)[2]) const {
    for (int d = 0; d < 2; d++)
      lines[d] = ((d == axis_ ? along : p_.output[d]) - 1) * p_.stride[d] + p_.dilation[d] * (p_.kernel[d] - 1) + 1;
  }
  // Elements from one channel to the next: an odd number of the cache's lines, so that those that a position meets do not
  // drive each other out of it.
  int64_t channelOf(int64_t along) const {
    int64_t lines[2];
    lengths(along, lines);
    return (divided(lines[0] * lines[1] * p_.stride[2] * line_, 16) | 1) * 16;
  }
  // Where a line begins.
  int64_t at(int64_t c, int64_t d, int64_t h) const {
    return c * channel_ + (d * lines_[1] + h) * p_.stride[2] * line_;
  }

  const THNNConvolutionPlan &p_;
  const DirectLoops &loops_;
  int axis_, lanes_;
  int64_t line_, slabs_, channel_, most_, lines_[2];
  std::vector<int64_t> offsets_;
};

// How many of so many units, into which a convolution is cut, are worth a thread.
int64_t grainOf(const THNNConvolutionPlan &p, int64_t units) {
  const int64_t work = p.batch * p.groups * p.in * p.out * product(p.kernel) * product(p.output);
  return std::max<int64_t>(1, (1 << 17) * units / std::max<int64_t>(work, 1));
}

// work(first channel, how many) for blocks of n channels.
template <class Work>
void forBlocks(const DirectLoops &loops, int64_t n, const Work &work) {
  const int64_t blocks = divided(n, loops.most);
  for (int64_t b = 0; b < blocks; b++) {
    const int64_t first = cut(n, blocks, b);
    work(first, int(cut(n, blocks, b + 1) - first));
  }
}

// weight(output channel of all, row) is the element for that channel and that row of the matrix of columns.
template <class Weight>
void outputs(const THNNConvolutionPlan &p, const float *x, const float *bias, float *y, const Weight &weight) {
  const Geometry geometry(p);
  const DirectLoops &loops = geometry.loops();
  const int64_t rows = geometry.rows(), size = p.in * product(p.input), ySize = product(p.output);
  const int64_t some = geometry.rowsTogether();
  const Floats weights(p.groups * p.out * rows);
  for (int64_t group = 0; group < p.groups; group++)
    forBlocks(loops, p.out, [&](int64_t first, int channels) {
      float *to = weights.get() + (group * p.out + first) * rows;
      for (int64_t r = 0; r < rows; r++)
        for (int o = 0; o < channels; o++) *to++ = weight(group * p.out + first + o, r);
    });
  const int64_t units = p.batch * p.groups * geometry.slabs();
  parallelFor(units, grainOf(p, units), [&](int64_t begin, int64_t end) {
    const Floats padded(geometry.most());
    std::vector<Positions> runs;
    for (int64_t i = begin; i < end; i++) {
      const int64_t image = i / geometry.slabs(), slab = i % geometry.slabs(), group = image % p.groups;
      geometry.pad(x + image * size, slab, padded.get());
      geometry.positions(slab, runs);
      forBlocks(loops, p.out, [&](int64_t first, int channels) {
        const int64_t o = group * p.out + first;
        for (int64_t r = 0; r < rows; r += some)
          loops.outputs(geometry.lanes(), channels, padded.get(), runs.data(), int64_t(runs.size()),
                        geometry.offsets() + r, std::min(some, rows - r), weights.get() + o * rows + r * channels,
                        bias && !r ? bias + o : nullptr, r, y + (image * p.out + first) * ySize, ySize);
      });
    }
  });
}

}  // namespace

// Where this was faster, with one thread of an Intel machine with AVX-512: docs/onednn.md.
bool beatsOneDNN(const THNNConvolutionPlan &p, bool gradWeight) {
  const int64_t taps = product(p.kernel), width = p.output[2];
  if (taps == 1 || p.groups > 1 || product(p.stride) > 1 || width < 4 || width > 1024) return false;
  if (p.in * p.out <= kTiny) return true;
  // Elements are copied once: for what they are multiplied by, and the weights for the positions that they meet.
  if (p.in * taps < kMinReuse || p.out * taps < kMinReuse || p.batch * product(p.output) < kMinPositions) return false;
  if (p.in > 64 || p.out > 64) return false;
  // Vectors of either per tap and line: oneDNN's are channels.
  const DirectLoops &loops = directLoops();
  const int64_t ours = p.out * divided(width, loops.lanes(width)), theirs = divided(p.out, loops.lanes(1024)) * width;
  if (gradWeight || width < 8) return 2 * ours <= theirs;
  return 5 * ours <= 4 * theirs || (ours <= theirs && width >= 32 && p.in <= 16 && p.out <= 32);
}

void forward(const THNNConvolutionPlan &p, const float *x, const float *w, const float *bias, float *y) {
  const int64_t rows = p.in * product(p.kernel);
  outputs(p, x, bias, y, [=](int64_t o, int64_t r) { return w[o * rows + r]; });
}

// The gradient is a convolution of gy by the kernel turned around.
void backwardInput(const THNNConvolutionPlan &p, const float *gy, const float *w, float *gx) {
  const int64_t taps = product(p.kernel);
  outputs(choice::turned(p), gy, nullptr, gx, [&](int64_t c, int64_t r) {
    const int64_t group = c / p.in, o = group * p.out + r / taps;
    return w[(o * p.in + c % p.in) * taps + taps - 1 - r % taps];
  });
}

void backwardWeight(const THNNConvolutionPlan &p, const float *x, const float *gy, float *gw) {
  const Geometry geometry(p);
  const DirectLoops &loops = geometry.loops();
  const int64_t rows = geometry.rows(), size = p.in * product(p.input), ySize = product(p.output);
  const int64_t slices = p.batch * geometry.slabs(), shares = std::min(kParts, slices), total = rows * p.out;
  const int lanes = geometry.lanes();
  const int64_t together = std::max<int64_t>(1, kNear / (p.out * lanes));
  // Slabs are shared out; each share has a sum of its own, and they are added up in order.
  const Floats sums(shares * p.groups * total);
  parallelFor(shares * p.groups, grainOf(p, shares * p.groups), [&](int64_t begin, int64_t end) {
    const Floats padded(geometry.most()), ofLanes(total * lanes), gradients(together * p.out * lanes);
    std::vector<Positions> runs;
    for (int64_t unit = begin; unit < end; unit++) {
      const int64_t share = unit / p.groups, group = unit % p.groups, last = cut(slices, shares, share + 1);
      float *const sum = sums.get() + unit * total;
      std::fill_n(sum, total, 0.0f);
      int64_t terms = 0;
      for (int64_t i = cut(slices, shares, share); i < last; i++) {
        const int64_t image = i / geometry.slabs() * p.groups + group, slab = i % geometry.slabs();
        geometry.pad(x + image * size, slab, padded.get());
        geometry.positions(slab, runs);
        if (!terms) std::fill_n(ofLanes.get(), total * lanes, 0.0f);
        const int64_t n = int64_t(runs.size());
        for (int64_t first = 0; first < n; first += together) {
          const int64_t count = std::min(together, n - first);
          const Positions *const some = runs.data() + first;
          loops.pack(lanes, p.out, gy + image * p.out * ySize, ySize, some, count, gradients.get());
          forBlocks(loops, p.out, [&](int64_t o, int channels) {
            loops.products(lanes, channels, padded.get(), some, count, geometry.offsets(), rows,
                           gradients.get() + o * lanes, p.out, ofLanes.get() + o * lanes);
          });
        }
        terms += n;
        if (terms < kTerms && i + 1 < last) continue;
        loops.addLanes(lanes, ofLanes.get(), total, sum);
        terms = 0;
      }
    }
  });
  for (int64_t group = 0; group < p.groups; group++)
    for (int64_t o = 0; o < p.out; o++)
      for (int64_t r = 0; r < rows; r++) {
        float all = 0;
        for (int64_t share = 0; share < shares; share++)
          all += sums.get()[(share * p.groups + group) * total + r * p.out + o];
        gw[(group * p.out + o) * rows + r] = all;
      }
}

// Of kernels of one element: whether groups have work enough for a call each.
static bool isWorth(const THNNConvolutionPlan &p, int64_t positions) {
  return p.groups == 1 || p.in * p.out * positions >= 64;
}

bool areStreams(const THNNConvolutionPlan &p) {
  const int64_t positions = product(p.output);
  return isPlain(p) && p.out <= kFewRows && positions >= 8 && isWorth(p, positions);
}

namespace {

// y[o ySize + i] = bias[o] + Σ_r w[r channels + o] x[r n + i] for i < n, at least 8, and up to kFewRows channels: x is read
// once.
class Stream {
 public:
  Stream(int64_t rows, int64_t n) : rows_(rows), offsets_(static_cast<size_t>(rows)) {
    const int widest = directLoops().lanes(1024);
    lanes_ = widest <= n ? widest : directLoops().lanes(8);
    for (int64_t r = 0; r < rows; r++) offsets_[size_t(r)] = r * n;
    // The last vector may overlap the one before: its sums are the same.
    for (int64_t i = 0; i < n; i += lanes_) {
      const int64_t from = std::min(i, n - lanes_);
      runs_.push_back({from, from, lanes_});
    }
  }
  int64_t runs() const { return int64_t(runs_.size()); }
  // Runs [first, last).
  void compute(int64_t first, int64_t last, int64_t channels, const float *x, const float *w, const float *bias,
               float *y, int64_t ySize) const {
    directLoops().outputs(lanes_, int(channels), x, runs_.data() + first, last - first, offsets_.data(), rows_, w, bias,
                          false, y, ySize);
  }

 private:
  int lanes_;
  int64_t rows_;
  std::vector<int64_t> offsets_;
  std::vector<Positions> runs_;
};

}  // namespace

void outputOfStreams(const THNNConvolutionPlan &p, const float *x, const float *w, const float *bias, float *y) {
  const int64_t positions = product(p.output), images = p.batch * p.groups;
  const Stream stream(p.in, positions);
  const Floats weights(p.groups * p.out * p.in);
  for (int64_t group = 0; group < p.groups; group++)
    for (int64_t o = 0; o < p.out; o++)
      for (int64_t c = 0; c < p.in; c++)
        weights.get()[(group * p.in + c) * p.out + o] = w[(group * p.out + o) * p.in + c];
  const int64_t blocks = std::clamp<int64_t>(divided(kParts, images), 1, stream.runs());
  parallelFor(images * blocks, grainOf(p, images * blocks), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i++) {
      const int64_t image = i / blocks, group = image % p.groups, block = i % blocks;
      stream.compute(cut(stream.runs(), blocks, block), cut(stream.runs(), blocks, block + 1), p.out,
                     x + image * p.in * positions, weights.get() + group * p.in * p.out,
                     bias ? bias + group * p.out : nullptr, y + image * p.out * positions, positions);
    }
  });
}

void fewRowsBack(int64_t outs, int64_t terms, const float *w, int64_t rows, const float *gy, int64_t step, float *gx,
                 int64_t xStep) {
  const Stream stream(outs, terms);
  const Floats turned(outs * rows);
  for (int64_t o = 0; o < outs; o++)
    for (int64_t r = 0; r < rows; r++) turned.get()[o * rows + r] = gy[r * step + o];
  const int64_t blocks = std::min(kParts, stream.runs());
  parallelFor(blocks, std::max<int64_t>(1, blocks * (1 << 17) / (outs * terms * rows)),
              [&](int64_t begin, int64_t end) {
                stream.compute(cut(stream.runs(), blocks, begin), cut(stream.runs(), blocks, end), rows, w,
                               turned.get(), nullptr, gx, xStep);
              });
}

void fewRows(int64_t outs, int64_t terms, const float *w, int64_t rows, const float *x, int64_t step, bool add,
             float *y, int64_t yStep) {
  const DirectLoops &loops = directLoops();
  const int lanes = loops.lanes(1024);
  const int64_t tiles = divided(outs, kDots);
  parallelFor(tiles, std::max<int64_t>(1, (1 << 17) / (kDots * terms * rows)), [=, &loops](int64_t begin, int64_t end) {
    const Floats ofLanes(kDots * kFewRows * lanes);
    for (int64_t tile = begin; tile < end; tile++) {
      const int64_t o = tile * kDots;
      const int some = int(std::min<int64_t>(kDots, outs - o));
      float sums[kDots * kFewRows] = {};
      std::fill_n(ofLanes.get(), some * rows * lanes, 0.0f);
      loops.dots(some, int(rows), w + o * terms, terms, x, step, terms, ofLanes.get());
      loops.addLanes(lanes, ofLanes.get(), some * rows, sums);
      for (int k = 0; k < some; k++)
        for (int64_t r = 0; r < rows; r++) {
          float &to = y[r * yStep + o + k];
          to = add ? to + sums[k * rows + r] : sums[k * rows + r];
        }
    }
  });
}

// Sums over many positions for few weights; a product of matrices would be small and long. With strides, the elements that
// are met are copied first.
bool areLines(const THNNConvolutionPlan &p) {
  const int64_t positions = product(p.output), weights = p.in * p.out;
  if (product(p.kernel) > 1 || weights > std::min<int64_t>(p.groups > 1 ? 4096 : 1024, 16 * positions)) return false;
  return isWorth(p, positions) && (isPlain(p) || p.groups > 1);
}

void weightOfLines(const THNNConvolutionPlan &p, const float *x, const float *gy, float *gw) {
  const DirectLoops &loops = directLoops();
  const int lanes = loops.lanes(1024);
  const bool plain = isPlain(p);
  const int64_t positions = product(p.output), size = p.in * product(p.input),
                lines = std::clamp<int64_t>(kAllLines / (p.in + p.out), 256, kLines),
                chunks = divided(positions, lines);
  const int64_t slices = p.batch * chunks, shares = std::min(kParts, slices), weights = p.in * p.out,
                total = p.groups * weights;
  // Of each share, weights in the order of blocks of rows, of blocks of channels, of rows, of channels.
  const Floats sums(shares * total);
  const auto forTiles = [&p](const auto &tile) {
    int64_t at = 0;
    for (int64_t c = 0; c < p.in; c += kDots)
      for (int64_t o = 0; o < p.out; o += kDots) {
        const int rows = int(std::min<int64_t>(kDots, p.in - c)), channels = int(std::min<int64_t>(kDots, p.out - o));
        tile(at, c, rows, o, channels);
        at += rows * channels;
      }
  };
  parallelFor(shares, grainOf(p, shares), [&](int64_t begin, int64_t end) {
    const Floats ofLanes(weights * lanes), met(plain ? 0 : p.in * std::min(lines, positions));
    for (int64_t unit = begin; unit < end; unit++) {
      float *const sum = sums.get() + unit * total;
      std::fill_n(sum, total, 0.0f);
      const int64_t first = cut(slices, shares, unit), last = cut(slices, shares, unit + 1);
      for (int64_t group = 0; group < p.groups; group++) {
        int64_t terms = 0;
        for (int64_t i = first; i < last; i++) {
          const int64_t image = i / chunks * p.groups + group, from = i % chunks * lines;
          const int64_t n = std::min(lines, positions - from);
          const float *const ys = gy + image * p.out * positions + from;
          if (!plain) toColumns(p, x + image * size, 0, p.in, from, from + n, met.get());
          const float *const xs = plain ? x + image * size + from : met.get();
          const int64_t step = plain ? positions : n;
          if (!terms) std::fill_n(ofLanes.get(), weights * lanes, 0.0f);
          forTiles([&](int64_t at, int64_t c, int rows, int64_t o, int channels) {
            loops.dots(rows, channels, xs + c * step, step, ys + o * positions, positions, n,
                       ofLanes.get() + at * lanes);
          });
          terms += divided(n, lanes);
          if (terms < kTerms && i + 1 < last) continue;
          loops.addLanes(lanes, ofLanes.get(), weights, sum + group * weights);
          terms = 0;
        }
      }
    }
  });
  for (int64_t group = 0; group < p.groups; group++)
    forTiles([&](int64_t at, int64_t c, int rows, int64_t o, int channels) {
      for (int r = 0; r < rows; r++)
        for (int k = 0; k < channels; k++) {
          float all = 0;
          for (int64_t share = 0; share < shares; share++)
            all += sums.get()[share * total + group * weights + at + r * channels + k];
          gw[(group * p.out + o + k) * p.in + c + r] = all;
        }
    });
}

}  // namespace thnn::direct
