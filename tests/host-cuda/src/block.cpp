// Carries out a kernel: block after block, the threads of a block on fibers.
//
// A fiber takes one thread after the other, until one of them waits for others. Then the next fiber goes on: with a thread
// that need not wait any more, or with new ones. So a kernel without barriers runs on one fiber.
#include "block.hpp"

#include "memory.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>

#define HOST_CUDA_OWN extern "C" __attribute__((visibility("default"), tls_model("initial-exec"))) __thread
// const to kernels, and these to the compiler in kernels only.
HOST_CUDA_OWN uint3 hostcudaThreadIdx asm("threadIdx");
HOST_CUDA_OWN uint3 hostcudaBlockIdx asm("blockIdx");
HOST_CUDA_OWN uint3 hostcudaBlockDim asm("blockDim");
HOST_CUDA_OWN uint3 hostcudaGridDim asm("gridDim");
__thread uint3 hostcudaThreadIdx, hostcudaBlockIdx, hostcudaBlockDim, hostcudaGridDim;

namespace hostcuda {

__thread Running running;

namespace {

enum class State : unsigned char { ready, atBarrier, inWarp, done };
struct Thread {
  State state = State::ready;
  unsigned argument = 0;
  int width = 0;
  Fiber *fiber = nullptr;
  unsigned long long value = 0;  // what it brings; then what it gets
};

struct Warp {  // what its waiting lanes wait for
  unsigned arrived = 0, mask = 0;
  WarpOperation operation{};
  Site site{};
};

struct Variable {  // in shared memory
  const void *key;
  size_t begin, bytes;
};

constexpr size_t stackSize = 128 * 1024;
constexpr size_t sharedSize = 1 << 20, dynamicBegin = 512 * 1024, gap = 64;

struct Block {
  const Launch *launch = nullptr;
  std::vector<Thread> threads;
  std::vector<std::vector<Warp>> warps;  // their parts
  std::vector<int> order;  // in which they start
  std::vector<int> ready;  // a queue
  size_t readyBegin = 0;
  std::vector<Fiber *> idle, all;
  int next = 0, current = 0, finished = 0, waiting = 0;
  BlockOperation operation{};
  Site barrier{};
  int votes = 0, result = 0;
  std::vector<Variable> variables;
  size_t sharedUsed = 0;
  Fiber scheduler;
  Fiber *fiber = nullptr;
  cudaError_t error = cudaSuccess;
  bool stopped = false;
};
auto &block = *new Block;  // for as long as the process lives
unsigned char *shared;  // static variables, then, from dynamicBegin, the dynamic ones

bool operator==(Site a, Site b) { return a.line == b.line && (a.file == b.file || std::strcmp(a.file, b.file) == 0); }

std::string text(Site site) { return std::string(site.file) + ":" + std::to_string(site.line); }

std::string text(uint3 v) {
  return "(" + std::to_string(v.x) + ", " + std::to_string(v.y) + ", " + std::to_string(v.z) + ")";
}

uint3 indexOf(int thread) {
  const uint3 size = block.launch->block;
  const unsigned i = unsigned(thread);
  if (i < size.x) return {i, 0, 0};
  return {i % size.x, i / size.x % size.y, i / (size.x * size.y)};
}

void makeCurrent(int thread) {
  block.current = thread;
  hostcudaThreadIdx = indexOf(thread);
}

void report(cudaError_t error, const std::string &what, bool ofThread) {
  if (block.error) return;
  block.error = error;
  const std::string thread = ofThread ? ", thread " + text(hostcudaThreadIdx) : "";
  std::fprintf(stderr, "host CUDA: %s: %s\n  in %s on device %d, block %s%s\n", cudaGetErrorName(error), what.c_str(),
               nameOf(block.launch->function).c_str(), block.launch->device, text(hostcudaBlockIdx).c_str(),
               thread.c_str());
}

void toScheduler() { switchFiber(*block.fiber, block.scheduler); }

// Lets others go on until this thread may.
void wait(State state) {
  Thread &self = block.threads[size_t(block.current)];
  self.state = state;
  self.fiber = block.fiber;
  toScheduler();
}

void release(int thread) {
  block.threads[size_t(thread)].state = State::ready;
  if (thread != block.current) block.ready.push_back(thread);
}

[[noreturn]] void fiberBody() {
  enteredFiber(*block.fiber);
  const Launch *launch;
  for (;;) {
    launch = block.launch;
    while (block.next < int(block.order.size()) && block.readyBegin == block.ready.size()) {
      makeCurrent(block.order[size_t(block.next++)]);
      launch->invoke(launch->function, launch->arguments.data());
      block.threads[size_t(block.current)].state = State::done;
      block.finished++;
    }
    block.idle.push_back(block.fiber);
    toScheduler();
  }
}

Fiber *newFiber() {
  auto *fiber = new Fiber;
  char *stack = static_cast<char *>(
      mmap(nullptr, stackSize + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  if (stack == MAP_FAILED || mprotect(stack, 4096, PROT_NONE)) {
    std::perror("host CUDA: a thread's stack");
    std::abort();
  }
  fiber->low = uintptr_t(stack) + 4096;
  fiber->high = fiber->low + stackSize;
  prepareFiber(*fiber, fiberBody);
  block.all.push_back(fiber);
  return fiber;
}

void enter(Fiber *fiber) {
  block.fiber = fiber;
  running.stackLow = fiber->low;
  running.stackSize = stackSize;
  switchFiber(block.scheduler, *fiber);
}

// What is wrong when no thread can go on.
void reportDeadlock() {
  const auto at = [](State state) {
    return std::find_if(block.threads.begin(), block.threads.end(), [=](const Thread &t) { return t.state == state; });
  };
  const auto end = block.threads.end();
  if (const auto lane = at(State::inWarp); lane != end) {
    makeCurrent(int(lane - block.threads.begin()));
    const auto &parts = block.warps[size_t(block.current) / lanesPerWarp];
    const auto part = std::find_if(parts.begin(), parts.end(), [](const Warp &w) { return w.arrived != 0; });
    report(cudaErrorLaunchFailure,
           "deadlock: not all lanes of the mask come to the warp's operation at " + text(part->site), true);
    return;
  }
  report(cudaErrorLaunchFailure,
         "deadlock: " + std::to_string(block.waiting) + " of " + std::to_string(block.threads.size()) +
             " threads wait at " + text(block.barrier) + ", the others have ended",
         false);
}

void makeShared() {
  shared = static_cast<unsigned char *>(
      mmap(nullptr, sharedSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  if (shared == MAP_FAILED) std::abort();
  ASAN_POISON_MEMORY_REGION(shared, sharedSize);
}

void prepareShared() {
  ASAN_UNPOISON_MEMORY_REGION(shared + dynamicBegin, block.launch->shared);
  for (const Variable &v : block.variables) std::memset(shared + v.begin, 0xa5, v.bytes);
  std::memset(shared + dynamicBegin, 0xa5, block.launch->shared);
}

void runBlock() {
  const size_t count = block.threads.size();
  for (Thread &thread : block.threads) thread.state = State::ready;
  for (auto &parts : block.warps)
    for (Warp &part : parts) part.arrived = 0;
  block.ready.clear();
  block.readyBegin = 0;
  block.next = block.finished = block.waiting = 0;
  if (settings().randomOrder) std::shuffle(block.order.begin(), block.order.end(), randomNumbers());
  prepareShared();
  while (!block.stopped) {
    if (block.readyBegin < block.ready.size()) {
      if (settings().randomOrder)
        std::swap(block.ready[block.readyBegin],
                  block.ready[block.readyBegin + randomNumbers()() % (block.ready.size() - block.readyBegin)]);
      const int thread = block.ready[block.readyBegin++];
      if (block.readyBegin == block.ready.size()) block.ready.clear(), block.readyBegin = 0;
      makeCurrent(thread);
      enter(block.threads[size_t(thread)].fiber);
    } else if (block.next < int(count)) {
      Fiber *fiber = block.idle.empty() ? newFiber() : block.idle.back();
      if (!block.idle.empty()) block.idle.pop_back();
      enter(fiber);
    } else if (block.finished == int(count)) {
      return;
    } else {
      reportDeadlock();
      block.stopped = true;
    }
  }
  // The fibers of the threads that will never end begin anew.
  block.idle = block.all;
  for (Fiber *fiber : block.all) {
    ASAN_UNPOISON_MEMORY_REGION(reinterpret_cast<void *>(fiber->low), stackSize);
    prepareFiber(*fiber, fiberBody);
  }
}

unsigned laneOf(int thread) { return unsigned(thread) % lanesPerWarp; }

// All lanes of the mask have come: gives each its result.
void completeWarp(int first, Warp &warp) {
  const unsigned mask = warp.mask;
  warp.arrived = 0;
  const auto lane = [=](unsigned i) -> Thread & { return block.threads[size_t(first) + i]; };
  unsigned long long results[lanesPerWarp] = {};
  unsigned ballot = 0;
  for (unsigned i = 0; i < lanesPerWarp; i++)
    if (mask >> i & 1 && lane(i).value) ballot |= 1u << i;
  for (unsigned i = 0; i < lanesPerWarp; i++) {
    if (!(mask >> i & 1)) continue;
    const Thread &self = lane(i);
    const unsigned width = unsigned(self.width), low = i & ~(width - 1), a = self.argument;
    unsigned from = i;
    switch (warp.operation) {
      case warpSync: break;
      case warpIndex: from = low + (a & (width - 1)); break;
      case warpUp: from = i - low >= a ? i - a : i; break;
      case warpDown: from = a < low + width - i ? i + a : i; break;
      case warpXor: from = (i ^ a) < low + width ? i ^ a : i; break;
      case warpBallot: results[i] = ballot; continue;
      case warpAny: results[i] = ballot != 0; continue;
      case warpAll: results[i] = ballot == mask; continue;
      case warpMatchAny:
      case warpMatchAll: {
        unsigned same = 0;
        for (unsigned j = 0; j < lanesPerWarp; j++)
          if (mask >> j & 1 && lane(j).value == self.value) same |= 1u << j;
        results[i] = warp.operation == warpMatchAny || same == mask ? same : 0;
        continue;
      }
    }
    if (!(mask >> (from & 31) & 1)) {
      makeCurrent(first + int(i));
      stopKernel(cudaErrorLaunchFailure, "a shuffle at " + text(warp.site) + " reads lane " + std::to_string(from) +
                                             ", which the mask does not name");
    }
    results[i] = lane(from).value;
  }
  for (unsigned i = 0; i < lanesPerWarp; i++)
    if (mask >> i & 1) {
      lane(i).value = results[i];
      release(first + int(i));
    }
}

}  // namespace

void stopKernel(cudaError_t error, const std::string &what) {
  report(error, what, true);
  block.stopped = true;
  toScheduler();
  std::abort();  // it is never entered again
}

bool isShared(uintptr_t address, size_t size) {
  const uintptr_t offset = address - uintptr_t(shared);
  if (offset >= sharedSize) return false;
  if (offset >= dynamicBegin) return offset + size <= dynamicBegin + block.launch->shared;
  return std::any_of(block.variables.begin(), block.variables.end(),
                     [=](const Variable &v) { return offset >= v.begin && offset + size <= v.begin + v.bytes; });
}

std::string describeShared(uintptr_t address) {
  const uintptr_t offset = address - uintptr_t(shared);
  if (!shared || offset >= sharedSize) return "";
  if (offset >= dynamicBegin)
    return "shared memory, byte " + std::to_string(offset - dynamicBegin) + " of " +
           std::to_string(block.launch->shared) + " dynamic ones";
  for (const Variable &v : block.variables)
    if (offset >= v.begin && offset < v.begin + v.bytes + gap)
      return "shared memory, byte " + std::to_string(offset - v.begin) + " of a variable of " + std::to_string(v.bytes);
  return "shared memory, before a variable";
}

unsigned spansOf(int index) {
  unsigned spans = 1u << index | 1u << maxDevices;
  for (int i = 0; i < maxDevices; i++)
    if (device(index).peers[i]) spans |= 1u << i;
  return spans;
}

cudaError_t runLaunch(const Launch &launch) {
  prepareThread();
  adoptThread(block.scheduler);
  if (!shared) makeShared();
  block.launch = &launch;
  block.error = cudaSuccess;
  block.stopped = false;
  block.variables.clear();
  block.sharedUsed = 0;
  const size_t count = size_t(launch.block.x) * launch.block.y * launch.block.z;
  block.threads.resize(count);
  block.warps.resize((count + lanesPerWarp - 1) / lanesPerWarp);
  block.order.resize(count);
  std::iota(block.order.begin(), block.order.end(), 0);
  hostcudaBlockDim = launch.block;
  hostcudaGridDim = launch.grid;
  running.spans = spansOf(launch.device);

  const uint3 grid = launch.grid;
  const uint64_t blocks = uint64_t(grid.x) * grid.y * grid.z;
  // In random order: by a step that has no divisor in common with their number.
  uint64_t step = 1, at = 0;
  if (settings().randomOrder) {
    at = randomNumbers()() % blocks;
    do step = 1 + randomNumbers()() % blocks;
    while (std::gcd(step, blocks) != 1);
  }
  for (uint64_t i = 0; i < blocks && !block.stopped; i++) {
    hostcudaBlockIdx = {unsigned(at % grid.x), unsigned(at / grid.x % grid.y),
                        unsigned(at / (uint64_t(grid.x) * grid.y))};
    runBlock();
    at = (at + step) % blocks;
  }
  running.spans = 0;
  ASAN_POISON_MEMORY_REGION(shared, sharedSize);
  limitStaticShared(launch.function, block.sharedUsed);
  return block.error;
}

}  // namespace hostcuda

using namespace hostcuda;

extern "C" {

void *hostcudaShared(const void *key, size_t bytes, size_t alignment) {
  for (const Variable &v : block.variables)
    if (v.key == key) return shared + v.begin;
  size_t begin = gap;
  if (!block.variables.empty()) begin = block.variables.back().begin + block.variables.back().bytes + gap;
  begin = (begin + alignment - 1) / alignment * alignment;
  block.sharedUsed = (block.sharedUsed + alignment - 1) / alignment * alignment + bytes;
  if (block.sharedUsed > maxSharedMemory ||
      block.sharedUsed + block.launch->shared > dynamicSharedLimit(block.launch->function))
    stopKernel(cudaErrorInvalidValue, "too much shared memory: " + std::to_string(block.sharedUsed) + " static and " +
                                          std::to_string(block.launch->shared) + " dynamic bytes");
  block.variables.push_back({key, begin, bytes});
  ASAN_UNPOISON_MEMORY_REGION(shared + begin, bytes);
  std::memset(shared + begin, 0xa5, bytes);
  return shared + begin;
}

void *hostcudaDynamicShared() { return shared + dynamicBegin; }

int hostcudaBarrier(BlockOperation operation, int value, Site site) {
  if (!running.spans) std::abort();
  if (block.waiting == 0) {
    block.barrier = site;
    block.operation = operation;
    block.votes = 0;
  } else if (!(block.barrier == site)) {
    stopKernel(cudaErrorLaunchFailure,
               "threads of a block wait at different barriers: " + text(block.barrier) + " and " + text(site));
  }
  block.votes += value != 0;
  const int count = int(block.threads.size());
  if (++block.waiting < count) {
    wait(State::atBarrier);
    return block.result;
  }
  block.waiting = 0;
  switch (operation) {
    case blockSync: block.result = 0; break;
    case blockOr: block.result = block.votes != 0; break;
    case blockAnd: block.result = block.votes == count; break;
    case blockCount: block.result = block.votes; break;
  }
  const int result = block.result;
  for (int i = 0; i < count; i++) release(i);
  return result;
}

unsigned long long hostcudaWarp(WarpOperation operation, unsigned mask, unsigned long long value, unsigned argument,
                                int width, Site site) {
  if (!running.spans) std::abort();
  const unsigned lane = laneOf(block.current);
  const int first = block.current - int(lane);
  Thread &self = block.threads[size_t(block.current)];
  self.argument = argument;
  self.width = width;
  self.value = value;
  if (!(mask >> lane & 1))
    stopKernel(cudaErrorLaunchFailure, "the mask at " + text(site) + " does not name the thread's own lane");
  if (width < 1 || width > lanesPerWarp || (width & (width - 1)))
    stopKernel(cudaErrorLaunchFailure, "a shuffle's width at " + text(site) + " is " + std::to_string(width));
  const int last = 31 - __builtin_clz(mask);
  if (first + last >= int(block.threads.size()))
    stopKernel(cudaErrorLaunchFailure,
               "the mask at " + text(site) + " names lane " + std::to_string(last) + ", which the block does not have");
  // Parts of a warp with disjoint masks may wait at different places.
  auto &parts = block.warps[size_t(first) / lanesPerWarp];
  Warp *warp = nullptr;
  for (Warp &part : parts) {
    if (part.arrived && !(part.mask & mask)) continue;
    if (part.arrived && (part.mask != mask || part.operation != operation || !(part.site == site)))
      stopKernel(cudaErrorLaunchFailure, "lanes of a warp meet at different operations, or with different masks: " +
                                             text(part.site) + " and " + text(site));
    if (part.arrived || !warp) warp = &part;
  }
  if (!warp) warp = &parts.emplace_back();
  if (!warp->arrived) *warp = {0, mask, operation, site};
  warp->arrived |= 1u << lane;
  if (warp->arrived == mask)
    completeWarp(first, *warp);
  else
    wait(State::inWarp);
  return self.value;
}

// Nothing makes the lanes of a warp go together: a thread can be sure of itself only.
unsigned hostcudaActiveMask() { return 1u << laneOf(block.current); }

long long hostcudaClock() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000ll + t.tv_nsec;
}

void hostcudaTrap() {
  if (!running.spans) std::abort();
  stopKernel(cudaErrorLaunchFailure, "__trap");
}

void hostcudaAssertFail(const char *condition, const char *file, unsigned line, const char *function) noexcept {
  const std::string what = std::string(file) + ":" + std::to_string(line) + ": " + function + ": assertion `" +
                           condition + "` failed";
  if (!running.spans) {
    std::fprintf(stderr, "%s\n", what.c_str());
    std::abort();
  }
  stopKernel(cudaErrorAssert, what);
}

}  // extern "C"
