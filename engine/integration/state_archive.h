/// StateArchive: the numbers of a run as bytes, and back.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "engine/integration/run_report.h"

namespace cardan {

/// One walk over the members serves both ways: collecting, `archive(x)` appends x; giving back, it
/// overwrites x with what was appended. The bytes are those of this build: nobody else reads them.
/// A class shows what is to be kept by `kept()` (kept.h), a struct of others by a `keptOf(x)`.
class StateArchive {
 public:
  /// Collects.
  StateArchive() = default;
  /// Gives back. Throws std::runtime_error, as soon as they do not suffice.
  explicit StateArchive(std::string bytes) : bytes_(std::move(bytes)), isReading_(true) {}

  bool isReading() const { return isReading_; }
  const std::string& bytes() const { return bytes_; }

  template <class T>
  void operator()(T& x) {
    static_assert(!std::is_pointer_v<T> && !std::is_const_v<T>);
    if constexpr (requires { x.kept(); }) {
      std::apply([this](auto&... member) { ((*this)(member), ...); }, x.kept());
    } else if constexpr (requires { keptOf(x); }) {
      std::apply([this](auto&... member) { ((*this)(member), ...); }, keptOf(x));
    } else if constexpr (std::is_trivially_copyable_v<T>) {
      raw(&x, sizeof(T));
    } else {
      several(x);
    }
  }

  /// As many as there are.
  void numbers(std::span<double> x) { raw(x.data(), x.size_bytes()); }

  /// What method's numbers come next, and of how many unknowns. Throws std::invalid_argument,
  /// giving back, where they are of another.
  void owner(std::string_view method, std::size_t unknowns) {
    std::string its(method);
    std::size_t count = unknowns;
    (*this)(its);
    (*this)(count);
    if (its == method && count == unknowns) return;
    throw std::invalid_argument("the state is of another method or system: " + its + " with " +
                                std::to_string(count) + " unknowns");
  }

 private:
  void raw(void* x, std::size_t size) {
    if (!isReading_) {
      bytes_.append(static_cast<const char*>(x), size);
      return;
    }
    if (bytes_.size() - at_ < size) throw std::runtime_error("the state is cut short");
    std::memcpy(x, bytes_.data() + at_, size);
    at_ += size;
  }
  /// Of a list; elements take a byte at least.
  std::size_t count(std::size_t n) {
    raw(&n, sizeof n);
    if (isReading_ && n > bytes_.size() - at_) throw std::runtime_error("the state is cut short");
    return n;
  }

  void several(std::string& x) {
    x.resize(count(x.size()));
    raw(x.data(), x.size());
  }
  void several(std::vector<bool>& x) {
    x.resize(count(x.size()));
    for (std::size_t i = 0; i < x.size(); ++i) {
      bool one = x[i];
      raw(&one, sizeof one);
      x[i] = one;
    }
  }
  template <class T>
  void several(std::vector<T>& x) {
    x.resize(count(x.size()));
    for (T& element : x) (*this)(element);
  }
  template <class T, std::size_t N>
  void several(std::array<T, N>& x) {
    for (T& element : x) (*this)(element);
  }
  template <class T>
  void several(std::optional<T>& x) {
    bool is = x.has_value();
    raw(&is, sizeof is);
    if (!is) x.reset();
    if (is && !x) x.emplace();
    if (is) (*this)(*x);
  }
  template <class... T>
  void several(std::tuple<T...>& x) {
    std::apply([this](auto&... member) { ((*this)(member), ...); }, x);
  }

  std::string bytes_;
  std::size_t at_ = 0;
  bool isReading_ = false;
};

inline auto keptOf(MethodChange& m) { return std::tie(m.time, m.method, m.reason); }

}  // namespace cardan
