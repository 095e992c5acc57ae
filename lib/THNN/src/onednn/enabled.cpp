// Whether oneDNN may be used. It is remembered without it, too.
#include <atomic>
#include <THNN/OneDNN.h>

static std::atomic<bool> enabled = true;

bool THNN_usesOneDNN(void) { return enabled.load(std::memory_order_relaxed); }
void THNN_useOneDNN(bool on) { enabled.store(on, std::memory_order_relaxed); }
