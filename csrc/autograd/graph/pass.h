// What the engine tells the rest of the library of the pass that is running.
#pragma once

#include <mutex>
#include <string>

#include <autograd/node.h>

namespace torch::autograd {

// Whether the running pass wants what `node` computes for this edge. True where none is running.
bool wants_edge(const Node &node, const Edge &edge);

// Guards what several threads may look up of one tensor: its accumulator, a view's node, a retained gradient, and hooks.
// Whoever holds it frees no tensor, ends no hook and runs no operator: these may wait for the interpreter's lock.
std::recursive_mutex &state_lock();

// What made a node, for messages: "Mul" of MulBackward0.
std::string call_name(const Node &node);

}  // namespace torch::autograd
