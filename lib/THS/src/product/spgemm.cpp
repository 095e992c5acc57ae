// Sparse times sparse: Gustavson, "Two Fast Algorithms for Sparse Matrices" (1978). Rows are counted first, so that the
// result has its size from the start, and then added up; of a row each column has a sum of its own, or one in a hash
// table where there are many.
#include <algorithm>
#include <bit>
#include <utility>

#include <THS/THSPrepare.h>
#include <THS/THSTensorMath.h>

#include "matrix.hpp"

namespace ths {
namespace {

constexpr int64_t kDirect = 1 << 20;  // columns, at most, that have sums of their own, in each thread
constexpr int64_t kAhead = 8;  // entries of a whose rows of b are fetched meanwhile

// Columns that a row has, as bits, and which words of them are not 0, as bits again: they are read in ascending order
// without being sorted.
class Marks {
 public:
  explicit Marks(int64_t columns)
      : above_((columns + 64 * 64 - 1) / (64 * 64)), words_(zeros<uint64_t>(above_ * 64)),
        used_(zeros<uint64_t>(above_)) {}
  void add(int64_t word, uint64_t bits) {
    words_[size_t(word)] |= bits;
    used_[size_t(word / 64)] |= uint64_t(1) << (word % 64);
  }
  // How many there are; forgets them.
  int64_t count() {
    int64_t n = 0;
    for (int64_t u = 0; u < above_; u++)
      for (uint64_t used = std::exchange(used_[size_t(u)], 0); used; used &= used - 1)
        n += std::popcount(std::exchange(words_[size_t(u * 64 + std::countr_zero(used))], 0));
    return n;
  }
  // Calls body(column) for each, and forgets them.
  template <class Body>
  void drain(const Body &body) {
    for (int64_t u = 0; u < above_; u++)
      for (uint64_t used = std::exchange(used_[size_t(u)], 0); used; used &= used - 1) {
        const int64_t word = u * 64 + std::countr_zero(used);
        for (uint64_t bits = std::exchange(words_[size_t(word)], 0); bits; bits &= bits - 1)
          body(word * 64 + std::countr_zero(bits));
      }
  }

 private:
  const int64_t above_;
  const Array<uint64_t> words_, used_;
};

// The factors, what is known of b by then, and where rows of the result begin.
template <class C>
struct Factors {
  struct Entry {
    int32_t column;
    C value;
  };
  const Matrix &a, &b;
  const C *x, *y;
  Array<Entry> entries;  // of b, side by side; where columns are few
  // Where b's columns stand close together, those of each row as words that have them as bits; where each row's begin.
  struct Word {
    int64_t at;
    uint64_t bits;
  };
  Array<Word> words;
  Array<int64_t> wordBegin;

  void fetch(int64_t i) const {
    if (i + 3 * kAhead < a.entries()) __builtin_prefetch(b.begin + a.column[i + 3 * kAhead]);
    if (i + kAhead >= a.entries()) return;
    const Entry *const next = entries.get() + b.begin[a.column[i + kAhead]];
    __builtin_prefetch(next);
    __builtin_prefetch(reinterpret_cast<const char *>(next) + 64);
  }
};

template <class C>
class Direct {
 public:
  // Sums for columns that nobody has are to be cleared, too.
  static bool fits(const Matrix &a, const Matrix &b) {
    return b.columns <= std::min(kDirect, (1 << 12) + 16 * (a.entries() + b.entries())) && a.rows < INT32_MAX;
  }
  explicit Direct(const Factors<C> &f) : f_(f) {}

