/* The numbers from a first one on. */
#ifndef HOST_CUDA_COUNTING_ITERATOR_H
#define HOST_CUDA_COUNTING_ITERATOR_H

#include <cstddef>
#include <iterator>

namespace thrust {

template <class T>
class counting_iterator {
 public:
  using value_type = T;
  using reference = T;
  using pointer = const T *;
  using difference_type = ptrdiff_t;
  using iterator_category = std::random_access_iterator_tag;

  counting_iterator() = default;
  explicit counting_iterator(T first) : value_(first) {}
  T operator*() const { return value_; }
  T operator[](ptrdiff_t i) const { return T(value_ + i); }
  counting_iterator operator+(ptrdiff_t i) const { return counting_iterator(T(value_ + i)); }
  counting_iterator &operator++() {
    ++value_;
    return *this;
  }

 private:
  T value_{};
};

template <class T>
counting_iterator<T> make_counting_iterator(T first) {
  return counting_iterator<T>(first);
}

}  // namespace thrust

#endif
