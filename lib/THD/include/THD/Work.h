// A collective operation that has begun.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <THD/Store.h>
#include <THPP/Tensor.h>

namespace thd {

inline constexpr Milliseconds kNoTimeout{0};  // in a call: the group's

class THD_API Work {
 public:
  THD_API Work(std::string name, int rank);
  THD_API virtual ~Work();
  Work(const Work &) = delete;

  THD_API bool is_completed() const;
  THD_API bool is_success() const;                // it has completed, and not failed
  THD_API std::exception_ptr exception() const;   // nullptr: it has not failed (yet)
  // Returns when it is done. Raises what it failed with; ErrorKind::Backend if the timeout passes first.
  THD_API void wait(Milliseconds timeout = kNoTimeout);
  // The tensors that it fills, once it is done.
  THD_API const std::vector<thpp::Tensor> &result() const;
  // Of a received message: who sent it. Raises for others.
  THD_API int source_rank() const;
  // "all_reduce"
  const std::string &name() const { return name_; }

  // Called once it is done, at once if it is; in the thread that completes it. It must not raise.
  THD_API void then(std::function<void(Work &)> call);

  // For those who make it. `complete`: what the first wait() does, where nobody else completes it: such a work is not
  // known to be done before somebody has waited.
  THD_API void complete_by(std::function<void(Milliseconds)> complete);
  THD_API void finish(std::exception_ptr failure = nullptr);
  std::vector<thpp::Tensor> results;
  int source = -1;

 private:
  struct State;
  const std::string name_;
  const int rank_;
  std::unique_ptr<State> state_;
};
using WorkRef = std::shared_ptr<Work>;

}  // namespace thd
