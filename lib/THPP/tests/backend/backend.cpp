// A backend in a library of its own, as a test knows it: tensors on the device "cuda" whose memory is the host's, two
// kernels, and a count of how often each was called. TH and THPP do not know this file.
#include <THPP/Backend.h>

namespace {

void *allocate(void *, THDevice, size_t nbytes) { return TH_alloc(nbytes); }
void release(void *, THDevice, void *data, size_t nbytes) { TH_free(data, nbytes); }
void copy(void *, THDevice, void *to, const void *from, size_t nbytes) { __builtin_memcpy(to, from, nbytes); }
constexpr THAllocator kAllocator = {allocate, release, copy, nullptr};

float *data(const THTensor *t) { return static_cast<float *>(t->storage->data) + t->offset; }

int called = 0;

// Contiguous tensors only, or a number that is the CPU's.
void add(THTensor *r, const THTensor *a, THScalar alpha, const THTensor *b) {
  ++called;
  THTensor_resize(r, a->ndim, a->size);
  const float by = float(alpha.kind == TH_KIND_float ? alpha.value.d : double(alpha.value.i));
  for (int64_t i = 0; i < a->numel; ++i) {
    const float other = b->device == TH_CPU ? float(THTensor_item(b).value.d) : data(b)[i];
    data(r)[i] = data(a)[i] + by * other;
  }
}

void zero(THTensor *self) {
  ++called;
  for (int64_t i = 0; i < self->numel; ++i) data(self)[i] = 0;
}

THGenerator *generator(THDevice) { return THGenerator_default(); }
THNNState *state(THDevice) { return nullptr; }

thpp::Kernels kernels{};
constexpr thpp::BackendTable kTable = {&kernels, generator, state};

}  // namespace

extern "C" __attribute__((visibility("default"))) void load_backend() {
  kernels.cadd[TH_Float] = add;
  kernels.THTensor_zero = zero;
  TH_setAllocator(TH_CUDA, &kAllocator);
  thpp::register_backend(TH_CUDA, TH_STRIDED, &kTable);
}
extern "C" __attribute__((visibility("default"))) void unload_backend() {
  thpp::register_backend(TH_CUDA, TH_STRIDED, nullptr);
}
extern "C" __attribute__((visibility("default"))) int calls_of_backend() { return called; }
