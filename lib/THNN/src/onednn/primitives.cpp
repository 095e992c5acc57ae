#ifdef THNN_ONEDNN

#include "primitives.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <list>
#include <mutex>
#include <omp.h>
#include <pthread.h>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace thnn::onednn {

using dnnl::memory;

OneThread::OneThread() : before_(omp_get_max_threads()) { omp_set_num_threads(1); }
OneThread::~OneThread() { omp_set_num_threads(before_); }

const dnnl::engine &processor() {
  // Never destroyed: threads may still compute while the process ends.
  static const dnnl::engine *const engine = [] {
    // As for our own kernels, TH.h. Too late, and without effect, only if another library has used oneDNN before.
    const char *const variable = std::getenv("TH_CPU_CAPABILITY");
    const std::string_view limit = variable ? variable : "";
    if (limit == "default") dnnl_set_max_cpu_isa(dnnl_cpu_isa_sse41);
    if (limit == "avx2") dnnl_set_max_cpu_isa(dnnl_cpu_isa_avx2);
    // Its own cache would keep up to 1,024 more of what is kept here.
    dnnl_set_primitive_cache_capacity(0);
    return new dnnl::engine(dnnl::engine::kind::cpu, 0);
  }();
  return *engine;
}

namespace {

const dnnl::stream &stream() {
  static thread_local const dnnl::stream stream(processor());
  return stream;
}

// ---- making one ---------------------------------------------------------------------------------

// Of a space whose neighbours are `first` apart.
memory::dims strides(std::initializer_list<int64_t> outer, const memory::dims &space, int64_t first = 1) {
  memory::dims all(outer);
  for (size_t d = 0; d < space.size(); d++) {
    int64_t step = first;
    for (size_t later = d + 1; later < space.size(); later++) step *= space[later];
    all.push_back(step);
  }
  return all;
}

memory::dims joined(std::initializer_list<int64_t> outer, const memory::dims &space) {
  memory::dims all(outer);
  all.insert(all.end(), space.begin(), space.end());
  return all;
}

int64_t product(const memory::dims &dims) {
  int64_t n = 1;
  for (const int64_t d : dims) n *= d;
  return n;
}

dnnl::primitive_attr attributes() {
  dnnl::primitive_attr attributes;
  // Memory of the caller's: threads may run one primitive at the same time.
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return attributes;
}

// oneDNN's view of a Shape: without the first of three dimensions where nothing is there.
struct Arguments {
  memory::dims input, kernel, output, stride, dilation, left, right;
  memory::desc x, y, w, bias;                 // plain
  memory::desc anyX, anyY, anyW;              // of the format that suits the primitive

