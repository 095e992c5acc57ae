#include "guard.h"

#include <mutex>
#include <utility>

#include "autocast.h"
#include "dispatch_mode.h"
#include "observer.h"
#include "sparse_rows.h"

namespace thpp {

constinit std::atomic<uint8_t> guarded_by_threads{0};

namespace {

std::mutex counting;
int guarding = 0;

const Operators *recorder = nullptr;
thread_local int off = 0;
thread_local bool grad = true, inference = false;

Untyped slot_of(const Operators &table, size_t slot) { return reinterpret_cast<const Untyped *>(&table)[slot]; }

}  // namespace

std::span<const Op> operators() { return {kOperators, sizeof(Operators) / sizeof(Untyped)}; }

void set_recorder(const Operators *table) { recorder = table; }

bool grad_mode() { return grad && !inference; }
void set_grad_mode(bool on) { grad = on; }
bool wants_grad_mode() { return grad; }

bool inference_mode() { return inference; }
void set_inference_mode(bool on) {
  inference = on;
  TH_setInferenceMode(on);
}
void check_inference_write() {
  if (!inference)
    THError(TH_ERROR_RUNTIME,
            "Inplace update to inference tensor outside InferenceMode is not allowed. A clone made outside of it is a "
            "tensor like any other, and can be written.");
}

bool is_recording() { return !off && recorder && grad_mode(); }

NoRecording::NoRecording() { ++off; }
NoRecording::~NoRecording() { --off; }

RecordingAnew::RecordingAnew() : before_(std::exchange(off, 0)) {}
RecordingAnew::~RecordingAnew() { off = before_; }

void count_guarding(int more) {
  const std::lock_guard lock(counting);
  guarding += more;
  guarded_by_threads = guarding ? TH_GUARDED : 0;
}

Untyped intercept(size_t slot, uint8_t flags) {
  if (observed_call != kUnobserved && observed_call != slot) return slot_of(kObserved, slot);
  if (flags & TH_SPARSE)
    if (const Untyped row = sparse_row(slot)) return row;
  const Untyped unrecorded = asked_mode ? slot_of(kDispatch, slot) : nullptr;
  if (off) return unrecorded;
  const Op &op = kOperators[slot];
  if (const Operators *casts = autocast_rows(flags)) {
    if (const Untyped cast = slot_of(*casts, slot)) return cast;
    // The recorder runs the body as one piece, so that its parts are computed as they are where something is recorded.
    if (op.derivative == Derivative::Formula && recorder)
      if (const Untyped whole = slot_of(*recorder, slot)) return whole;
  }
  if (!grad_mode() || !(flags & TH_RECORDED)) return unrecorded;
  if (const Untyped recorded = recorder ? slot_of(*recorder, slot) : nullptr) return recorded;
  if (recorder && op.form == Form::Out &&
      (op.derivative == Derivative::Formula || op.derivative == Derivative::Composite))
    THError(TH_ERROR_RUNTIME,
            "%s(): functions with out=... arguments don't support automatic differentiation, but one of the arguments "
            "requires grad.",
            op.name);
  // Written in place by an operator without a derivative, a tensor would keep a past that is no longer its own.
  if (op.derivative == Derivative::Formula || op.derivative == Derivative::Inner ||
      (op.derivative == Derivative::None && op.form == Form::InPlace))
    THError(TH_ERROR_NOT_IMPLEMENTED, "%s(): a tensor asks for its operations to be recorded, which %s", op.name,
            recorder ? "this operator does not support" : "no loaded library does");
  return unrecorded;
}

}  // namespace thpp
