/// Shapes: what a component looks like, as data; who draws it, and how, is known elsewhere.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "components/view.h"

namespace cardan {

/// Numbers of a picture: constant, or a function of an instant and of inputs of the component that
/// only the picture reads, whose values the model holds.
class PictureValue {
 public:
  /// `in`: the elements of all inputs, one after another.
  using Function = std::function<void(const View<double>& x, const double* in, double* out)>;
  struct Input {
    std::string name;  ///< as the component has read it
    int size = 1;
  };

  PictureValue(double x) : constant_{x} {}                                    // NOLINT
  PictureValue(const Vector3d& v) : constant_{v[0], v[1], v[2]} {}            // NOLINT
  PictureValue(std::vector<double> values) : constant_(std::move(values)) {}  // NOLINT

  /// f(const View<double>&) -> double; `level`: what it reads.
  template <class F>
  static PictureValue scalar(Level level, F f) {
    return {1, level, {}, [f](const View<double>& x, const double*, double* out) { *out = f(x); }};
  }
  /// f(const View<double>&) -> Vector3d
  template <class F>
  static PictureValue vector(Level level, F f) {
    return {3, level, {}, [f](const View<double>& x, const double*, double* out) {
              const Vector3d v = f(x);
              for (int i = 0; i < 3; ++i) out[i] = v[i];
            }};
  }
  /// An input as it is.
  static PictureValue input(std::string name, int size) {
    return ofInputs({{std::move(name), size}}, size, [size](const double* in, double* out) {
      for (int i = 0; i < size; ++i) out[i] = in[i];
    });
  }
  /// f(const double* in, double* out)
  template <class F>
  static PictureValue ofInputs(std::vector<Input> inputs, int size, F f) {
    return {size, Level::Constant, std::move(inputs),
            [f](const View<double>&, const double* in, double* out) { f(in, out); }};
  }

  int size() const { return std::ssize(constant_); }
  bool isConstant() const { return !function_; }
  const std::vector<double>& constant() const { return constant_; }
  const Function& function() const { return function_; }  ///< empty, where it is constant
  const std::vector<Input>& inputs() const { return inputs_; }
  Level level() const { return level_; }

 private:
  PictureValue(int size, Level level, std::vector<Input> inputs, Function f)
      : constant_(size, 0.0), function_(std::move(f)), inputs_(std::move(inputs)), level_(level) {}

  std::vector<double> constant_;  ///< as many elements as the value has
  Function function_;
  std::vector<Input> inputs_;
  Level level_ = Level::Constant;
};

/// The frame that a thing is placed in: the world, a frame of the component, or one displaced from
/// these.
struct PicturePlace {
  PicturePlace() = default;
  PicturePlace(FrameId f) : frame(f) {}  // NOLINT

  FrameId frame{};                     ///< not valid: the world
  PictureValue r = Vector3d(0, 0, 0);  ///< [m]  origin, resolved in `frame`
  /// [1]  matrix that resolves vectors of `frame` in the place (MSL's R.T), row by row
  PictureValue T = std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 1};
};

/// An elementary shape of MSL, or one from a file. It begins at r_shape and extends by `length`
/// along lengthDirection, by `width` along the part of widthDirection across that, and by `height`
/// along the third direction; across, it lies evenly on both sides.
struct Shape {
  std::string name;  ///< inside the component ("cylinder")
  std::string type;  ///< box, sphere, cylinder, pipecylinder, cone, pipe, beam, gearwheel, spring,
                     ///< or a file ("modelica://...", a path)
  PicturePlace place{};
  PictureValue r_shape = Vector3d(0, 0, 0);          ///< [m]  resolved in `place`
  PictureValue lengthDirection = Vector3d(1, 0, 0);  ///< [1]  resolved in `place`
  PictureValue widthDirection = Vector3d(0, 1, 0);   ///< [1]  resolved in `place`
  PictureValue length = 1.0;                         ///< [m]
  PictureValue width = 0.1;                          ///< [m]
  PictureValue height = 0.1;                         ///< [m]
  PictureValue extra = 0.0;                          ///< [1]  as MSL's extra of the type
  PictureValue color = Vector3d(0, 128, 255);        ///< [1]  RGB 0..255
  PictureValue specular = 0.7;                       ///< [1]
  bool isPatch = false;  ///< of a contact, resolved in world: shown on demand, with its force
};

/// An arrow: a line with one head or two.
struct ArrowShape {
  std::string name;
  PicturePlace place{};
  PictureValue r_tail = Vector3d(0, 0, 0);   ///< [m]  resolved in `place`
  PictureValue r_head = Vector3d(0, 0, 0);   ///< [m]  from tail to head, in units of `scale`
  PictureValue scale = 1.0;                  ///< [1/m]  r_head by length, as MSL's N_to_m
  PictureValue diameter = 0.025;             ///< [m]  of the line
  PictureValue color = Vector3d(0, 0, 255);  ///< [1]  RGB 0..255
  PictureValue specular = 0.7;               ///< [1]
  int heads = 1;                             ///< 1 or 2
  bool headAtTail = false;                   ///< the whole arrow lies before r_tail, and ends there
  bool isContactForce = false;  ///< shown on demand, as long and thick as fits all of its kind
  double headLength = 4;        ///< [1]  by diameter
};

/// A grid of points: nu lines of nv points each.
struct SurfaceShape {
  std::string name;
  PicturePlace place{};
  int nu = 2, nv = 2;
  PictureValue points = 0.0;                   ///< [m]  3 nu nv: x, y, z, line by line, in `place`
  PictureValue color = Vector3d(0, 128, 255);  ///< [1]  RGB 0..255: one, one a line (3 nu), or
                                               ///< one a point (3 nu nv)
  PictureValue specular = 0.7;                 ///< [1]
  PictureValue transparency = 0.0;             ///< [1]  0 (opaque) ... 1
  bool wireframe = false;
};

/// Receives the shapes of a component.
class Shapes {
 public:
  virtual ~Shapes() = default;
  virtual const WorldSettings& world() const = 0;
  virtual void add(Shape shape) = 0;
  virtual void add(ArrowShape arrow) = 0;
  virtual void add(SurfaceShape surface) = 0;
};

}  // namespace cardan