  explicit Arguments(const Shape &s) {
    const bool flat = s.input[0] == 1 && s.kernel[0] == 1 && s.output[0] == 1 && !s.padding[0];
    for (int d = flat ? 1 : 0; d < 3; d++) {
      input.push_back(s.input[d]);
      kernel.push_back(s.kernel[d]);
      output.push_back(s.output[d]);
      stride.push_back(s.stride[d]);
      dilation.push_back(s.dilation[d] - 1);
      left.push_back(s.padding[d]);
      // Such that there are these positions: fewer where the gradient of a transposed convolution has no more.
      right.push_back((s.output[d] - 1) * s.stride[d] + s.dilation[d] * (s.kernel[d] - 1) + 1 - s.input[d] -
                      s.padding[d]);
    }
    constexpr auto type = memory::data_type::f32;
    const auto any = [](const memory::dims &dims) { return memory::desc(dims, type, memory::format_tag::any); };
    const int64_t taps = product(kernel);
    const auto xDims = joined({s.images, s.groups * s.in}, input), yDims = joined({s.images, s.groups * s.out}, output);
    const auto wDims = s.groups > 1 ? joined({s.groups, s.out, s.in}, kernel) : joined({s.out, s.in}, kernel);
    const auto images = [](int64_t image, int64_t pixel, const memory::dims &space) {
      return pixel ? strides({image, 1}, space, pixel) : strides({image, product(space)}, space);
    };
    const int64_t wIn = s.wLast ? 1 : taps, tap = s.wLast ? s.wOut / taps : 1;
    x = memory::desc(xDims, type, images(s.xImage, s.xPixel, input));
    y = memory::desc(yDims, type, images(s.yImage, s.yPixel, output));
    w = memory::desc(
        wDims, type,
        s.groups > 1 ? strides({s.out * s.wOut, s.wOut, wIn}, kernel, tap) : strides({s.wOut, wIn}, kernel, tap));
    if (s.bias) bias = memory::desc({s.groups * s.out}, type, memory::format_tag::a);
    anyX = s.xPixel ? x : any(xDims), anyY = s.yPixel ? y : any(yDims), anyW = any(wDims);
  }
};

Operand operand(const memory::desc &plain, const memory::desc &wanted, bool isResult, size_t &scratch) {
  Operand o{plain, wanted, {}};
  if (plain == wanted) return o;
  const auto &from = isResult ? wanted : plain, &to = isResult ? plain : wanted;
  const dnnl::reorder::primitive_desc pd(processor(), from, processor(), to, attributes());
  o.reorder = dnnl::reorder(pd);
  scratch = std::max(scratch, pd.scratchpad_desc().get_size());
  return o;
}

Primitive make(const Shape &s) {
  const Arguments a(s);
  const dnnl::primitive_attr attr = attributes();
  constexpr auto direct = dnnl::algorithm::convolution_direct;
  using Output = dnnl::convolution_forward;
  constexpr auto kind = dnnl::prop_kind::forward_training;
  const Output::primitive_desc pd = s.bias ? Output::primitive_desc(processor(), kind, direct, a.anyX, a.anyW, a.bias,
                                                                    a.anyY, a.stride, a.dilation, a.left, a.right, attr,
                                                                    true)
                                           : Output::primitive_desc(processor(), kind, direct, a.anyX, a.anyW, a.anyY,
                                                                    a.stride, a.dilation, a.left, a.right, attr, true);
  const auto finish = [&](const auto &pd, const auto &run, const memory::desc &x, const memory::desc &y,
                          const memory::desc &w) {
    // "ref:any", "gemm:ref": plain loops. "gemm:jit": a matrix of columns, as ours, but slower.
    const char *const name = pd.impl_info_str();
    if (std::strstr(name, "ref") || std::strstr(name, "gemm")) return Primitive{};
    size_t scratch = pd.scratchpad_desc().get_size();
    Primitive p{true,
                run,
                operand(a.x, x, s.pass == Pass::GradInput, scratch),
                operand(a.y, y, s.pass == Pass::Output, scratch),
                operand(a.w, w, s.pass == Pass::GradWeight, scratch),
                a.bias,
                {}};
    p.scratch = scratch > pd.scratchpad_desc().get_size()
                    ? memory::desc({int64_t(scratch)}, memory::data_type::u8, memory::format_tag::a)
                    : pd.scratchpad_desc();
    return p;
  };
  if (!pd) return {};
  if (s.pass == Pass::Output) return finish(pd, Output(pd), pd.src_desc(), pd.dst_desc(), pd.weights_desc());
  if (s.pass == Pass::GradInput) {
    using GradInput = dnnl::convolution_backward_data;
    const GradInput::primitive_desc back(processor(), direct, a.anyX, a.anyW, a.anyY, a.stride, a.dilation, a.left,
                                         a.right, pd, attr, true);
    if (!back) return {};
    return finish(back, GradInput(back), back.diff_src_desc(), back.diff_dst_desc(), back.weights_desc());
  }
  using GradWeight = dnnl::convolution_backward_weights;
  const GradWeight::primitive_desc back(processor(), direct, a.anyX, a.anyW, a.anyY, a.stride, a.dilation, a.left,
                                        a.right, pd, attr, true);
  if (!back) return {};
  return finish(back, GradWeight(back), back.src_desc(), back.diff_dst_desc(), back.diff_weights_desc());
}

// A factor of all elements of products: with as many dimensions as these have.
const memory::desc &factor(bool batched) {
  constexpr auto type = memory::data_type::f32;
  static const memory::desc *const descs = new memory::desc[2]{{{1, 1}, type, memory::format_tag::ab},
                                                               {{1, 1, 1}, type, memory::format_tag::abc}};
  return descs[batched];
}

Primitive make(const ProductShape &s) {
  const auto type = s.isHalf ? memory::data_type::f16 : memory::data_type::bf16;
  const bool batched = s.batch > 1;
  // A matrix that is the same for all of the batch is one.
  const auto matrices = [&](int64_t m, int64_t n, bool turned, int64_t leading, int64_t step) {
    const int64_t row = turned ? 1 : leading, column = turned ? leading : 1;
    if (!batched) return memory::desc({m, n}, type, {row, column});
    return memory::desc({step ? s.batch : 1, m, n}, type, {step ? step : (turned ? n : m) * leading, row, column});
  };
  dnnl::primitive_attr attr = attributes();
  dnnl::post_ops after;
  const auto scale = [&] { after.append_binary(dnnl::algorithm::binary_mul, factor(batched)); };
  if (s.scaled) scale();
  if (s.add) after.append_sum(1);
  if (s.scaled && s.add) scale();
  attr.set_post_ops(after);
  const dnnl::matmul::primitive_desc pd(processor(), matrices(s.m, s.k, s.transa, s.lda, s.aStep),
                                        matrices(s.k, s.n, s.transb, s.ldb, s.bStep),
                                        matrices(s.m, s.n, false, s.ldc, s.cStep), attr);
  return {true,
          dnnl::matmul(pd),
          {pd.src_desc(), pd.src_desc(), {}},
          {pd.dst_desc(), pd.dst_desc(), {}},
          {pd.weights_desc(), pd.weights_desc(), {}},
          {},
          pd.scratchpad_desc()};
}

// ---- keeping them -------------------------------------------------------------------------------

// The words of a shape of either kind; a product's begins with a word that no pass has.
using Key = std::array<int64_t, sizeof(Shape) / sizeof(int64_t)>;

Key keyOf(const Shape &s) { return std::bit_cast<Key>(s); }
Key keyOf(const ProductShape &s) {
  static_assert(sizeof s < sizeof(Key));
  Key key{-1};
  std::memcpy(key.data() + 1, &s, sizeof s);
  return key;
}

struct Hash {
  size_t operator()(const Key &key) const {
    uint64_t hash = 0;
    for (const int64_t word : key) hash = (hash ^ uint64_t(word)) * 0x9E3779B97F4A7C15u, hash ^= hash >> 29;
    return hash;
  }
};

// The most recently used first.
class Cache {
 public:
  using Kept = std::shared_ptr<const Primitive>;
  static constexpr size_t kCapacity = 256;

