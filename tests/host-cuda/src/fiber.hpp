// Stacks for the threads of a block, and the switch between them: a few instructions, no system call.
#ifndef HOST_CUDA_SRC_FIBER_HPP
#define HOST_CUDA_SRC_FIBER_HPP

#include <cstddef>
#include <cstdint>

#if defined __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#endif
#if !defined __x86_64__ || defined HOST_CUDA_UCONTEXT
#include <ucontext.h>
#endif

namespace hostcuda {

struct Fiber {
#if defined __x86_64__ && !defined HOST_CUDA_UCONTEXT
  void *top = nullptr;  // of the stack, where the registers lie while it waits
#else
  ucontext_t context;
#endif
  uintptr_t low = 0, high = 0;  // the stack
#if defined __SANITIZE_ADDRESS__
  void *fake = nullptr;
#endif
};

// Makes a fiber that will run `body`, which never returns.
void prepareFiber(Fiber &fiber, void (*body)());
void adoptThread(Fiber &fiber);  // the calling thread's own stack
void switchFiber(Fiber &from, Fiber &to);
void enteredFiber(Fiber &fiber);  // called first after every switch to `fiber`

}  // namespace hostcuda

#endif
