#include "components/contact/point_surface.h"

#include "components/make.h"

namespace cardan::contact {

void PointSurface::read(ParameterReader& r) {
  plane_.read(r, false);
  r.input("height", 1, "m", "of the surface along n at (x, y)");
  r.input("slope", 2, "1", "derivatives of height by x and y");
  r.input("rate", std::vector<double>{0}, "m/s",
          "derivative of height by time at fixed x and y: a surface that moves");
  law_.read(r, false);
  heat_.read(r);
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

namespace cardan {

template std::unique_ptr<Component> make<contact::PointSurface>();

}  // namespace cardan
