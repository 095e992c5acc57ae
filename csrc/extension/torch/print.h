// std::cout << tensor: rows of numbers, slices with a heading, and what it is in the last line.
//
//      1 2 3
//      4 5 6
//     [ CPULongType{2,3} ]
#pragma once

#include <algorithm>
#include <ostream>
#include <sstream>
#include <string>

#include <torch/tensor.h>

namespace torch {
namespace detail {

inline std::string shown(const Scalar &number) {
  if (number.kind == TH_KIND_uint) return text(number.to<uint64_t>());
  if (!number.isFloatingPoint()) return text(number.toLong());
  std::ostringstream stream;
  stream.precision(5);
  stream << number.toDouble();
  return stream.str();
}

// One row, or one number in a line of its own.
inline void print_row(std::ostream &stream, const Tensor &row, size_t width) {
  const Tensor line = row.view(-1);
  for (int64_t i = 0; i < line.numel(); ++i) {
    const std::string number = shown(line[i].item());
    stream << ' ' << std::string(width - std::min(width, number.size()), ' ') << number;
  }
  stream << '\n';
}

inline void print_part(std::ostream &stream, const Tensor &part, size_t width, const std::string &path) {
  if (part.dim() > 2) {
    for (int64_t i = 0; i < part.size(0); ++i)
      print_part(stream, part[i], width, text(path, path.empty() ? "" : ",", i + 1));
    return;
  }
  if (!path.empty()) stream << '(' << path << ",.,.) = \n";
  if (part.dim() == 0)
    print_row(stream, part, 0);
  else
    for (int64_t i = 0; i < part.size(0); ++i) print_row(stream, part[i], width);
}

}  // namespace detail

inline std::ostream &operator<<(std::ostream &stream, const Tensor &tensor) {
  if (!tensor.defined()) return stream << "[ Tensor (undefined) ]";
  const Tensor values = tensor.detach().contiguous();
  if (values.numel() && !tensor.is_meta()) {
    size_t width = 0;
    const Tensor line = values.view(-1);
    for (int64_t i = 0; i < line.numel(); ++i) width = std::max(width, detail::shown(line[i].item()).size());
    detail::print_part(stream, values, width, "");
  }
  stream << "[ " << toString(tensor.device().type()) << tensor.dtype() << "Type{";
  for (int64_t d = 0; d < tensor.dim(); ++d) stream << (d ? "," : "") << tensor.size(d);
  return stream << "} ]";
}

}  // namespace torch
