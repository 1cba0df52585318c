#include "components/visualizers/visualizer_picture.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "components/interfaces/picture.h"
#include "components/names.h"
#include "components/visualizers/color_map.h"

namespace cardan {
namespace {

PictureValue in(const char* name, int size = 1) { return PictureValue::input(name, size); }

/// Where a visualizer is: at frame_a, or at its own R and r.
PicturePlace place(const Visualizer& v, const char* r = "r") {
  PicturePlace p = v.frame_a();
  if (!v.frame_a().valid()) {
    p.T = in("R", 9);
    p.r = in(r, 3);
  }
  return p;
}

// Points of surfaces ------------------------------------------------------------------------------

using Points = std::vector<double>;

/// Rectangle of lu by lv in the x-y plane, its middle at the origin.
void rectangle(int nu, int nv, double lu, double lv, double* out) {
  for (int i = 0; i < nu; ++i) {
    for (int j = 0; j < nv; ++j) {
      *out++ = lu * (double(i) / (nu - 1) - 0.5);
      *out++ = lv * (double(j) / (nv - 1) - 0.5);
      *out++ = 0;
    }
  }
}

struct TorusSizes {
  double R, r, opening, startAngle, stopAngle;  ///< [m], [rad]
};
/// Torus about the y-axis.
void torus(int nu, int nv, const TorusSizes& t, double* out) {
  const double first = t.opening - std::numbers::pi, span = 2 * (std::numbers::pi - t.opening);
  for (int i = 0; i < nu; ++i) {
    const double alpha = t.startAngle + (t.stopAngle - t.startAngle) * i / (nu - 1);
    for (int j = 0; j < nv; ++j) {
      const double beta = first + span * j / (nv - 1), rho = t.R + t.r * std::cos(beta);
      *out++ = rho * std::sin(alpha);
      *out++ = t.r * std::sin(beta);
      *out++ = rho * std::cos(alpha);
    }
  }
}

/// Cylinder of radius r along x, from 0 to `length`.
Points pipe(int nu, int nv, double r, double length) {
  Points p;
  for (int i = 0; i < nu; ++i) {
    for (int j = 0; j < nv; ++j) {
      const double beta = 2 * std::numbers::pi * j / (nv - 1);
      p.insert(p.end(), {length * i / (nu - 1), r * std::sin(beta), r * std::cos(beta)});
    }
  }
  return p;
}

/// A wave over x and y that moves with `wz`; `x`: x_min, x_max, y_min, y_max, z_min, z_max, wz.
/// Source  MSL 4.0 Examples.Elementary.Utilities.sineSurface
void sineSurface(int nu, int nv, const double* x, double* out) {
  const double A = (x[5] - x[4]) / 2;
  for (int i = 0; i < nu; ++i) {
    for (int j = 0; j < nv; ++j) {
      *out++ = x[0] + (x[1] - x[0]) * j / (nv - 1);
      *out++ = x[2] + (x[3] - x[2]) * i / (nu - 1);
      *out++ = A * std::sin(x[6] + 0.1 * (j + 1) + 0.1 * (i + 1)) + A;
    }
  }
}

/// Value at `x` of a polygon through (xs, ys).
double interpolate(const std::vector<double>& xs, const double* ys, double x) {
  if (xs.size() < 2) return ys[0];
  const auto above = std::lower_bound(xs.begin() + 1, xs.end() - 1, x);
  const size_t i = above - xs.begin();
  const double width = xs[i] - xs[i - 1];
  if (width == 0) return ys[i];
  return ys[i - 1] + (ys[i] - ys[i - 1]) * (x - xs[i - 1]) / width;
}

// The classes -------------------------------------------------------------------------------------

void arrow(Shapes& s, const Visualizer& v, int heads) {
  s.add(ArrowShape{.name = "arrow",
                   .place = place(v),
                   .r_tail = in("r_tail", 3),
                   .r_head = in("r_head", 3),
                   .diameter = in("diameter"),
                   .color = in("color", 3),
                   .specular = in("specularCoefficient"),
                   .heads = heads});
}

void fixedArrow(Shapes& s, const Visualizer& v) {
  const auto head = [](const double* x, double* out) {
    const double n = std::max(std::hypot(x[0], x[1], x[2]), 1e-300);
    for (int i = 0; i < 3; ++i) out[i] = x[i] / n * x[3];
  };
  s.add(ArrowShape{.name = "arrow",
                   .place = place(v),
                   .r_tail = in("r_tail", 3),
                   .r_head = PictureValue::ofInputs({{"n", 3}, {"length", 1}}, 3, head),
                   .diameter = in("diameter"),
                   .color = in("color", 3),
                   .specular = in("specularCoefficient")});
}

void signalArrow(Shapes& s, const Visualizer& v) {
  s.add(ArrowShape{.name = "arrow",
                   .place = place(v),
                   .r_tail = in("r_tail", 3),
                   .r_head = PictureValue::vector(
                       Level::Force, [head = v.connectedInput()](
                                         const View<double>& x) { return x.inputVector(head); }),
                   .diameter = in("diameter"),
                   .color = in("color", 3),
                   .specular = in("specularCoefficient")});
}

void fixedFrame(Shapes& s, const Visualizer& v) {
  picture::Axes axes;
  axes.place = place(v);
  axes.length = in("length");
  axes.diameter = in("diameter");
  if (!v.isGiven("diameter")) {
    const double fraction = s.world().defaultFrameDiameterFraction;
    axes.diameter = PictureValue::ofInputs(
        {{"length", 1}}, 1, [fraction](const double* l, double* d) { *d = *l / fraction; });
  }
  axes.color[0] = in("color_x", 3);
  axes.color[1] = v.isGiven("color_y") ? in("color_y", 3) : axes.color[0];
  axes.color[2] = v.isGiven("color_z") ? in("color_z", 3) : axes.color[0];
  axes.specular = in("specularCoefficient");
  if (!v.value<bool>("showLabels")) axes.letters = "";
  picture::addAxes(s, axes);
}

void shape(Shapes& s, const Visualizer& v, bool between) {
  Shape shape{.name = "shape",
              .type = v.value<std::string>("shapeType"),
              .place = place(v),
              .r_shape = in("r_shape", 3),
              .lengthDirection = in("lengthDirection", 3),
              .widthDirection = in("widthDirection", 3),
              .length = in("length"),
              .width = in("width"),
              .height = in("height"),
              .extra = in("extra"),
              .color = in("color", 3),
              .specular = in("specularCoefficient")};
  if (between) {
    const Vector3d r = v.value<Vector3d>("r");
    if (!v.isGiven("lengthDirection")) {
      shape.lengthDirection =
          PictureValue::ofInputs({{"r_shape", 3}}, 3, [r](const double* x, double* out) {
            for (int i = 0; i < 3; ++i) out[i] = r[i] - x[i];
          });
    }
    if (!v.isGiven("length")) {
      shape.length = PictureValue::ofInputs({{"r_shape", 3}}, 1, [r](const double* x, double* out) {
        *out = std::hypot(r[0] - x[0], r[1] - x[1], r[2] - x[2]);
      });
    }
    if (!v.isGiven("height")) shape.height = in("width");
  }
  s.add(std::move(shape));
}

/// What the surfaces share: light and grid.
SurfaceShape grid(const Visualizer& v, const char* name, int nu, int nv, const char* r = "r") {
  SurfaceShape g{.name = name, .place = place(v, r), .nu = std::max(nu, 2), .nv = std::max(nv, 2)};
  g.color = in("color", 3);
  return g;
}
int numbersOf(const SurfaceShape& g) { return 3 * g.nu * g.nv; }

void scalarPipe(Shapes& s, const Visualizer& v) {
  const double T_min = v.value<double>("T_min"), T_max = v.value<double>("T_max");
  std::vector<Vector3d> map =
      colorMap(lastName(v.value<std::string>("redeclare.colorMap.type")), v.value<int>("n_colors"));
  if (map.empty()) map = colorMap("jet", v.value<int>("n_colors"));
  const Eigen::MatrixXd& nodes = v.value<Eigen::MatrixXd>("xsi");
  const std::vector<double> xsi(nodes.data(), nodes.data() + nodes.size());
  SurfaceShape g = grid(v, "pipe", v.value<int>("n_length"), v.value<int>("n_rOuter"), "r_0");
  const double last = static_cast<double>(map.size() - 1);
  g.points = pipe(g.nu, g.nv, v.value<double>("rOuter"), v.value<double>("length"));
  g.color = PictureValue::ofInputs(
      {{"T", count(xsi)}}, 3 * g.nu, [=, nu = g.nu](const double* T, double* out) {
        for (int i = 0; i < nu; ++i) {
          const double Ti = interpolate(xsi, T, double(i) / (nu - 1));
          const double share = T_max > T_min ? (Ti - T_min) / (T_max - T_min) : 0;
          const size_t k = last * std::clamp(share, 0.0, 1.0);
          for (int c = 0; c < 3; ++c) *out++ = map[k][c];
        }
      });
  g.specular = v.value<double>("specularCoefficient");
  g.transparency = v.value<double>("transparency");
  s.add(std::move(g));
}

void rectangle(Shapes& s, const Visualizer& v) {
  SurfaceShape g = grid(v, "surface", v.value<int>("nu"), v.value<int>("nv"));
  const auto R =
      frames::from_nxy(v.value<Vector3d>("direction_u"), v.value<Vector3d>("direction_v"));
  Points points(numbersOf(g));
  rectangle(g.nu, g.nv, v.value<double>("length_u"), v.value<double>("length_v"), points.data());
  for (size_t i = 0; i < points.size(); i += 3) {
    const Vector3d p = frames::resolve1(R, Vector3d(points[i], points[i + 1], points[i + 2]));
    for (size_t k = 0; k < 3; ++k) points[i + k] = p[k];
  }
  g.points = std::move(points);
  g.specular = in("specularCoefficient");
  g.transparency = in("transparency");
  g.wireframe = v.value<bool>("wireframe");
  s.add(std::move(g));
}

void torus(Shapes& s, const Visualizer& v) {
  SurfaceShape g = grid(v, "surface", v.value<int>("n_R"), v.value<int>("n_r"));
  Points points(numbersOf(g));
  torus(g.nu, g.nv,
        {v.value<double>("R"), v.value<double>("r"), v.value<double>("opening"),
         v.value<double>("startAngle"), v.value<double>("stopAngle")},
        points.data());
  g.points = std::move(points);
  g.specular = in("specularCoefficient");
  g.transparency = in("transparency");
  g.wireframe = v.value<bool>("wireframe");
  s.add(std::move(g));
}

/// A tread, part of a torus, with a hollow cylinder of the rim's bore between its edges.
void voluminousWheel(Shapes& s, const Visualizer& v) {
  const double width = v.value<double>("width"), rw = width / 2;
  const double rCurvature = std::max(v.value<double>("rCurvature"), rw);
  const double kw = rCurvature > 0 ? rw / rCurvature : 0;
  const double h = std::sqrt(1 - kw * kw) * rCurvature;
  const double ri = v.value<double>("rTire") - rCurvature;
  const double rRim = std::clamp(v.value<double>("rRim"), 0.0, std::max(ri + h, 0.0));
  const double specular = v.value<double>("specularCoefficient");
  const Vector3d color = v.value<Vector3d>("color");
  Shape rim{.name = "pipe",
            .type = "pipe",
            .place = place(v),
            .r_shape = Vector3d(0, -rw, 0),
            .lengthDirection = Vector3d(0, 1, 0),
            .widthDirection = Vector3d(0, 0, 1),
            .length = width,
            .extra = ri + h > 0 ? rRim / (ri + h) : 0,
            .color = color,
            .specular = specular};
  picture::setDiameter(rim, 2 * (ri + h));
  s.add(std::move(rim));
  SurfaceShape g = grid(v, "torus", v.value<int>("n_rTire"), v.value<int>("n_rCurvature"));
  Points points(numbersOf(g));
  torus(g.nu, g.nv,
        {ri, rCurvature, std::numbers::pi - std::asin(kw), -std::numbers::pi, std::numbers::pi},
        points.data());
  g.points = std::move(points);
  g.color = color;
  g.specular = specular;
  s.add(std::move(g));
}

/// Points by a function of MSL; one that is not known here is shown as a flat grid.
void surface(Shapes& s, const Visualizer& v) {
  SurfaceShape g = grid(v, "surface", v.value<int>("nu"), v.value<int>("nv"), "r_0");
  const int nu = g.nu, nv = g.nv, size = numbersOf(g);
  const std::string prefix = "redeclare.surfaceCharacteristic.";
  const std::string function(lastName(v.value<std::string>(prefix + "type")));
  const auto inputs = [&](std::initializer_list<const char*> names) {
    std::vector<PictureValue::Input> list;
    for (const char* name : names) list.push_back({prefix + name, 1});
    return list;
  };
  if (function == "torus") {
    g.points = PictureValue::ofInputs(inputs({"R", "r", "opening", "startAngle", "stopAngle"}),
                                      size, [nu, nv](const double* x, double* out) {
                                        torus(nu, nv, {x[0], x[1], x[2], x[3], x[4]}, out);
                                      });
  } else if (function == "sineSurface") {
    const auto all = inputs({"x_min", "x_max", "y_min", "y_max", "z_min", "z_max", "wz"});
    g.points = PictureValue::ofInputs(
        all, size, [nu, nv](const double* x, double* out) { sineSurface(nu, nv, x, out); });
    if (v.value<bool>("multiColoredSurface")) {
      g.color = PictureValue::ofInputs(all, size, [nu, nv](const double* x, double* out) {
        sineSurface(nu, nv, x, out);
        for (int i = 0; i < nu * nv; ++i, out += 3) {
          out[0] = std::clamp((out[2] + 1) * 200, 0.0, 255.0);
          out[1] = 255;
          out[2] = 0;
        }
      });
    }
  } else {
    g.points = PictureValue::ofInputs(
        inputs({"lu", "lv"}), size,
        [nu, nv](const double* x, double* out) { rectangle(nu, nv, x[0], x[1], out); });
  }
  g.specular = in("specularCoefficient");
  g.transparency = in("transparency");
  g.wireframe = v.value<bool>("wireframe");
  s.add(std::move(g));
}

}  // namespace

void addPicture(Shapes& s, const Visualizer& v, std::string_view type) {
  using Function = void (*)(Shapes&, const Visualizer&);
  static const std::map<std::string_view, Function> functions{
      {"Visualizers.Advanced.Arrow", [](Shapes& x, const Visualizer& y) { arrow(x, y, 1); }},
      {"Visualizers.Advanced.DoubleArrow", [](Shapes& x, const Visualizer& y) { arrow(x, y, 2); }},
      {"Visualizers.Advanced.PipeWithScalarField", scalarPipe},
      {"Visualizers.Advanced.Shape", [](Shapes& x, const Visualizer& y) { shape(x, y, false); }},
      {"Visualizers.Advanced.Surface", surface},
      {"Visualizers.FixedArrow", fixedArrow},
      {"Visualizers.FixedFrame", fixedFrame},
      {"Visualizers.FixedShape", [](Shapes& x, const Visualizer& y) { shape(x, y, false); }},
      {"Visualizers.FixedShape2", [](Shapes& x, const Visualizer& y) { shape(x, y, true); }},
      {"Visualizers.PipeWithScalarField", scalarPipe},
      {"Visualizers.Rectangle", rectangle},
      {"Visualizers.SignalArrow", signalArrow},
      {"Visualizers.Torus", torus},
      {"Visualizers.VoluminousWheel", voluminousWheel},
  };
  functions.at(type)(s, v);
}

}  // namespace cardan