  static Cache &instance() {
    static Cache *const cache = new Cache;  // never destroyed, as the engine
    return *cache;
  }

  Kept find(const Key &key) {
    const std::lock_guard lock(mutex_);
    const auto found = places_.find(key);
    if (found == places_.end()) return nullptr;
    order_.splice(order_.begin(), order_, found->second);
    return found->second->second;
  }

  // Another thread may have made the same one meanwhile: then that.
  Kept insert(const Key &key, Kept made) {
    Kept dropped;  // destroyed without the lock
    const std::lock_guard lock(mutex_);
    if (const auto found = places_.find(key); found != places_.end()) return found->second->second;
    order_.emplace_front(key, made);
    places_.emplace(key, order_.begin());
    if (order_.size() > kCapacity) {
      dropped = std::move(order_.back().second);
      places_.erase(order_.back().first);
      order_.pop_back();
    }
    return made;
  }

  int64_t size() {
    const std::lock_guard lock(mutex_);
    return int64_t(order_.size());
  }

 private:
  Cache() {
    // A child would wait for ever for a lock that a thread had which it has not got.
    pthread_atfork([] { instance().mutex_.lock(); }, [] { instance().mutex_.unlock(); },
                   [] { instance().mutex_.unlock(); });
  }

  std::mutex mutex_;
  std::list<std::pair<Key, Kept>> order_;
  std::unordered_map<Key, std::list<std::pair<Key, Kept>>::iterator, Hash> places_;
};

// Memory objects are cheap: a description and a pointer.
memory at(const memory::desc &desc, const void *data) { return memory(desc, processor(), const_cast<void *>(data)); }

void execute(const dnnl::primitive &primitive, std::initializer_list<dnnl_exec_arg_t> arguments) {
  const dnnl_status_t status = dnnl_primitive_execute(primitive.get(), stream().get(), int(arguments.size()),
                                                      std::data(arguments));
  if (status != dnnl_success) THError(TH_ERROR_RUNTIME, "oneDNN: a primitive failed with status %d", int(status));
}

}  // namespace

