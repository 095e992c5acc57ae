/* A function of what another iterator gives. */
#ifndef HOST_CUDA_TRANSFORM_ITERATOR_H
#define HOST_CUDA_TRANSFORM_ITERATOR_H

#include <cstddef>
#include <iterator>
#include <type_traits>

namespace thrust {

template <class Function, class Iterator>
class transform_iterator {
 public:
  using reference = std::invoke_result_t<Function, typename std::iterator_traits<Iterator>::reference>;
  using value_type = std::decay_t<reference>;
  using pointer = const value_type *;
  using difference_type = ptrdiff_t;
  using iterator_category = std::random_access_iterator_tag;

  transform_iterator(Iterator iterator, Function function) : iterator_(iterator), function_(function) {}
  reference operator*() const { return function_(*iterator_); }
  reference operator[](ptrdiff_t i) const { return function_(iterator_[i]); }
  transform_iterator operator+(ptrdiff_t i) const { return transform_iterator(iterator_ + i, function_); }
  transform_iterator &operator++() {
    ++iterator_;
    return *this;
  }

 private:
  Iterator iterator_;
  Function function_;
};

template <class Function, class Iterator>
transform_iterator<Function, Iterator> make_transform_iterator(Iterator iterator, Function function) {
  return transform_iterator<Function, Iterator>(iterator, function);
}

}  // namespace thrust

#endif
