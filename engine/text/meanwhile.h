/// Meanwhile: a variable has another value until the end of a scope, however that is left.
#pragma once

#include <utility>

namespace cardan {

template <class T>
class Meanwhile {
 public:
  Meanwhile(T& variable, T value)
      : variable_(variable), before_(std::exchange(variable, std::move(value))) {}
  ~Meanwhile() { variable_ = std::move(before_); }
  Meanwhile(const Meanwhile&) = delete;

 private:
  T& variable_;
  T before_;
};

}  // namespace cardan
