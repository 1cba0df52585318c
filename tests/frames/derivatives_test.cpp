#include <functional>
#include <string>
#include <utility>

#include "support.h"

using namespace cardan;
using namespace cardan::frames;
using namespace cardan::test;
namespace TM = cardan::frames::TransformationMatrices;
namespace Q4 = cardan::frames::Quaternions;

namespace {

template <class S>
using List = std::vector<S>;

/// Hands out the arguments of a function from one list of numbers. Several are taken as
/// std::pair{x.a(), x.b()}: braces fix the order.
template <class S>
class Arguments {
 public:
  explicit Arguments(const List<S>& x) : x_(x) {}
  S number() { return x_.at(next_++); }
  Vector3<S> vector() {
    const S a = number(), b = number(), c = number();
    return {a, b, c};
  }
  Vector4<S> quaternion() {
    const S a = number(), b = number(), c = number(), d = number();
    return {a, b, c, d};
  }
  Matrix3<S> matrix() {
    Matrix3<S> T;
    for (int i = 0; i < 9; ++i) T(i) = number();
    return T;
  }
  Orientation<S> orientation() {
    const Matrix3<S> T = matrix();
    return {T, vector()};
  }

 private:
  const List<S>& x_;
  std::size_t next_ = 0;
};

/// A function of frames/ from a list of numbers to a list of numbers, for both scalars. `kinds`
/// says what the numbers are: v vector, e unit vector, a angle, q unit quaternion, T rotation
/// matrix.
struct Function {
  std::string name, kinds;
  std::function<List<double>(const List<double>&)> f;
  std::function<List<Dual>(const List<Dual>&)> g;
};

template <class S>
void append(List<S>& out, const S& x) {
  out.push_back(x);
}
template <class S, int R, int C>
void append(List<S>& out, const Eigen::Matrix<S, R, C>& x) {
  for (Eigen::Index i = 0; i < x.size(); ++i) out.push_back(x(i));
}
template <class S>
void append(List<S>& out, const Orientation<S>& R) {
  append(out, R.T);
  append(out, R.w);
}

template <class F>
Function function(const std::string& name, const std::string& kinds, F f) {
  auto apply = [f]<class S>(const List<S>& x) {
    Arguments<S> arguments(x);
    List<S> out;
    append(out, f(arguments));
    return out;
  };
  return {name, kinds, [apply](const List<double>& x) { return apply(x); },
          [apply](const List<Dual>& x) { return apply(x); }};
}

std::vector<Function> matrixFunctions() {
  return {
      function("TM.orientationConstraint", "T",
               [](auto& x) { return TM::orientationConstraint(x.matrix()); }),
      function("TM.equalityConstraint", "TT",
               [](auto& x) {
                 const auto [a, b] = std::pair{x.matrix(), x.matrix()};
                 return TM::equalityConstraint(a, b);
               }),
      function("TM.angularVelocity1", "TT",
               [](auto& x) {
                 const auto [a, b] = std::pair{x.matrix(), x.matrix()};
                 return TM::angularVelocity1(a, b);
               }),
      function("TM.angularVelocity2", "TT",
               [](auto& x) {
                 const auto [a, b] = std::pair{x.matrix(), x.matrix()};
                 return TM::angularVelocity2(a, b);
               }),
      function("TM.resolve1", "Tv",
               [](auto& x) {
                 const auto [a, b] = std::pair{x.matrix(), x.vector()};
                 return TM::resolve1(a, b);
               }),
      function("TM.resolve2", "Tv",
               [](auto& x) {
                 const auto [a, b] = std::pair{x.matrix(), x.vector()};
                 return TM::resolve2(a, b);
               }),
      function("TM.multipleResolve1", "TT",
               [](auto& x) {
                 const auto [a, b] = std::pair{x.matrix(), x.matrix()};
                 return TM::multipleResolve1(a, b);
               }),
      function("TM.multipleResolve2", "TT",
               [](auto& x) {
                 const auto [a, b] = std::pair{x.matrix(), x.matrix()};
                 return TM::multipleResolve2(a, b);
               }),
      function("TM.resolveDyade1", "TT",
               [](auto& x) {
                 const auto [a, b] = std::pair{x.matrix(), x.matrix()};
                 return TM::resolveDyade1(a, b);
               }),
      function("TM.resolveDyade2", "TT",
               [](auto& x) {
                 const auto [a, b] = std::pair{x.matrix(), x.matrix()};
                 return TM::resolveDyade2(a, b);
               }),
      function("TM.inverseRotation", "T", [](auto& x) { return TM::inverseRotation(x.matrix()); }),
      function("TM.relativeRotation", "TT",
               [](auto& x) {
                 const auto [a, b] = std::pair{x.matrix(), x.matrix()};
                 return TM::relativeRotation(a, b);
               }),
      function("TM.absoluteRotation", "TT",
               [](auto& x) {
                 const auto [a, b] = std::pair{x.matrix(), x.matrix()};
                 return TM::absoluteRotation(a, b);
               }),
      function("TM.planarRotation", "ea",
               [](auto& x) {
                 const auto [e, a] = std::pair{x.vector(), x.number()};
                 return TM::planarRotation(e, a);
               }),
      function("TM.planarRotation, fixed axis", "a",
               [](auto& x) { return TM::planarRotation(Vector3d(0.6, 0, 0.8), x.number()); }),
      function("TM.axisRotation", "a", [](auto& x) { return TM::axisRotation(2, x.number()); }),
      function("TM.axesRotations", "aaa",
               [](auto& x) {
                 return TM::axesRotations({3, 1, 3}, x.vector());
               }),
      function("TM.axesRotationsAngles", "T",
               [](auto& x) {
                 return TM::axesRotationsAngles(x.matrix(), {3, 1, 2}, 0.3);
               }),
      function("TM.smallRotation", "T", [](auto& x) { return TM::smallRotation(x.matrix()); }),
      function("TM.smallRotationWithResidues", "T",
               [](auto& x) { return TM::smallRotationWithResidues(x.matrix()); }),
      function("TM.from_nxy", "vv",
               [](auto& x) {
                 const auto [a, b] = std::pair{x.vector(), x.vector()};
                 return TM::from_nxy(a, b);
               }),
      function("TM.from_nxz", "vv",
               [](auto& x) {
                 const auto [a, b] = std::pair{x.vector(), x.vector()};
                 return TM::from_nxz(a, b);
               }),
      function("TM.from_T_inv", "T", [](auto& x) { return TM::from_T_inv(x.matrix()); }),
      function("TM.from_Q", "q", [](auto& x) { return TM::from_Q(x.quaternion()); }),
      function("TM.to_Q", "T", [](auto& x) { return TM::to_Q(x.matrix(), Vector4d(1, 2, -3, 1)); }),
      function("TM.to_vector", "T", [](auto& x) { return TM::to_vector(x.matrix()); }),
      function("TM.to_exy", "T", [](auto& x) { return TM::to_exy(x.matrix()); }),
  };
}

std::vector<Function> quaternionFunctions() {
  return {
      function("Q.orientationConstraint", "q",
               [](auto& x) { return Q4::orientationConstraint(x.quaternion()); }),
      function("Q.equalityConstraint", "qq",
               [](auto& x) {
                 const auto [a, b] = std::pair{x.quaternion(), x.quaternion()};
                 return Q4::equalityConstraint(a, b);
               }),
      function("Q.angularVelocity1", "qq",
               [](auto& x) {
                 const auto [a, b] = std::pair{x.quaternion(), x.quaternion()};
                 return Q4::angularVelocity1(a, b);
               }),
      function("Q.angularVelocity2", "qq",
               [](auto& x) {
                 const auto [a, b] = std::pair{x.quaternion(), x.quaternion()};
                 return Q4::angularVelocity2(a, b);
               }),
      function("Q.resolve1", "qv",
               [](auto& x) {
                 const auto [a, b] = std::pair{x.quaternion(), x.vector()};
                 return Q4::resolve1(a, b);
               }),
      function("Q.resolve2", "qv",
               [](auto& x) {
                 const auto [a, b] = std::pair{x.quaternion(), x.vector()};
                 return Q4::resolve2(a, b);
               }),
      function("Q.multipleResolve1", "qT",
               [](auto& x) {
                 const auto [a, b] = std::pair{x.quaternion(), x.matrix()};
                 return Q4::multipleResolve1(a, b);
               }),
      function("Q.multipleResolve2", "qT",
               [](auto& x) {
                 const auto [a, b] = std::pair{x.quaternion(), x.matrix()};
                 return Q4::multipleResolve2(a, b);
               }),
      function("Q.inverseRotation", "q",
               [](auto& x) { return Q4::inverseRotation(x.quaternion()); }),
      function("Q.relativeRotation", "qq",
               [](auto& x) {
                 const auto [a, b] = std::pair{x.quaternion(), x.quaternion()};
                 return Q4::relativeRotation(a, b);
               }),
      function("Q.absoluteRotation", "qq",
               [](auto& x) {
                 const auto [a, b] = std::pair{x.quaternion(), x.quaternion()};
                 return Q4::absoluteRotation(a, b);
               }),
      function("Q.planarRotation", "ea",
               [](auto& x) {
                 const auto [e, a] = std::pair{x.vector(), x.number()};
                 return Q4::planarRotation(e, a);
               }),
      function("Q.smallRotation", "q", [](auto& x) { return Q4::smallRotation(x.quaternion()); }),
      function("Q.from_T", "T", [](auto& x) { return Q4::from_T(x.matrix()); }),
      function("Q.from_T_inv", "T", [](auto& x) { return Q4::from_T_inv(x.matrix()); }),
      function("Q.to_T", "q", [](auto& x) { return Q4::to_T(x.quaternion()); }),
      function("Q.to_T_inv", "q", [](auto& x) { return Q4::to_T_inv(x.quaternion()); }),
      function("rotationVector(Q)", "q", [](auto& x) { return rotationVector(x.quaternion()); }),
  };
}

std::vector<Function> orientationFunctions() {
  return {
      function("length", "v", [](auto& x) { return length(x.vector()); }),
      function("normalize", "e", [](auto& x) { return normalize(x.vector()); }),
      function("orientationConstraint", "Tv",
               [](auto& x) { return orientationConstraint(x.orientation()); }),
      function("equalityConstraint", "TvTv",
               [](auto& x) {
                 const auto [a, b] = std::pair{x.orientation(), x.orientation()};
                 return std::decay_t<decltype(a)>::equalityConstraint(a, b);
               }),
      function("angularVelocity1", "Tv", [](auto& x) { return angularVelocity1(x.orientation()); }),
      function("angularVelocity2", "Tv", [](auto& x) { return angularVelocity2(x.orientation()); }),
      function("resolve1", "Tvv",
               [](auto& x) {
                 const auto [R, v] = std::pair{x.orientation(), x.vector()};
                 return resolve1(R, v);
               }),
      function("resolve2", "Tvv",
               [](auto& x) {
                 const auto [R, v] = std::pair{x.orientation(), x.vector()};
                 return resolve2(R, v);
               }),
      function("resolveRelative", "TvTvv",
               [](auto& x) {
                 const auto [a, b] = std::pair{x.orientation(), x.orientation()};
                 return resolveRelative(x.vector(), a, b);
               }),
      function("resolveDyade1", "TvT",
               [](auto& x) {
                 const auto [R, D] = std::pair{x.orientation(), x.matrix()};
                 return resolveDyade1(R, D);
               }),
      function("resolveDyade2", "TvT",
               [](auto& x) {
                 const auto [R, D] = std::pair{x.orientation(), x.matrix()};
                 return resolveDyade2(R, D);
               }),
      function("inverseRotation", "Tv", [](auto& x) { return inverseRotation(x.orientation()); }),
      function("relativeRotation", "TvTv",
               [](auto& x) {
                 const auto [a, b] = std::pair{x.orientation(), x.orientation()};
                 return relativeRotation(a, b);
               }),
      function("absoluteRotation", "TvTv",
               [](auto& x) {
                 const auto [a, b] = std::pair{x.orientation(), x.orientation()};
                 return absoluteRotation(a, b);
               }),
      function("planarRotation", "eaa",
               [](auto& x) {
                 const auto [e, a] = std::pair{x.vector(), x.number()};
                 return planarRotation(e, a, x.number());
               }),
      function("planarRotationAngle", "evv",
               [](auto& x) {
                 const auto [e, v1] = std::pair{x.vector(), x.vector()};
                 return planarRotationAngle(e, v1, x.vector());
               }),
      function("axisRotation", "aa",
               [](auto& x) {
                 const auto [a, w] = std::pair{x.number(), x.number()};
                 return axisRotation(3, a, w);
               }),
      function("axesRotations", "aaav",
               [](auto& x) {
                 const auto [a, w] = std::pair{x.vector(), x.vector()};
                 return axesRotations({1, 2, 3}, a, w);
               }),
      function("axesRotationsAngles {1,2,3}", "Tv",
               [](auto& x) { return axesRotationsAngles(x.orientation()); }),
      function("axesRotationsAngles {3,1,3}", "Tv",
               [](auto& x) {
                 return axesRotationsAngles(x.orientation(), {3, 1, 3}, 1.0);
               }),
      function("smallRotation", "Tv", [](auto& x) { return smallRotation(x.orientation()); }),
      function("smallRotationWithResidues", "Tv",
               [](auto& x) { return smallRotationWithResidues(x.orientation()); }),
      function("from_nxy", "vv",
               [](auto& x) {
                 const auto [a, b] = std::pair{x.vector(), x.vector()};
                 return from_nxy(a, b);
               }),
      function("from_nxz", "vv",
               [](auto& x) {
                 const auto [a, b] = std::pair{x.vector(), x.vector()};
                 return from_nxz(a, b);
               }),
      function("from_T", "Tv",
               [](auto& x) {
                 const auto [T, w] = std::pair{x.matrix(), x.vector()};
                 return from_T(T, w);
               }),
      function("from_T2", "TT",
               [](auto& x) {
                 const auto [T, dT] = std::pair{x.matrix(), x.matrix()};
                 return from_T2(T, dT);
               }),
      function("from_T_inv", "Tv",
               [](auto& x) {
                 const auto [T, w] = std::pair{x.matrix(), x.vector()};
                 return from_T_inv(T, w);
               }),
      function("from_Q", "qv",
               [](auto& x) {
                 const auto [q, w] = std::pair{x.quaternion(), x.vector()};
                 return from_Q(q, w);
               }),
      function("to_Q", "Tv", [](auto& x) { return to_Q(x.orientation()); }),
      function("to_T_inv", "Tv", [](auto& x) { return to_T_inv(x.orientation()); }),
      function("to_vector", "Tv", [](auto& x) { return to_vector(x.orientation()); }),
      function("to_exy", "Tv", [](auto& x) { return to_exy(x.orientation()); }),
      function("rotationVector", "Tv", [](auto& x) { return rotationVector(x.orientation()); }),
      function("resolve1_der", "Tvvv",
               [](auto& x) {
                 const auto [R, v] = std::pair{x.orientation(), x.vector()};
                 return Internal::resolve1_der(R, v, x.vector());
               }),
      function("resolve2_der", "Tvvv",
               [](auto& x) {
                 const auto [R, v] = std::pair{x.orientation(), x.vector()};
                 return Internal::resolve2_der(R, v, x.vector());
               }),
      function("resolveRelative_der", "TvTvvv",
               [](auto& x) {
                 const auto [a, b] = std::pair{x.orientation(), x.orientation()};
                 const auto [v, der_v] = std::pair{x.vector(), x.vector()};
                 return Internal::resolveRelative_der(v, a, b, der_v);
               }),
      function("from_anglesd", "aaav",
               [](auto& x) {
                 const auto [a, w] = std::pair{x.vector(), x.vector()};
                 return Internal::from_anglesd({2, 3, 1}, a, w);
               }),
  };
}

std::vector<Function> allFunctions() {
  std::vector<Function> all = matrixFunctions();
  for (const auto& more : {quaternionFunctions(), orientationFunctions()}) {
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

template <class X>
void put(List<double>& out, const X& x) {
  for (Eigen::Index i = 0; i < x.size(); ++i) out.push_back(x(i));
}

/// Arguments of the given kinds where every function is smooth.
List<double> smoothArguments(const std::string& kinds, Random& random) {
  List<double> x;
  for (char kind : kinds) {
    const Vector3d e = random.unitVector();
    const double angle = random.number(3.0);
    if (kind == 'v') put(x, Vector3d(e * 1.3));
    if (kind == 'e') put(x, e);
    if (kind == 'a') x.push_back(angle);
    if (kind == 'q') put(x, Q4::planarRotation(e, angle));
    if (kind == 'T') put(x, TM::planarRotation(e, angle));
  }
  return x;
}

/// Arguments of the given kinds, each drawn from the nastiest there are.
List<double> nastyArguments(const std::string& kinds, Random& random) {
  static const auto vectors = nastyVectors();
  static const auto axes = nastyAxes();
  static const auto angles = nastyAngles();
  static const auto rotations = exactRotations();
  List<double> x;
  for (char kind : kinds) {
    const Vector3d e = axes[random.below(axes.size())];
    const double angle = angles[random.below(angles.size())];
    if (kind == 'v') put(x, vectors[random.below(vectors.size())]);
    if (kind == 'e') put(x, e);
    if (kind == 'a') x.push_back(angle);
    if (kind == 'q') put(x, Q4::planarRotation(e, angle));
    if (kind == 'T') {
      put(x, random.below(2) ? TM::planarRotation(e, angle)
                             : rotations[random.below(rotations.size())]);
    }
  }
  return x;
}

List<Dual> seeded(const List<double>& x, std::size_t first) {
  List<Dual> y(x.begin(), x.end());
  for (std::size_t i = first; i < x.size() && i < first + kLanes; ++i) {
    y[i].setLane(static_cast<int>(i - first), 1.0);
  }
  return y;
}

}  // namespace

TEST_CASE(
    "frames: dual numbers have the value of double and the derivative of central differences") {
  constexpr double h = 1e-5;
  // Rounding: a dozen eps over h, in functions of which inner derivatives reach about 5.
  constexpr double rounding = 60 * kEps / h;
  Random random(81);
  for (const Function& function : allFunctions()) {
    CAPTURE(function.name);
    for (int n = 0; n < 10; ++n) {
      const List<double> x = smoothArguments(function.kinds, random);
      const List<double> y = function.f(x);
      for (std::size_t first = 0; first < x.size(); first += kLanes) {
        const List<Dual> dual = function.g(seeded(x, first));
        REQUIRE(dual.size() == y.size());
        for (std::size_t i = first; i < x.size() && i < first + kLanes; ++i) {
          auto differences = [&](double step) {
            List<double> above = x, below = x;
            above[i] += step;
            below[i] -= step;
            List<double> d = function.f(above);
            const List<double> y0 = function.f(below);
            for (std::size_t k = 0; k < d.size(); ++k) d[k] = (d[k] - y0[k]) / (2 * step);
            return d;
          };
          const List<double> d = differences(h), d2 = differences(2 * h);
          for (std::size_t k = 0; k < y.size(); ++k) {
            // The truncation error of d is a third of its distance to d2.
            const double truncation = std::abs(d[k] - d2[k]);
            CHECK(distance(dual[k].v, y[k]) <= kAlgebra);
            CHECK(distance(dual[k].lane(static_cast<int>(i - first)), d[k]) <=
                  truncation + rounding * std::max(1.0, std::abs(d[k])));
            CHECK(truncation <= 1e-2 * std::max(1.0, std::abs(d[k])));  // else it says nothing
          }
        }
      }
    }
  }
}

TEST_CASE("frames: no NaN and no infinity in values or derivatives, however nasty the arguments") {
  Random random(82);
  for (const Function& function : allFunctions()) {
    CAPTURE(function.name);
    for (int n = 0; n < 300; ++n) {
      const List<double> x = nastyArguments(function.kinds, random);
      const List<double> y = function.f(x);
      for (std::size_t first = 0; first < x.size(); first += kLanes) {
        const List<Dual> dual = function.g(seeded(x, first));
        for (std::size_t k = 0; k < y.size(); ++k) {
          CHECK(isfinite(dual[k]));
          CHECK(std::isfinite(y[k]));
        }
      }
    }
  }
}