  // How many columns row r has.
  int64_t count(int64_t r) {
    if (f_.words) {
      markWords(r);
      return marks_.count();
    }
    if (!seen_) seen_ = zeros<uint32_t>(f_.b.columns);
    const auto mark = uint32_t(r + 1);
    uint32_t *const seen = seen_.get();
    int64_t n = 0;
    for (int64_t i = f_.a.begin[r]; i < f_.a.begin[r + 1]; i++) {
      f_.fetch(i);
      const int64_t c = f_.a.column[i], end = f_.b.begin[c + 1];
      for (int64_t j = f_.b.begin[c]; j < end; j++) {
        uint32_t &last = seen[f_.entries[size_t(j)].column];
        n += last != mark;
        last = mark;
      }
    }
    return n;
  }
  // Calls body(column, sum) for each in ascending order.
  template <class Body>
  void add(int64_t r, const Body &body) {
    if (!sums_) sums_ = zeros<C>(f_.b.columns);
    C *const sums = sums_.get();
    for (int64_t i = f_.a.begin[r]; i < f_.a.begin[r + 1]; i++) {
      f_.fetch(i);
      const int64_t c = f_.a.column[i], end = f_.b.begin[c + 1];
      const C factor = f_.x[i];
      for (int64_t j = f_.b.begin[c]; j < end; j++) {
        const auto &entry = f_.entries[size_t(j)];
        const int64_t column = entry.column;
        sums[column] = C(sums[column] + C(factor * entry.value));
        if (!f_.words) marks_.add(column / 64, uint64_t(1) << (column % 64));
      }
    }
    if (f_.words) markWords(r);
    marks_.drain([&](int64_t column) { body(column, std::exchange(sums[column], C(0))); });
  }

 private:
  // Neighbours of the row share a word, which is written once.
  void markWords(int64_t r) {
    int64_t word = 0;
    uint64_t bits = 0;
    for (int64_t i = f_.a.begin[r]; i < f_.a.begin[r + 1]; i++) {
      const int64_t c = f_.a.column[i], end = f_.wordBegin[size_t(c + 1)];
      for (int64_t j = f_.wordBegin[size_t(c)]; j < end; j++) {
        const auto &next = f_.words[size_t(j)];
        if (next.at != word) {
          if (bits) marks_.add(word, bits);
          word = next.at;
          bits = 0;
        }
        bits |= next.bits;
      }
    }
    if (bits) marks_.add(word, bits);
  }

  const Factors<C> &f_;
  Marks marks_{f_.b.columns};
  Array<uint32_t> seen_;
  Array<C> sums_;
};

template <class C>
class Hashed {
 public:
  explicit Hashed(const Factors<C> &f) : f_(f) {}

  int64_t count(int64_t r) {
    eachProduct(r, [](C &, int64_t, int64_t) {});
    return int64_t(used_.size());
  }
  template <class Body>
  void add(int64_t r, const Body &body) {
    eachProduct(r, [&](C &sum, int64_t i, int64_t j) { sum = C(sum + C(f_.x[i] * f_.y[j])); });
    std::sort(used_.begin(), used_.end(), [&](size_t s, size_t t) { return table_[s].column < table_[t].column; });
    for (const size_t slot : used_) body(table_[slot].column, table_[slot].sum);
  }

 private:
  struct Slot {
    int64_t column;
    C sum;
  };
  // Calls body(sum of the column, i, j) for entry i of the row and each j of the row of b that it names.
  template <class Body>
  void eachProduct(int64_t r, const Body &body) {
    int64_t bound = 0;
    for (int64_t i = f_.a.begin[r]; i < f_.a.begin[r + 1]; i++)
      bound += f_.b.begin[f_.a.column[i] + 1] - f_.b.begin[f_.a.column[i]];
    for (const size_t slot : used_) table_[slot] = {-1, C(0)};
    used_.clear();
    const size_t size = std::bit_ceil(size_t(std::max<int64_t>(8, 2 * std::min(bound, f_.b.columns))));
    if (table_.size() < size) table_.assign(size, {-1, C(0)});
    const size_t mask = table_.size() - 1;
    for (int64_t i = f_.a.begin[r]; i < f_.a.begin[r + 1]; i++) {
      const int64_t c = f_.a.column[i];
      for (int64_t j = f_.b.begin[c]; j < f_.b.begin[c + 1]; j++) {
        const int64_t column = f_.b.column[j];
        size_t slot = (uint64_t(column) * 0x9e3779b97f4a7c15u >> 20) & mask;
        while (table_[slot].column != column && table_[slot].column >= 0) slot = (slot + 1) & mask;
        if (table_[slot].column < 0) {
          table_[slot].column = column;
          used_.push_back(slot);
        }
        body(table_[slot].sum, i, j);
      }
    }
  }

