#include "components/contact/point_surface.h"

namespace cardan::contact {

void PointSurface::read(ParameterReader& r) {
  plane_.read(r, false);
  r.input("height", 1, "m", "of the surface along n at (x, y)");
  r.input("slope", 2, "1", "derivatives of height by x and y");
  r.input("rate", std::vector<double>{0}, "m/s",
          "derivative of height by time at fixed x and y: a surface that moves");
  law_.read(r, false);
  readMotion(r);
  heat_.read(r);
}

/// What tells how the normal moves, which only the laws of stick and rigid read.
void PointSurface::readMotion(ParameterReader& r) {
  const bool needed = law_.isRigid() || law_.sticks(), moves = needed && r.isGiven("rate");
  for (const char* name : {"curvature", "slopeRate", "acceleration"})
    r.require(needed || !r.isGiven(name), name, "needs stick: true or rigid: true");
  for (const char* name : {"slopeRate", "acceleration"}) {
    r.require(!needed || r.isGiven("rate") || !r.isGiven(name), name,
              "is of a surface that moves, but no 'rate' is given");
  }
  const auto input = [&](const char* name, int size, const char* unit, bool must,
                         const char* text) {
    if (must) {
      r.input(name, size, unit, text);
    } else {
      r.input(name, std::vector<double>(size, 0.0), unit, text);
    }
  };
  input("curvature", 3, "1/m", needed,
        "with stick or rigid: second derivatives of height by x x, x y and y y");
  input("slopeRate", 2, "1/s", moves,
        "with stick or rigid, of a surface that moves: derivatives of slope by time at fixed x and "
        "y");
  input(
      "acceleration", 1, "m/s2", moves,
      "with stick or rigid, of a surface that moves: derivative of rate by time at fixed x and y");
}

void PointSurface::parametersChanged() {
  plane_.prepare();
  law_.prepare(1);
}

void PointSurface::declare(Structure& s) {
  declareContact(s);
  height_ = s.input("height", 1);
  slope_ = s.input("slope", 2);
  rate_ = s.input("rate", 1);
  curvature_ = s.input("curvature", 3);
  slopeRate_ = s.input("slopeRate", 2);
  acceleration_ = s.input("acceleration", 1);
}

void PointSurface::describe(Variables& v) const {
  v.scalar({"x", "m", "coordinate of frame_b along lengthDirection", Level::Position},
           [this](const auto& x) { return coordinate(x, plane_.along()); });
  v.scalar({"y", "m", "coordinate of frame_b along n x lengthDirection", Level::Position},
           [this](const auto& x) { return coordinate(x, plane_.across()); });
  v.scalar({"z", "m", "coordinate of frame_b along n", Level::Position},
           [this](const auto& x) { return coordinate(x, plane_.normal()); });
  describeContact(v);
}

}  // namespace cardan::contact
