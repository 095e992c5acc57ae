/* The dtype table. Every list of element types in the project is derived from TH_DTYPES. */
#ifndef TH_DTYPE_H
#define TH_DTYPE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
#include <TH/THComplex.hpp>
#include <TH/THFloat8.hpp>
#include <TH/THHalf.hpp>
typedef th::half THHalf;
typedef th::bfloat16 THBFloat16;
typedef th::float8_e4m3fn THFloat8_e4m3fn;
typedef th::float8_e5m2 THFloat8_e5m2;
typedef th::float8_e4m3fnuz THFloat8_e4m3fnuz;
typedef th::float8_e5m2fnuz THFloat8_e5m2fnuz;
typedef th::complex<th::half> THComplexHalf;
typedef th::complex<float> THComplexFloat;
typedef th::complex<double> THComplexDouble;
#else
typedef struct THHalf {
  uint16_t bits;
} THHalf;         /* IEEE 754 binary16 */
typedef struct THBFloat16 {
  uint16_t bits;
} THBFloat16; /* the upper half of a binary32 */
/* Sign, exponent, fraction; fn: no infinities; uz: no negative zero, whose code is NaN. */
typedef struct THFloat8_e4m3fn {
  uint8_t bits;
} THFloat8_e4m3fn;
typedef struct THFloat8_e5m2 {
  uint8_t bits;
} THFloat8_e5m2;
typedef struct THFloat8_e4m3fnuz {
  uint8_t bits;
} THFloat8_e4m3fnuz;
typedef struct THFloat8_e5m2fnuz {
  uint8_t bits;
} THFloat8_e5m2fnuz;
typedef struct THComplexHalf {
  THHalf real, imag;
} THComplexHalf;
typedef struct THComplexFloat {
  float real, imag;
} THComplexFloat;
typedef struct THComplexDouble {
  double real, imag;
} THComplexDouble;
#endif

/* X(Name, element type, kind, kernels, name in Python, second name in Python or "")
 * Name is the word in TH##Name##Tensor_...; kind is one of bool, int, float, complex. `kernels` is the dtype whose
 * kernels compute: its own, or another's for one that is only stored, that is kept, moved and converted: on the bits of
 * an unsigned integer, on wider floating-point numbers. None of the lists below names those.
 * The order is that of promotion inside a kind; the row number is the THDtype. */
#define TH_DTYPES(X)                                  \
  X(Bool, bool, bool, Bool, "bool", "") \
  X(Byte, uint8_t, int, Byte, "uint8", "") \
  X(Char, int8_t, int, Char, "int8", "") \
  X(Short, int16_t, int, Short, "int16", "short") \
  X(Int, int32_t, int, Int, "int32", "int") \
  X(Long, int64_t, int, Long, "int64", "long") \
  X(UInt16, uint16_t, int, Short, "uint16", "") \
  X(UInt32, uint32_t, int, Int, "uint32", "") \
  X(UInt64, uint64_t, int, Long, "uint64", "") \
  X(Float8_e4m3fn, THFloat8_e4m3fn, float, Float, "float8_e4m3fn", "") \
  X(Float8_e5m2, THFloat8_e5m2, float, Float, "float8_e5m2", "") \
  X(Float8_e4m3fnuz, THFloat8_e4m3fnuz, float, Float, "float8_e4m3fnuz", "") \
  X(Float8_e5m2fnuz, THFloat8_e5m2fnuz, float, Float, "float8_e5m2fnuz", "") \
  X(Half, THHalf, float, Half, "float16", "half") \
  X(BFloat16, THBFloat16, float, BFloat16, "bfloat16", "") \
  X(Float, float, float, Float, "float32", "float") \
  X(Double, double, float, Double, "float64", "double") \
  X(ComplexHalf, THComplexHalf, complex, ComplexFloat, "complex32", "chalf") \
  X(ComplexFloat, THComplexFloat, complex, ComplexFloat, "complex64", "cfloat") \
  X(ComplexDouble, THComplexDouble, complex, ComplexDouble, "complex128", "cdouble")

typedef enum THDtype {
#define TH_ENUMERATOR(Name, type, kind, kernels, name, alias) TH_##Name,
  TH_DTYPES(TH_ENUMERATOR)
#undef TH_ENUMERATOR
      TH_NUM_DTYPES
} THDtype;

/* uint is the kind of no dtype: that of a number of uint64 which int64 does not hold. */
typedef enum THKind { TH_KIND_bool, TH_KIND_int, TH_KIND_uint, TH_KIND_float, TH_KIND_complex } THKind;

/* Which dtypes a kernel exists for: the second argument of TH_FUNCTION and TH_DEFINE.
 * `kinds` of the rows, spelled out because the preprocessor cannot filter a table;
 * tests/dtype.cpp compares these lists with the table. `all` means real: most kernels know no
 * complex numbers, and those that do say so by `…_complex`. */
#define TH_FOR_floating(X, ...) \
  X(Half, __VA_ARGS__) X(BFloat16, __VA_ARGS__) X(Float, __VA_ARGS__) X(Double, __VA_ARGS__)
#define TH_FOR_float_double(X, ...) X(Float, __VA_ARGS__) X(Double, __VA_ARGS__)
#define TH_FOR_integral(X, ...)                                           \
  X(Byte, __VA_ARGS__) X(Char, __VA_ARGS__) X(Short, __VA_ARGS__) X(Int, __VA_ARGS__) \
  X(Long, __VA_ARGS__)
#define TH_FOR_number(X, ...) TH_FOR_integral(X, __VA_ARGS__) TH_FOR_floating(X, __VA_ARGS__)
#define TH_FOR_bits(X, ...) X(Bool, __VA_ARGS__) TH_FOR_integral(X, __VA_ARGS__)
#define TH_FOR_all(X, ...) X(Bool, __VA_ARGS__) TH_FOR_number(X, __VA_ARGS__)
#define TH_FOR_complex(X, ...) X(ComplexFloat, __VA_ARGS__) X(ComplexDouble, __VA_ARGS__)
#define TH_FOR_lapack(X, ...) TH_FOR_float_double(X, __VA_ARGS__) TH_FOR_complex(X, __VA_ARGS__) /* what it computes in */
#define TH_FOR_floating_complex(X, ...) TH_FOR_floating(X, __VA_ARGS__) TH_FOR_complex(X, __VA_ARGS__)
#define TH_FOR_number_complex(X, ...) TH_FOR_number(X, __VA_ARGS__) TH_FOR_complex(X, __VA_ARGS__)
#define TH_FOR_all_complex(X, ...) TH_FOR_all(X, __VA_ARGS__) TH_FOR_complex(X, __VA_ARGS__)

/* A number on its way into a kernel: what a Python bool, int, float or complex holds. */
typedef struct THScalar {
  THKind kind;
  union {
    int64_t i;  /* kind bool (0 or 1) and int */
    double d;   /* kind float; kind complex: the real part */
    uint64_t u; /* kind uint */
  } value;
  double imag; /* kind complex */
} THScalar;

#endif