  const Factors<C> &f_;
  std::vector<Slot> table_;
  std::vector<size_t> used_;
};

// Words of b, if they are a third of its entries or fewer.
template <class C>
void gatherWords(Factors<C> &f) {
  const Matrix &b = f.b;
  Array<int64_t> begin = array<int64_t>(b.rows + 1);
  int64_t n = 0;
  for (int64_t r = 0; r < b.rows; r++) {
    begin[size_t(r)] = n;
    int64_t word = -1;
    for (int64_t j = b.begin[r]; j < b.begin[r + 1]; j++)
      n += std::exchange(word, b.column[j] / 64) != b.column[j] / 64;
    if (3 * n > b.entries()) return;
  }
  begin[size_t(b.rows)] = n;
  f.words = array<typename Factors<C>::Word>(n);
  n = 0;
  for (int64_t r = 0; r < b.rows; r++)
    for (int64_t j = b.begin[r]; j < b.begin[r + 1]; j++) {
      const int64_t column = b.column[j];
      if (j == b.begin[r] || column / 64 != b.column[j - 1] / 64) f.words[size_t(n++)] = {column / 64, 0};
      f.words[size_t(n - 1)].bits |= uint64_t(1) << (column % 64);
    }
  f.wordBegin = std::move(begin);
}

template <class Rows, class T, class C>
void multiply(THTensor *compressed, THTensor *plain, THTensor *values, const Factors<C> &f) {
  const int64_t rows = f.a.rows;
  const int64_t *const begins = f.a.begin;
  // Threads share out entries of a: a row is that one's in whose part it begins.
  const auto eachRow = [&](const auto &body) {
    parallelFor(f.a.entries(), 4096, [&](int64_t first, int64_t last) {
      Rows engine(f);
      const int64_t *const end = std::lower_bound(begins, begins + rows, last);
      for (int64_t r = std::lower_bound(begins, begins + rows, first) - begins; r < end - begins; r++) body(engine, r);
    });
  };
  shape(compressed, {rows + 1});
  int64_t *const begin = elements<int64_t>(compressed);
  std::fill_n(begin, rows + 1, 0);
  eachRow([&](Rows &engine, int64_t r) { begin[r + 1] = engine.count(r); });
  for (int64_t r = 0; r < rows; r++) begin[r + 1] += begin[r];
  shape(plain, {begin[rows]});
  shape(values, {begin[rows]});
  int64_t *const places = elements<int64_t>(plain);
  T *const to = elements<T>(values);
  eachRow([&](Rows &engine, int64_t r) {
    int64_t k = begin[r];
    engine.add(r, [&](int64_t column, C sum) {
      places[k] = column;
      to[k++] = T(sum);
    });
  });
}

template <class T>
void spgemm(THTensor *compressed, THTensor *plain, THTensor *values, const THSTensor *a, const THSTensor *b) {
  using C = Compute<T>;
  THSPrepare_product(a, b);
  if (a->layout != TH_SPARSE_CSR || b->layout != TH_SPARSE_CSR)
    THError(TH_ERROR_RUNTIME, "matrices of layout sparse_csr are multiplied, got %s and %s",
            TH_layoutName(THLayout(a->layout)), TH_layoutName(THLayout(b->layout)));
  const Matrix m(a), n(b);
  const Ref mine(contiguousAs(DtypeOf<C>::value, THSTensor_members(a)->values));
  const Ref theirs(contiguousAs(DtypeOf<C>::value, THSTensor_members(b)->values));
  Factors<C> f{m, n, elements<C>(mine), elements<C>(theirs), {}, {}, {}};
  if (!Direct<C>::fits(m, n)) return multiply<Hashed<C>, T>(compressed, plain, values, f);
  f.entries = array<typename Factors<C>::Entry>(n.entries());
  parallelFor(n.entries(), kGrain, [&](int64_t begin, int64_t end) {
    for (int64_t j = begin; j < end; j++) f.entries[size_t(j)] = {int32_t(n.column[j]), f.y[j]};
  });
  gatherWords(f);
  multiply<Direct<C>, T>(compressed, plain, values, f);
}

}  // namespace
}  // namespace ths

THS_DEFINE(spgemm, number_complex,
           (THTensor *compressed, THTensor *plain, THTensor *values, const THSTensor *a, const THSTensor *b),
           ths::spgemm<T>(compressed, plain, values, a, b))