std::shared_ptr<const Primitive> primitiveFor(const Shape &shape) {
  Cache &cache = Cache::instance();
  const Key key = keyOf(shape);
  if (Cache::Kept kept = cache.find(key)) return kept;
  Primitive made{};
  try {
    made = make(shape);
  } catch (const dnnl::error &) {
    // A shape that it refuses, such as one whose sizes it cannot count: left to our own kernels.
  }
  return cache.insert(key, std::make_shared<const Primitive>(std::move(made)));
}

std::shared_ptr<const Primitive> primitiveFor(const ProductShape &shape) {
  Cache &cache = Cache::instance();
  const Key key = keyOf(shape);
  if (Cache::Kept kept = cache.find(key)) return kept;
  return cache.insert(key, std::make_shared<const Primitive>(make(shape)));
}

int64_t cached() { return Cache::instance().size(); }
int64_t capacity() { return Cache::kCapacity; }

void reorder(const Operand &operand, const memory::desc &fromDesc, const void *from, const memory::desc &toDesc,
             void *to, const Primitive &p, void *scratch) {
  const memory source = at(fromDesc, from), target = at(toDesc, to), work = at(p.scratch, scratch);
  execute(operand.reorder,
          {{DNNL_ARG_FROM, source.get()}, {DNNL_ARG_TO, target.get()}, {DNNL_ARG_SCRATCHPAD, work.get()}});
}

void run(const Primitive &p, Pass pass, const void *x, const void *w, const float *bias, const void *y, void *scratch) {
  const memory source = at(p.x.wanted, x), weights = at(p.w.wanted, w), target = at(p.y.wanted, y),
               work = at(p.scratch, scratch);
  const auto args = [&](int xName, int wName, int yName) {
    if (bias) {
      const memory added = at(p.bias, bias);
      return execute(p.run, {{xName, source.get()},
                             {wName, weights.get()},
                             {yName, target.get()},
                             {DNNL_ARG_BIAS, added.get()},
                             {DNNL_ARG_SCRATCHPAD, work.get()}});
    }
    execute(p.run,
            {{xName, source.get()}, {wName, weights.get()}, {yName, target.get()}, {DNNL_ARG_SCRATCHPAD, work.get()}});
  };
  switch (pass) {
    case Pass::Output: return args(DNNL_ARG_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DST);
    case Pass::GradInput: return args(DNNL_ARG_DIFF_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DIFF_DST);
    case Pass::GradWeight: return args(DNNL_ARG_SRC, DNNL_ARG_DIFF_WEIGHTS, DNNL_ARG_DIFF_DST);
  }
}

void runProduct(const Primitive &p, const void *a, const void *b, void *c, bool isScaled, float alpha, float beta,
                void *scratch) {
  const memory source = at(p.x.wanted, a), weights = at(p.w.wanted, b), target = at(p.y.wanted, c),
               work = at(p.scratch, scratch);
  if (!isScaled)
    return execute(p.run, {{DNNL_ARG_SRC, source.get()},
                           {DNNL_ARG_WEIGHTS, weights.get()},
                           {DNNL_ARG_DST, target.get()},
                           {DNNL_ARG_SCRATCHPAD, work.get()}});
  const float before = beta == 0 ? alpha : alpha / beta;
  const memory::desc &desc = factor(p.y.wanted.get_ndims() == 3);
  const memory first = at(desc, &before), last = at(desc, &beta);
  // The last is skipped where the primitive ends with the first.
  execute(p.run, {{DNNL_ARG_SRC, source.get()},
                  {DNNL_ARG_WEIGHTS, weights.get()},
                  {DNNL_ARG_DST, target.get()},
                  {DNNL_ARG_SCRATCHPAD, work.get()},
                  {DNNL_ARG_ATTR_MULTIPLE_POST_OP(0) | DNNL_ARG_SRC_1, first.get()},
                  {DNNL_ARG_ATTR_MULTIPLE_POST_OP(2) | DNNL_ARG_SRC_1, last.get()}});
}

}  // namespace thnn::onednn

#endif
