// Whether oneDNN may be used. It is remembered without it, too.
#include <atomic>
#include <THNN/OneDNN.h>

static std::atomic<bool> enabled = true;

bool THNNOneDNN_isEnabled(void) { return enabled.load(std::memory_order_relaxed); }
void THNNOneDNN_setEnabled(bool on) { enabled.store(on, std::memory_order_relaxed); }
