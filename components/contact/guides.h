/// Guides: directions in which joints hold the surfaces of a contact, so that no force moves them there.
#pragma once

#include "components/component.h"
#include "components/laws/held.h"

namespace cardan::contact {

/// One direction or two; found where surfaces stick, and again where these have come elsewhere.
///
/// The motion that is left is across them, and rows about that alone never contradict a joint, whatever an
/// integration leaves of slips. Friction takes no share of what the joint bears along them.
class Guides {
 public:
  void declare(Structure& s) { numbers_.declareApart(s, "guides", {0, 0, 0, 0, 0, 0, 0, 0, 0}); }

  template <class S>
  int count(const View<S>& x) const {
    return count(direction(x, 0), direction(x, 1));
  }
  template <class S>
  Vector3d direction(const View<S>& x, int k) const {
    return read([&](int i) { return numbers_(x, i); }, k);
  }
  /// > 0 as long as the surfaces touch within `size` [m] of where they did.
  double guard(const View<double>& x, const Vector3d& r_0, double size) const {
    return count(x) > 0 ? size - (r_0 - direction(x, kPlace)).norm() : 1;
  }
  /// Directions of the loads `f` [N], at most two, of surfaces that touch at r_0; more are none.
  void hold(Modes& m, const std::vector<Vector3d>& f, const Vector3d& r_0) const {
    const bool few = f.size() <= 2;
    for (int k = 0; k < 2; ++k) {
      const bool is = few && k < static_cast<int>(f.size());
      write(m, k, is ? Vector3d(f[k].normalized()) : Vector3d(0, 0, 0));
    }
    write(m, kPlace, r_0);
  }
  void forget(Modes& m) const { hold(m, {}, {0, 0, 0}); }
  int count(const Modes& m) const {
    const auto number = [&](int i) { return numbers_.get(m, i); };
    return count(read(number, 0), read(number, 1));
  }

 private:
  static constexpr int kPlace = 2;

  static int count(const Vector3d& first, const Vector3d& second) {
    return (first.norm() > 0 ? 1 : 0) + (second.norm() > 0 ? 1 : 0);
  }
  template <class Number>
  static Vector3d read(Number number, int k) {
    return {number(3 * k), number(3 * k + 1), number(3 * k + 2)};
  }
  void write(Modes& m, int k, const Vector3d& v) const {
    for (int i = 0; i < 3; ++i) numbers_.hold(m, 3 * k + i, v[i]);
  }

  Held numbers_;
};

}  // namespace cardan::contact
