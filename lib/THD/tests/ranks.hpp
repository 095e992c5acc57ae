// Ranks of a group that are threads here: each has its own connections all the same.
#pragma once

#include <gtest/gtest.h>

#include <thread>

#include <THD/ProcessGroup.h>
#include <THPP/THPP.h>

namespace thd {

// Runs body(group) for each rank of a fresh group, and says what they raised. `meet`: they wait for each other at the
// end.
template <class F>
void with_ranks(int size, const F &body, Milliseconds timeout = Milliseconds(20'000), bool meet = true) {
  const StoreRef store = hash_store();
  std::vector<std::thread> threads;
  for (int rank = 0; rank < size; ++rank)
    threads.emplace_back([&, rank] {
      try {
        GlooOptions options;
        options.interface = "lo";
        options.timeout = timeout;
        const GroupRef group = gloo_group(store, rank, size, options);
        body(*group);
        if (meet) group->barrier();  // nobody leaves while others speak to it
      } catch (const std::exception &error) {
        ADD_FAILURE() << "rank " << rank << ": " << error.what();
      }
    });
  for (std::thread &thread : threads) thread.join();
}

inline Tensor full(std::vector<int64_t> size, double value, THDtype dtype = TH_Float) {
  return thpp::fill_(thpp::empty(size, dtype), thpp::wrapped_number(value));
}
inline bool all_are(const Tensor &tensor, double value) {
  return thpp::all(thpp::eq(tensor, thpp::wrapped_number(value))).item().to_int() != 0;
}

}  // namespace thd
