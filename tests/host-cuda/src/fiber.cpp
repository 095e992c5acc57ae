#include "fiber.hpp"

#include <pthread.h>

#if defined __x86_64__ && !defined HOST_CUDA_UCONTEXT

extern "C" void hostcudaSwitch(void **save, void *load);
// The registers that a function must preserve go onto the stack; those of the other one come from its stack.
asm(R"(
  .text
  .hidden hostcudaSwitch
  .globl hostcudaSwitch
  .type hostcudaSwitch, @function
hostcudaSwitch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
  .size hostcudaSwitch, . - hostcudaSwitch
)");

namespace hostcuda {
namespace {
void change(Fiber &from, Fiber &to) { hostcudaSwitch(&from.top, to.top); }
}  // namespace

void prepareFiber(Fiber &fiber, void (*body)()) {
  auto **top = reinterpret_cast<void **>(fiber.high & ~uintptr_t(15));
  *--top = nullptr;  // a return address that body never uses: it finds the stack aligned as after a call
  *--top = reinterpret_cast<void *>(body);
  for (int i = 0; i < 6; i++) *--top = nullptr;
  fiber.top = top;
}
}  // namespace hostcuda

#else

namespace hostcuda {
namespace {
void change(Fiber &from, Fiber &to) { swapcontext(&from.context, &to.context); }
}  // namespace

void prepareFiber(Fiber &fiber, void (*body)()) {
  getcontext(&fiber.context);
  fiber.context.uc_stack.ss_sp = reinterpret_cast<void *>(fiber.low);
  fiber.context.uc_stack.ss_size = fiber.high - fiber.low;
  fiber.context.uc_link = nullptr;
  makecontext(&fiber.context, body, 0);
}
}  // namespace hostcuda

#endif

namespace hostcuda {

void switchFiber(Fiber &from, Fiber &to) {
#if defined __SANITIZE_ADDRESS__
  __sanitizer_start_switch_fiber(&from.fake, reinterpret_cast<void *>(to.low), to.high - to.low);
#endif
  change(from, to);
  enteredFiber(from);
}

void adoptThread([[maybe_unused]] Fiber &fiber) {
#if defined __SANITIZE_ADDRESS__
  pthread_attr_t attributes;
  void *low;
  size_t size;
  pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_getstack(&attributes, &low, &size);
  pthread_attr_destroy(&attributes);
  fiber.low = uintptr_t(low);
  fiber.high = fiber.low + size;
#endif
}

void enteredFiber([[maybe_unused]] Fiber &fiber) {
#if defined __SANITIZE_ADDRESS__
  __sanitizer_finish_switch_fiber(fiber.fake, nullptr, nullptr);
#endif
}

}  // namespace hostcuda
