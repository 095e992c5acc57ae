// What is transformed, for the loops of fft.cpp, which are compiled for several targets.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "kit/tensor.hpp"

namespace th::fft {

// Memory aligned to 64 bytes, of which each thread keeps what it has released for its next transforms, up to 32 MiB:
// to get fresh pages from the system takes longer than to transform what is in them.
void *allocate(size_t size);  // nullptr if there is no more
void release(void *block);

enum class Kind : uint8_t { C2C, R2C, C2R };

// Lines along one dimension of two tensors. Offsets and steps count parts (floats or doubles), of which a
// complex number is two.
struct Job {
  Kind kind;
  bool forward, onesided;  // onesided: see THTensorFft.h
  double scale;
  int64_t n;             // length of the transform
  int64_t given = 0;     // elements of an input line
  int64_t inStep = 0, outStep = 0;
  const void *in = nullptr;
  void *out = nullptr;
  int ndim = 0;          // the other dimensions, from the innermost
  int64_t size[64], inStride[64], outStride[64];
  int64_t lines = 1;

  bool halved = false;  // a real line of even length is taken for half as many complex numbers
  bool plain = false;   // infinities and NaN go through the arithmetic like any other number
  int64_t length() const { return halved ? n / 2 : n; }
};

// Either line by line, or several lines side by side, one in each lane of vectors.
using Maker = std::shared_ptr<const void> (*)(int64_t length);
struct Loops {
  Maker plan;
  void (*run)(const Job &job, const void *plan, const void *roots, int64_t begin, int64_t end);  // groups of lines
  int lanes;  // in a group
};
struct LoopTable {
  Loops single, beside;
  Maker roots;  // for lines that are halved
  int64_t leastAlone[2];  // from this length on many lines are faster one by one: of complex numbers, of real ones
  bool (*suitsOne)(int64_t length);
};

void transform(Kind kind, THTensor *r, const THTensor *t, int dim, int64_t n, bool forward, double scale, bool onesided,
               THDtype real, bool plain);

// nonfinite.cpp: lines that hold infinities or NaN, of doubles if `twice`. The result of one that begins at this offset
// stands beside `out`, where it is stored when the lines next to it have been.
struct Redone {
  int64_t out;
  Ref result;
};
Redone redo(const Job &job, int64_t in, int64_t out, bool twice);
void store(const Job &job, const Redone &line, bool twice);

}  // namespace th::fft
