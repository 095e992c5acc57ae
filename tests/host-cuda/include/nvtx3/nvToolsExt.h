/* NVTX 3, as far as it is carried out here: headers alone. The first call looks for a tool, the library that
 * NVTX_INJECTION64_PATH names, by the protocol of the real headers, so that one tool serves both. */
#ifndef HOST_CUDA_NVTX_H
#define HOST_CUDA_NVTX_H

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define NVTX_VERSION 3
#define NVTX_NO_PUSH_POP_TRACKING (-2)
typedef uint64_t nvtxRangeId_t;

/* The functions of the module "core" that are here, by their numbers in the tool's table. */
enum { hostNvtxMark = 2, hostNvtxStart = 5, hostNvtxEnd = 7, hostNvtxPush = 9, hostNvtxPop = 11, hostNvtxCount = 16 };
typedef void (*HostNvtxFunction)(void);
static HostNvtxFunction hostNvtxFunctions[hostNvtxCount];
static HostNvtxFunction *hostNvtxTable[hostNvtxCount + 1];

static int hostNvtxModule(int module, HostNvtxFunction ***table, unsigned *size) {
  if (module != 1) return 0;
  *table = hostNvtxTable;
  *size = hostNvtxCount;
  return 1;
}
struct HostNvtxCallbacks {
  size_t size;
  int (*module)(int module, HostNvtxFunction ***table, unsigned *size);
};
static const void *hostNvtxExport(uint32_t table) {
  static const struct HostNvtxCallbacks callbacks = {sizeof(struct HostNvtxCallbacks), hostNvtxModule};
  return table == 1 ? &callbacks : NULL;
}
static void hostNvtxLook(void) {
  const char *const path = getenv("NVTX_INJECTION64_PATH");
  void *const tool = path ? dlopen(path, RTLD_LAZY) : NULL;
  int (*attach)(const void *(*)(uint32_t)) = tool ? (int (*)(const void *(*)(uint32_t)))dlsym(
                                                        tool, "InitializeInjectionNvtx2")
                                                  : NULL;
  for (int i = 0; i < hostNvtxCount; i++) hostNvtxTable[i] = &hostNvtxFunctions[i];
  if (!attach || !attach(hostNvtxExport))
    for (int i = 0; i < hostNvtxCount; i++) hostNvtxFunctions[i] = NULL;
}
static inline HostNvtxFunction hostNvtx(int function) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, hostNvtxLook);
  return hostNvtxFunctions[function];
}

static inline void nvtxMarkA(const char *text) {
  HostNvtxFunction f = hostNvtx(hostNvtxMark);
  if (f) ((void (*)(const char *))f)(text);
}
static inline nvtxRangeId_t nvtxRangeStartA(const char *text) {
  HostNvtxFunction f = hostNvtx(hostNvtxStart);
  return f ? ((nvtxRangeId_t (*)(const char *))f)(text) : 0;
}
static inline void nvtxRangeEnd(nvtxRangeId_t range) {
  HostNvtxFunction f = hostNvtx(hostNvtxEnd);
  if (f) ((void (*)(nvtxRangeId_t))f)(range);
}
static inline int nvtxRangePushA(const char *text) {
  HostNvtxFunction f = hostNvtx(hostNvtxPush);
  return f ? ((int (*)(const char *))f)(text) : NVTX_NO_PUSH_POP_TRACKING;
}
static inline int nvtxRangePop(void) {
  HostNvtxFunction f = hostNvtx(hostNvtxPop);
  return f ? ((int (*)(void))f)() : NVTX_NO_PUSH_POP_TRACKING;
}

#endif
