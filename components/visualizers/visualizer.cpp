#include "components/visualizers/visualizer.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <utility>

#include "components/animation.h"
#include "components/names.h"
#include "components/visualizers/visualizer_picture.h"

namespace cardan {

namespace {

enum class Form {
  boolean,
  integer,
  real,
  vector,  ///< of three
  string,
  anySize,         ///< a vector of any size
  input,           ///< as many elements as its default has
  connectedInput,  ///< a connector, which must be bound
  inputAlong,      ///< as many elements as the vector `along` has; must be bound
  begin,           ///< the following parameters are one level deeper
  end,
};

struct Parameter {
  Form form;
  const char* name = "";
  const char* unit = "";
  const char* about = "";
  std::vector<double> byDefault{};
  const char* text = "";                                ///< default of a string
  double (*fromWorld)(const WorldSettings&) = nullptr;  ///< the default, where World gives it
  Range range = kAnyValue;
  bool required = false;
  const char* along = "";
};
using Parameters = std::vector<Parameter>;

enum class Frames { none, a, aAndB };

// Rows of the table -------------------------------------------------------------------------------

Parameter boolean(const char* name, bool byDefault, const char* about) {
  return {Form::boolean, name, "", about, {byDefault ? 1.0 : 0.0}};
}
Parameter integer(const char* name, int byDefault, const char* about, double minimum = 1) {
  return {Form::integer, name, "1", about, {double(byDefault)}, "", nullptr, Range{minimum, false}};
}
Parameter real(const char* name, const char* unit, double byDefault, const char* about) {
  return {Form::real, name, unit, about, {byDefault}};
}
Parameter required(const char* name, const char* unit, const char* about) {
  return {Form::real, name, unit, about, {0}, "", nullptr, kAnyValue, true};
}
Parameter vector(const char* name, const char* unit, std::vector<double> byDefault,
                 const char* about) {
  return {Form::vector, name, unit, about, std::move(byDefault)};
}
Parameter string(const char* name, const char* byDefault, const char* about) {
  return {Form::string, name, "", about, {}, byDefault};
}
Parameter input(const char* name, const char* unit, std::vector<double> byDefault,
                const char* about) {
  return {Form::input, name, unit, about, std::move(byDefault)};
}
Parameter inputFromWorld(const char* name, const char* unit,
                         double (*fromWorld)(const WorldSettings&), const char* about) {
  return {Form::input, name, unit, about, {}, "", fromWorld};
}
Parameter color(const char* name, std::vector<double> byDefault,
                const char* about = "colour, RGB 0..255") {
  return input(name, "1", std::move(byDefault), about);
}
Parameter begin(const char* name) { return {Form::begin, name}; }
Parameter end() { return {Form::end}; }

Parameter animation() { return boolean("animation", true, "is shown"); }
Parameter shapeType() { return string("shapeType", "box", kShapeTypeText); }
Parameter extra() { return input("extra", "1", {0}, kExtraText); }
Parameter wireframe() { return boolean("wireframe", false, "without faces"); }
Parameter transparency() { return input("transparency", "1", {0}, "0 (opaque) ... 1"); }
Parameter diameter() {
  return inputFromWorld(
      "diameter", "m", [](const WorldSettings& w) { return w.defaultArrowDiameter; },
      "diameter of the arrow; default: world.defaultArrowDiameter");
}
Parameter specular() {
  return inputFromWorld(
      "specularCoefficient", "1",
      [](const WorldSettings& w) { return w.defaultSpecularCoefficient; }, kSpecularText);
}
Parameter specular(double byDefault) {
  return input("specularCoefficient", "1", {byDefault}, "reflection of ambient light, 0 for none");
}
/// Where an object without frames is; R by its transformation matrix, row by row.
Parameters place(const char* r) {
  return {input("R", "1", {1, 0, 0, 0, 1, 0, 0, 0, 1},
                "orientation relative to world: its matrix T, row by row"),
          input(r, "m", {0, 0, 0}, "position of the origin, resolved in world")};
}
Parameters arrow() {
  return {input("r_tail", "m", {0, 0, 0}, "from the origin to the tail"),
          input("r_head", "m", {0, 0, 0}, "from the tail to the head"), diameter(),
          color("color", {0, 0, 255}), specular()};
}

/// xsi of n nodes in the middle of n - 2 equal intervals and at both ends.
std::vector<double> relativeNodePositions(int n) {
  std::vector<double> xsi(n, 0.0);
  for (int i = 1; i < n - 1; ++i) xsi[i] = (i - 0.5) / (n - 2);
  xsi.back() = 1;
  return xsi;
}
Parameters scalarField() {
  Parameter T{Form::inputAlong, "T", "1", "values at xsi, shown by colour"};
  T.along = "xsi";
  return {
      required("rOuter", "m", "outer radius"),
      required("length", "m", "length of the pipe"),
      {Form::anySize, "xsi", "1", "positions along the pipe, 0 ... 1", relativeNodePositions(12)},
      T,
      required("T_min", "1", "value of the first colour"),
      required("T_max", "1", "value of the last colour"),
      begin("redeclare"),
      begin("colorMap"),
      string("type", "jet", "function for the colours"),
      end(),
      end(),
      integer("n_colors", 64, "number of colours"),
      real("specularCoefficient", "1", 0.7, "reflection of ambient light, 0 for none"),
      real("transparency", "1", 0, "0 (opaque) ... 1"),
      integer("n_rOuter", 30, "points along the outer radius")};
}
/// The function that describes a surface, with the arguments of MSL's own ones.
Parameters surfaceCharacteristic() {
  return {begin("redeclare"),
          begin("surfaceCharacteristic"),
          string("type", "", "function for the points: rectangle, torus, sineSurface, ..."),
          input("lu", "m", {3}, "rectangle: length along u"),
          input("lv", "m", {1}, "rectangle: length along v"),
          input("R", "m", {1}, "torus: major radius"),
          input("r", "m", {0.2}, "torus: minor radius"),
          input("opening", "rad", {0}, "torus: opening angle"),
          input("startAngle", "rad", {-EIGEN_PI}, "torus: start angle"),
          input("stopAngle", "rad", {EIGEN_PI}, "torus: stop angle"),
          input("x_min", "1", {-1}, "sineSurface: smallest x"),
          input("x_max", "1", {1}, "sineSurface: largest x"),
          input("y_min", "1", {-1}, "sineSurface: smallest y"),
          input("y_max", "1", {1}, "sineSurface: largest y"),
          input("z_min", "1", {0}, "sineSurface: smallest z"),
          input("z_max", "1", {1}, "sineSurface: largest z"),
          input("wz", "1", {0}, "sineSurface: phase"),
          end(),
          end()};
}

template <class... P>
Parameters join(P... parts) {
  Parameters all;
  (all.insert(all.end(), parts.begin(), parts.end()), ...);
  return all;
}

}  // namespace

struct VisualizerSheet {
  const char* type;
  const char* description;
  Frames frames;
  Parameters parameters;
};

namespace {

constexpr size_t kTypes = 14;

/// The table. Its lines follow MSL's declarations.
const std::array<VisualizerSheet, kTypes>& sheets() {
  static const std::array<VisualizerSheet, kTypes> all{{
      {"Visualizers.Advanced.Arrow", "arrow of variable size, without frames", Frames::none,
       join(place("r"), arrow())},
      {"Visualizers.Advanced.DoubleArrow", "double arrow of variable size, without frames",
       Frames::none, join(place("r"), arrow())},
      {"Visualizers.Advanced.PipeWithScalarField", "pipe coloured along its axis, without frames",
       Frames::none,
       join(place("r_0"), scalarField(),
            Parameters{integer("n_length", 10, "points along the length")})},
      {"Visualizers.Advanced.Shape", "elementary shape of variable size, without frames",
       Frames::none,
       join(place("r"),
            Parameters{shapeType(),
                       input("r_shape", "m", {0, 0, 0}, "from the origin to the shape's"),
                       input("lengthDirection", "1", {1, 0, 0}, "direction of the length"),
                       input("widthDirection", "1", {0, 1, 0}, "direction of the width"),
                       input("length", "m", {0}, "length of the shape"),
                       input("width", "m", {0}, "width of the shape"),
                       input("height", "m", {0}, "height of the shape"), extra(),
                       color("color", {255, 0, 0}), specular(0.7)})},
      {"Visualizers.Advanced.Surface", "surface of points given by a function, without frames",
       Frames::none,
       join(place("r_0"),
            Parameters{integer("nu", 2, "points along u"), integer("nv", 2, "points along v"),
                       wireframe(),
                       boolean("multiColoredSurface", true, "every point has its own colour"),
                       color("color", {0, 128, 255}), specular(0.7), transparency()},
            surfaceCharacteristic())},
      {"Visualizers.FixedArrow",
       "arrow at a frame",
       Frames::a,
       {animation(),
        input("r_tail", "m", {0, 0, 0}, "from frame_a to the tail, resolved in frame_a"),
        input("n", "1", {1, 0, 0}, "direction, resolved in frame_a"),
        input("length", "m", {0.1}, "length of the arrow"), diameter(), color("color", {0, 0, 255}),
        specular()}},
      {"Visualizers.FixedFrame",
       "coordinate system of a frame, with labels",
       Frames::a,
       {animation(), boolean("showLabels", true, "axes have labels"),
        input("length", "m", {0.5}, "length of the axes"),
        inputFromWorld(
            "diameter", "m",
            [](const WorldSettings& w) { return 0.5 / w.defaultFrameDiameterFraction; },
            "diameter of the axes; default: length/world.defaultFrameDiameterFraction"),
        color("color_x", {0, 0, 0}, "colour of the x-axis, RGB 0..255"),
        color("color_y", {0, 0, 0}, "colour of the y-axis; default: color_x"),
        color("color_z", {0, 0, 0}, "colour of the z-axis; default: color_x"), specular()}},
      {"Visualizers.FixedShape",
       "elementary shape at a frame",
       Frames::a,
       {animation(), shapeType(),
        input("r_shape", "m", {0, 0, 0}, "from frame_a to the shape, resolved in frame_a"),
        input("lengthDirection", "1", {1, 0, 0}, "direction of the length, resolved in frame_a"),
        input("widthDirection", "1", {0, 1, 0}, "direction of the width, resolved in frame_a"),
        input("length", "m", {1}, "length of the shape"),
        input("width", "m", {0.1}, "width of the shape"),
        input("height", "m", {0.1}, "height of the shape"), color("color", {0, 128, 255}), extra(),
        specular()}},
      {"Visualizers.FixedShape2",
       "elementary shape between two rigidly connected frames",
       Frames::aAndB,
       {animation(), shapeType(),
        vector("r", "m", {1, 0, 0}, "from frame_a to frame_b, resolved in frame_a"),
        input("r_shape", "m", {0, 0, 0}, "from frame_a to the shape, resolved in frame_a"),
        input("lengthDirection", "1", {1, 0, 0},
              "direction of the length, in frame_a; default: r - r_shape"),
        input("widthDirection", "1", {0, 1, 0}, "direction of the width, resolved in frame_a"),
        input("length", "m", {1}, "length of the shape; default: that of r - r_shape"),
        input("width", "m", {0.1}, "width of the shape"),
        input("height", "m", {0.1}, "height of the shape; default: width"), extra(),
        color("color", {0, 128, 255}), specular()}},
      {"Visualizers.PipeWithScalarField", "pipe coloured along its axis, at a frame", Frames::a,
       join(Parameters{animation()}, scalarField(),
            Parameters{integer("n_length", 20, "points along the length")})},
      {"Visualizers.Rectangle",
       "plane rectangle at a frame",
       Frames::a,
       {animation(),
        vector("direction_u", "1", {1, 0, 0}, "direction of the u-axis, resolved in frame_a"),
        vector("direction_v", "1", {0, 1, 0}, "direction of the v-axis, resolved in frame_a"),
        real("length_u", "m", 3, "length along u"), real("length_v", "m", 1, "length along v"),
        integer("nu", 3, "points along u", 2), integer("nv", 2, "points along v", 2), wireframe(),
        color("color", {0, 128, 255}), specular(0.7), transparency()}},
      {"Visualizers.SignalArrow",
       "arrow at a frame, its head given by a signal",
       Frames::a,
       {animation(),
        input("r_tail", "m", {0, 0, 0}, "from frame_a to the tail, resolved in frame_a"),
        diameter(),
        color("color", {0, 0, 255}),
        specular(),
        {Form::connectedInput,
         "r_head",
         "m",
         "from the tail to the head, resolved in frame_a",
         {0, 0, 0}}}},
      {"Visualizers.Torus",
       "torus at a frame",
       Frames::a,
       {animation(), real("R", "m", 0.5, "major radius: centre of the torus to centre of the tube"),
        real("r", "m", 0.1, "minor radius: of the tube"),
        real("opening", "rad", 0, "opening angle"),
        real("startAngle", "rad", -3.1415926535898, "angle where a slice starts"),
        real("stopAngle", "rad", 3.1415926535898, "angle where a slice ends"), wireframe(),
        color("color", {0, 128, 255}), specular(0.7), transparency(),
        integer("n_R", 40, "points along R"), integer("n_r", 20, "points along r")}},
      {"Visualizers.VoluminousWheel",
       "tyre at a frame",
       Frames::a,
       {animation(), real("rTire", "m", 0.25, "radius of the tyre"),
        real("rRim", "m", 0.14, "radius of the rim"), real("width", "m", 0.25, "width of the tyre"),
        real("rCurvature", "m", 0.3, "radius of the tyre's cross section"),
        vector("color", "1", {64, 64, 64}, "colour, RGB 0..255"),
        real("specularCoefficient", "1", 0.5, "reflection of ambient light, 0 for none"),
        integer("n_rTire", 40, "points along rTire"),
        integer("n_rCurvature", 20, "points along rCurvature")}},
  }};
  return all;
}

template <size_t I>
std::unique_ptr<Component> make() {
  return std::make_unique<Visualizer>(sheets()[I]);
}

template <size_t... I>
std::vector<VisualizerType> listTypes(std::index_sequence<I...>) {
  return {{sheets()[I].type, sheets()[I].description, &make<I>}...};
}

}  // namespace

const std::vector<VisualizerType>& visualizerTypes() {
  static const std::vector<VisualizerType> all = listTypes(std::make_index_sequence<kTypes>());
  return all;
}

Visualizer::Visualizer(const VisualizerSheet& sheet)
    : sheet_(sheet), values_(sheet.parameters.size()) {
  for (size_t i = 0; i < values_.size(); ++i) {
    const Parameter& p = sheet_.parameters[i];
    const std::vector<double>& d = p.byDefault;
    switch (p.form) {
      case Form::boolean:
        values_[i] = d[0] != 0;
        break;
      case Form::integer:
        values_[i] = static_cast<int>(d[0]);
        break;
      case Form::real:
        values_[i] = d[0];
        break;
      case Form::vector:
        values_[i] = Vector3d(d[0], d[1], d[2]);
        break;
      case Form::string:
        values_[i] = std::string(p.text);
        break;
      case Form::anySize:
        values_[i] = Eigen::MatrixXd(Eigen::Map<const Eigen::VectorXd>(d.data(), d.size()));
        break;
      default:
        break;
    }
  }
}

void Visualizer::read(ParameterReader& r) {
  for (size_t i = 0; i < values_.size(); ++i) {
    const Parameter& p = sheet_.parameters[i];
    Value& value = values_[i];
    switch (p.form) {
      case Form::boolean:
        r.boolean(p.name, std::get<bool>(value), p.about);
        break;
      case Form::integer:
        r.integer(p.name, std::get<int>(value), p.about, p.range);
        break;
      case Form::real:
        r.real(p.name, std::get<double>(value), p.unit, p.about, p.range);
        break;
      case Form::vector:
        r.vector(p.name, std::get<Vector3d>(value), p.unit, p.about, p.range);
        break;
      case Form::string:
        r.string(p.name, std::get<std::string>(value), p.about);
        break;
      case Form::anySize:
        r.vectorOfAnySize(p.name, std::get<Eigen::MatrixXd>(value), p.unit, p.about);
        break;
      case Form::input:
        r.input(p.name, p.fromWorld ? std::vector<double>{p.fromWorld(r.world())} : p.byDefault,
                p.unit, p.about);
        break;
      case Form::connectedInput:
        r.input(p.name, p.byDefault.size(), p.unit, p.about);
        break;
      case Form::inputAlong:
        r.input(p.name, this->value<Eigen::MatrixXd>(p.along).rows(), p.unit, p.about);
        break;
      case Form::begin:
        r.begin(p.name);
        break;
      case Form::end:
        r.end();
        break;
    }
    if (p.form != Form::begin && p.form != Form::end && r.isGiven(p.name)) given_.insert(p.name);
    if (p.required) r.require(r.isGiven(p.name), p.name, "must be given");
  }
}

void Visualizer::declare(Structure& s) {
  if (sheet_.frames != Frames::none) {
    frame_a_ = s.frame("frame_a");
    if (sheet_.frames == Frames::aAndB) s.joint(frame_a_, s.frame("frame_b"), offset_, {}, {});
  }
  for (const Parameter& p : sheet_.parameters) {
    if (p.form == Form::connectedInput) connected_ = s.input(p.name, p.byDefault.size());
  }
}

void Visualizer::parametersChanged() {
  if (sheet_.frames == Frames::aAndB) offset_.r_rel = value<Vector3d>("r");
}

void Visualizer::describe(Variables& v) const {
  for (size_t i = 0; i < values_.size(); ++i) {
    const Parameter& p = sheet_.parameters[i];
    const VariableInfo info{p.name, p.unit, p.about, Level::Constant};
    if (const bool* flag = std::get_if<bool>(&values_[i])) {
      v.array({p.name, "1", p.about, Level::Constant, false, {}, true}, {},
              [flag](const auto&, auto* out) { *out = *flag ? 1.0 : 0.0; });
    } else if (const int* number = std::get_if<int>(&values_[i])) {
      v.array(info, {}, [number](const auto&, auto* out) { *out = static_cast<double>(*number); });
    } else if (const double* x = std::get_if<double>(&values_[i])) {
      v.array(info, {}, [x](const auto&, auto* out) { *out = *x; });
    } else if (const Vector3d* vector3 = std::get_if<Vector3d>(&values_[i])) {
      v.array(info, {3}, [vector3](const auto&, auto* out) {
        for (int k = 0; k < 3; ++k) out[k] = (*vector3)[k];
      });
    } else if (const Eigen::MatrixXd* many = std::get_if<Eigen::MatrixXd>(&values_[i])) {
      const int rows = many->rows();
      v.array(info, {rows}, [many](const auto&, auto* out) {
        for (Eigen::Index k = 0; k < many->rows(); ++k) out[k] = (*many)(k, 0);
      });
    }
  }
  describeInside(v);
}

/// What MSL's class has inside.
void Visualizer::describeInside(Variables& v) const {
  const std::string_view type = sheet_.type;
  const auto points = [&](const char* name, const char* parameter, const char* about) {
    v.constant(name, "1", about, value<int>(parameter));
  };
  if (type == "Visualizers.Torus") {
    points("surface.nu", "n_R", "points along R");
    points("surface.nv", "n_r", "points along r");
  } else if (type == "Visualizers.Rectangle") {
    points("surface.nu", "nu", "points along u");
    points("surface.nv", "nv", "points along v");
  } else if (type == "Visualizers.VoluminousWheel") {
    const double half = 0.5 * value<double>("width");
    const double curvature = std::max(value<double>("rCurvature"), half);
    const double share = curvature > 0 ? half / curvature : 0;
    const double h = std::sqrt(1 - share * share) * curvature;
    const double inner = value<double>("rTire") - curvature;
    v.constant("rw", "m", "half of the width", half);
    v.constant("rCurvature2", "m", "radius of the cross section, at least half of the width",
               curvature);
    v.constant("kw", "1", "half of the width over the radius of the cross section", share);
    v.constant("h", "m", "from the circle of the cross sections' centres to the tyre's edge", h);
    v.constant("ri", "m", "radius of the circle of the cross sections' centres", inner);
    v.constant("rRim2", "m", "radius of the rim, no larger than the tyre's edge",
               std::clamp(value<double>("rRim"), 0.0, std::max(inner + h, 0.0)));
  }
}

void Visualizer::picture(Shapes& s) const {
  const bool hasAnimation =
      !sheet_.parameters.empty() && std::string_view(sheet_.parameters[0].name) == "animation";
  if (!hasAnimation || value<bool>("animation")) addPicture(s, *this, sheet_.type);
}

size_t Visualizer::index(std::string_view name) const {
  const std::string_view last = lastName(name);
  std::string_view parts = name.substr(0, name.size() - last.size());
  // Down into the parts: their parameters follow their beginning.
  size_t i = 0;
  for (; i < values_.size(); ++i) {
    const Parameter& p = sheet_.parameters[i];
    if (p.form == Form::begin && parts.starts_with(p.name)) {
      parts.remove_prefix(std::string_view(p.name).size() + 1);
    } else if (parts.empty() && last == p.name) {
      break;
    }
  }
  assert(i < values_.size());
  return i;
}

}  // namespace cardan
