// Which of the mistakes in the sources is made: forced in front of every source that has any.
#pragma once

namespace cardan::mutation {

inline constexpr int kMost = 1 << 17;
extern int active;                    ///< the number of the mistake, 0 for none
extern unsigned char reached[kMost];  ///< what was asked for since the test case began

inline bool on(int number) {
  reached[number] = 1;
  return number == active;
}

/// A value of its own, so that both sides of ?: have the same type: Eigen's expressions evaluated.
template <class T>
auto plain(const T& x) {
  if constexpr (requires { x.derived().eval(); }) {
    return x.derived().eval();
  } else {
    return x;
  }
}

}  // namespace cardan::mutation
