/// Variables that several classes describe alike: orientations, truth values, vectors and matrices
/// from parameters.
#pragma once

#include <string>

#include "components/variables.h"

namespace cardan::describe {

/// `name`.T (3 x 3) and `name`.w (3) of an orientation f(const View<S>&).
template <class F>
void orientation(Variables& v, const std::string& name, const std::string& about, F f) {
  v.array({name + ".T", "1", about + ": transformation matrix", Level::Position}, {3, 3},
          [f](const auto& x, auto* out) {
            const auto R = f(x);
            const auto& T = frames::to_T(R);
            for (int i = 0; i < 9; ++i) out[i] = T(i / 3, i % 3);
          });
  v.vector({name + ".w", "rad/s", about + ": angular velocity", Level::Velocity},
           [f](const auto& x) {
             const auto R = f(x);
             return Vector3<std::decay_t<decltype(x.time())>>(frames::angularVelocity2(R));
           });
}

/// Whether f(const View<S>&) holds, as 1 or 0.
template <class F>
void truth(Variables& v, VariableInfo info, F f) {
  info.isBoolean = true;
  v.scalar(info, [f](const auto& x) { return (f(x) ? 1.0 : 0.0) + 0.0 * x.time(); });
}

/// A vector f() of parameters.
template <class F>
void vector(Variables& v, const std::string& name, const std::string& unit,
            const std::string& about, F f) {
  v.vector({name, unit, about, Level::Constant}, [f](const auto&) { return f(); });
}

/// A number f() of parameters.
template <class F>
void scalar(Variables& v, const std::string& name, const std::string& unit,
            const std::string& about, F f) {
  v.scalar({name, unit, about, Level::Constant}, [f](const auto&) { return f(); });
}

/// A 3 x 3 matrix f() of parameters.
template <class F>
void matrix(Variables& v, const std::string& name, const std::string& unit,
            const std::string& about, F f) {
  v.array({name, unit, about, Level::Constant}, {3, 3}, [f](const auto&, auto* out) {
    const Matrix3d M = f();
    for (int i = 0; i < 9; ++i) out[i] = M(i / 3, i % 3);
  });
}

}  // namespace cardan::describe
