// A backend in a library of its own, for tests: tensors on the device "cuda", three kernels, and a count of how
// often they were called. Its memory is the host's under other addresses: who takes them for the host's own ends there.
// TH and THPP do not know this file.
#include <cstring>
#include <utility>

#include <THPP/Backend.h>

namespace {

constexpr uintptr_t kApart = uintptr_t(1) << 62;
void *of_device(void *data) { return reinterpret_cast<void *>(reinterpret_cast<uintptr_t>(data) ^ kApart); }
void *of_host(const void *data) { return reinterpret_cast<void *>(reinterpret_cast<uintptr_t>(data) ^ kApart); }

void *allocate(void *, THDevice, size_t nbytes) { return of_device(TH_alloc(nbytes)); }
void release(void *, THDevice, void *data, size_t nbytes) { TH_free(of_host(data), nbytes); }
void copy(void *, THDevice, void *to, const void *from, size_t nbytes) {
  std::memcpy(of_host(to), of_host(from), nbytes);
}

void *address(const THTensor *t) { return t->device == TH_CPU ? t->storage->data : of_host(t->storage->data); }
template <class T = float>
T *data(const THTensor *t) {
  return static_cast<T *>(address(t)) + t->offset;
}

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

// Of the rules the one that keeps nothing: p += factor g.
void step(THNNState *, THNNRule, const THNNStep *steps, int64_t n, bool) {
  ++called;
  for (const THNNStep *s = steps; s < steps + n; ++s)
    for (int64_t i = 0; i < s->tensors[0]->numel; ++i)
      data(s->tensors[0])[i] += float(s->numbers[4]) * data(s->tensors[1])[i];
}

// Contiguous tensors of four or eight bytes to the element, from and to any device.
bool waits = true, waited = false;
bool set_non_blocking(bool wanted) { return !std::exchange(waits, !wanted); }
void copy_elements(THTensor *self, const THTensor *src) {
  ++called;
  waited = waits;
  const size_t item = TH_elementSize(THDtype(src->dtype));
  if (item == 8)
    std::memcpy(data<double>(self), data<double>(src), size_t(src->numel) * item);
  else
    std::memcpy(data(self), data(src), size_t(src->numel) * item);
}
constexpr THAllocator kAllocator = {allocate, release, copy, nullptr, copy_elements};

THGenerator *generator(THDevice) { return THGenerator_default(); }
THNNState *state(THDevice) { return nullptr; }

// A layout of its own, on this device and on the CPU.
constexpr auto kLayout = THLayout(1);
int called_of_layout = 0;
void add_of_layout(THTensor *, const THTensor *, THScalar, const THTensor *) { ++called_of_layout; }
void zero_of_layout(THTensor *) { ++called_of_layout; }
thpp::Kernels of_layout{};
constexpr thpp::BackendTable kTableOfLayout = {&of_layout, generator, state, nullptr, nullptr, nullptr};

thpp::Kernels kernels{};
constexpr thpp::BackendTable kTable = {&kernels, generator, state, nullptr, nullptr, set_non_blocking};

}  // namespace

extern "C" __attribute__((visibility("default"))) void load_backend() {
  kernels.cadd[TH_Float] = add;
  kernels.THTensor_zero = zero;
  kernels.THTensor_copy = copy_elements;
  kernels.THNNOptimizer_steps = step;
  TH_setAllocator(TH_CUDA, &kAllocator);
  thpp::register_backend(TH_CUDA, TH_STRIDED, &kTable);
  of_layout.cadd[TH_Float] = add_of_layout;
  of_layout.THTensor_zero = zero_of_layout;
  for (const THDeviceKind device : {TH_CPU, TH_CUDA}) thpp::register_backend(device, kLayout, &kTableOfLayout);
}
extern "C" __attribute__((visibility("default"))) void unload_backend() {
  thpp::register_backend(TH_CUDA, TH_STRIDED, nullptr);
  for (const THDeviceKind device : {TH_CPU, TH_CUDA}) thpp::register_backend(device, kLayout, nullptr);
}
extern "C" __attribute__((visibility("default"))) void *address_of(const THTensor *t) { return address(t); }
extern "C" __attribute__((visibility("default"))) bool waited_for_copy() { return waited; }
extern "C" __attribute__((visibility("default"))) int calls_of_backend() { return called; }
extern "C" __attribute__((visibility("default"))) int calls_of_layout() { return called_of_layout; }
