/* Vectors of two to four numbers, with CUDA's alignments, and dim3. */
#ifndef HOST_CUDA_VECTOR_TYPES_H
#define HOST_CUDA_VECTOR_TYPES_H

#ifdef __cplusplus
#define HOST_CUDA_ALIGN(n) alignas(n)
#else
#define HOST_CUDA_ALIGN(n) _Alignas(n)
#endif

/* X(name, element, alignment of the vector of two, of four): those of one and of three have their element's. */
#define HOST_CUDA_VECTORS(X) \
  X(char, signed char, 2, 4) \
  X(uchar, unsigned char, 2, 4) \
  X(short, short, 4, 8) \
  X(ushort, unsigned short, 4, 8) \
  X(int, int, 8, 16) \
  X(uint, unsigned, 8, 16) \
  X(long, long, 16, 16) \
  X(ulong, unsigned long, 16, 16) \
  X(longlong, long long, 16, 16) \
  X(ulonglong, unsigned long long, 16, 16) \
  X(float, float, 8, 16) \
  X(double, double, 16, 16)

#define HOST_CUDA_VECTOR(name, type, two, four) \
  typedef struct name##1 { type x; } name##1; \
  typedef struct name##2 { HOST_CUDA_ALIGN(two) type x; type y; } name##2; \
  typedef struct name##3 { type x, y, z; } name##3; \
  typedef struct name##4 { HOST_CUDA_ALIGN(four) type x; type y, z, w; } name##4;
HOST_CUDA_VECTORS(HOST_CUDA_VECTOR)
#undef HOST_CUDA_VECTOR

typedef struct dim3 {
  unsigned x, y, z;
#ifdef __cplusplus
  constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return uint3{x, y, z}; }
#endif
} dim3;

#endif
