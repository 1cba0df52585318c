// Visualizers: the table of classes, read through the contract.
#include "components/visualizers/visualizer.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace cardan {
namespace {

using Given =
    std::map<std::string, std::variant<bool, int, double, std::string, std::vector<double>>>;

/// Reader of values in a map by dotted names; stands for a model file.
class TableReader final : public ParameterReader {
 public:
  explicit TableReader(Given given) : given_(std::move(given)) {}

  bool require(bool holds, std::string_view name, std::string_view rule) override {
    if (!holds) errors.push_back("'" + std::string(name) + "' " + std::string(rule));
    return holds;
  }
  bool isGiven(std::string_view name) const override { return given_.count(path(name)) > 0; }
  const WorldSettings& world() const override { return world_; }
  void begin(std::string_view part) override { parts_.emplace_back(part); }
  void end() override { parts_.pop_back(); }

  WorldSettings world_;
  std::vector<std::string> errors;
  std::set<std::string> names;
  std::map<std::string, InputTarget> inputs;
  std::vector<std::string> parts_;

 protected:
  void visit(const ParameterInfo& info, ParameterTarget target) override {
    const std::string name = path(info.name);
    CHECK_MESSAGE(names.insert(name).second, name << " is read once");
    CHECK_MESSAGE(!info.description.empty(), name << " is documented");
    if (auto* input = std::get_if<InputTarget>(&target)) inputs[name] = *input;
    if (!given_.count(name)) return;
    const auto& value = given_.at(name);
    if (auto* b = std::get_if<bool*>(&target)) {
      **b = std::get<bool>(value);
    } else if (auto* i = std::get_if<int*>(&target)) {
      if (std::get<int>(value) < info.minimum) errors.push_back("'" + name + "' is too small");
      **i = std::get<int>(value);
    } else if (auto* x = std::get_if<double*>(&target)) {
      **x = std::get<double>(value);
    } else if (auto* s = std::get_if<std::string*>(&target)) {
      **s = std::get<std::string>(value);
    } else if (auto* v = std::get_if<Vector3d*>(&target)) {
      const auto& given = std::get<std::vector<double>>(value);
      **v = Vector3d(given.at(0), given.at(1), given.at(2));
    } else if (auto* table = std::get_if<TableTarget>(&target)) {
      const auto& given = std::get<std::vector<double>>(value);
      *table->matrix =
          Eigen::Map<const Eigen::VectorXd>(given.data(), static_cast<Eigen::Index>(given.size()));
    }
  }

 private:
  std::string path(std::string_view name) const {
    std::string all;
    for (const std::string& part : parts_) all += part + ".";
    return all + std::string(name);
  }
  Given given_;
};

class FramesOnly final : public Structure {
 public:
  std::vector<std::string> frames, inputs;
  const JointLaw* law = nullptr;
  WorldSettings settings;

  const WorldSettings& world() const override { return settings; }
  FrameId frame(const std::string& name) override {
    frames.push_back(name);
    return {static_cast<int>(frames.size()) - 1};
  }
  SignalId input(const std::string& name, int, Rate) override {
    inputs.push_back(name);
    return {static_cast<int>(inputs.size()) - 1};
  }
  JointId joint(FrameId a, FrameId b, const JointLaw& l, std::vector<UnknownInfo> q,
                std::vector<UnknownInfo> v, CutPolicy) override {
    CHECK(a.index == 0);
    CHECK(b.index == 1);
    CHECK((q.empty() && v.empty()));
    law = &l;
    return {0};
  }
  FrameId worldFrame() override { return unexpected<FrameId>(); }
  FlangeId flange(const std::string&, Domain) override { return unexpected<FlangeId>(); }
  void cut(FrameId, FrameId, const ClosureLaw&) override { unexpected<int>(); }
  JointId root(FrameId, const JointLaw&, std::vector<UnknownInfo>, std::vector<UnknownInfo>,
               RootRank) override {
    return unexpected<JointId>();
  }
  void inertia(FrameId) override { unexpected<int>(); }
  ConstraintId constraint(const std::string&, const std::string&, int, int) override {
    return unexpected<ConstraintId>();
  }
  void affine(Affine) override { unexpected<int>(); }
  void axis(FlangeId, JointId, int) override { unexpected<int>(); }
  void ground(FlangeId, double) override { unexpected<int>(); }
  void inertia(FlangeId) override { unexpected<int>(); }
  UnknownId unknown(const UnknownInfo&, Kind) override { return unexpected<UnknownId>(); }
  RowId row(const std::string&, int) override { return unexpected<RowId>(); }
  ModeId mode(const std::string&, int) override { return unexpected<ModeId>(); }
  PastId past(SignalId, ModeId, double) override { return unexpected<PastId>(); }
  ImpulseId impulse() override { return unexpected<ImpulseId>(); }
  void addPart(const std::string&, std::unique_ptr<Component>) override { unexpected<int>(); }
  void connect(const std::string&, const std::string&) override { unexpected<int>(); }
  void error(const std::string& text) override { FAIL(text); }
  void addDriven(FlangeId, std::unique_ptr<DrivenPotential>) override { unexpected<int>(); }

 private:
  template <class T>
  static T unexpected() {
    FAIL("a visualizer has only frames, inputs and a rigid edge");
    return T{};
  }
};

class Constants final : public Variables {
 public:
  std::map<std::string, std::vector<double>> values;

  void alias(const std::string&, const std::string&) override {}

 protected:
  void add(VariableInfo info, std::vector<int> dimensions,
           std::unique_ptr<VariableFunction> f) override {
    CHECK(info.level == Level::Constant);
    CHECK(!info.output);
    EvaluationTables<double> nothing;
    EvaluationTables<Dual> nothingDual;
    const size_t size = dimensions.empty() ? 1 : static_cast<size_t>(dimensions[0]);
    std::vector<double> x(size);
    std::vector<Dual> dual(size);
    const View<double> view(nothing);
    const View<Dual> dualView(nothingDual);
    f->evaluate(view, x.data());
    f->evaluate(dualView, dual.data());
    for (size_t i = 0; i < size; ++i) {
      CHECK(dual[i].v == x[i]);
      CHECK(dual[i].lane(0) == 0);
    }
    CHECK_MESSAGE(values.emplace(info.name, x).second, info.name << " is described once");
  }
  void addStart(const std::string&, int, double, bool, bool, StateSelect) override {
    FAIL("no start values");
  }
  void addInitial(InitialInfo, int, std::unique_ptr<VariableFunction>) override {
    FAIL("no initial conditions");
  }
  void addMechanics(const std::vector<SignalId>&, std::unique_ptr<VariableFunction>) override {
    FAIL("no mass");
  }
  MemoryId addMemory(const std::vector<double>&) override {
    FAIL("no memory");
    return {};
  }
  void setMemory(MemoryId, std::unique_ptr<VariableFunction>) override {}
};

struct VisualizerBench {
  explicit VisualizerBench(const std::string& type, Given given = {}) : reader(std::move(given)) {
    for (const VisualizerType& t : visualizerTypes()) {
      if (t.type == "Visualizers." + type) component = t.make();
    }
    REQUIRE_MESSAGE(component, type);
    component->read(reader);
    component->parametersChanged();
    CHECK(reader.parts_.empty());
    component->declare(structure);
    component->describe(variables);
    CHECK(!component->evaluates());  // zero load
  }
  const Visualizer& visualizer() const { return dynamic_cast<const Visualizer&>(*component); }

  TableReader reader;
  FramesOnly structure;
  Constants variables;
  std::unique_ptr<Component> component;
};

/// A value for each parameter without a default.
Given needed(const std::string& type) {
  if (type.find("PipeWithScalarField") == std::string::npos) return {};
  return {{"rOuter", 0.3}, {"length", 1.0}, {"T_min", 0.0}, {"T_max", 2.0}};
}

}  // namespace

TEST_CASE("Visualizers: every type is made, read, declared and described") {
  std::string previous;
  for (const VisualizerType& t : visualizerTypes()) {
    CAPTURE(t.type);
    CHECK(previous < t.type);
    previous = t.type;
    CHECK(previous.rfind("Visualizers.", 0) == 0);
    CHECK(!std::string(t.description).empty());
    const std::string type = previous.substr(12);
    const VisualizerBench bench(type, needed(type));
    CHECK(bench.reader.errors.empty());
    const bool advanced = type.rfind("Advanced.", 0) == 0;
    CHECK(bench.structure.frames.size() == (advanced ? 0 : type == "FixedShape2" ? 2 : 1));
    CHECK(bench.reader.names.count("animation") == (advanced ? 0 : 1));
    CHECK(bench.structure.inputs.size() == (type == "SignalArrow" ? 1 : 0));
  }
  CHECK(visualizerTypes().size() == 14);
}

TEST_CASE("Visualizers: parameters of MSL's examples are known") {
  const auto names = [](const std::string& type, std::vector<std::string> used) {
    const VisualizerBench bench(type, needed(type));
    for (const std::string& name : used)
      CHECK_MESSAGE(bench.reader.names.count(name), type << "." << name);
  };
  names("FixedFrame",
        {"animation", "showLabels", "length", "diameter", "color_x", "color_y", "color_z"});
  names("FixedArrow", {"r_tail", "n", "length", "diameter", "color", "specularCoefficient"});
  names("SignalArrow", {"r_tail", "r_head", "diameter", "color"});
  names("FixedShape", {"shapeType", "r_shape", "lengthDirection", "widthDirection", "length",
                       "width", "height", "color", "extra", "specularCoefficient"});
  names("FixedShape2", {"r", "shapeType", "lengthDirection"});
  names("Rectangle",
        {"direction_u", "direction_v", "length_u", "length_v", "nu", "nv", "wireframe", "color"});
  names("Torus", {"R", "r", "opening", "startAngle", "stopAngle", "n_R", "n_r", "transparency"});
  names("VoluminousWheel",
        {"rTire", "rRim", "width", "rCurvature", "color", "n_rTire", "n_rCurvature"});
  names("PipeWithScalarField",
        {"rOuter", "length", "xsi", "T", "T_min", "T_max", "n_colors", "n_rOuter", "n_length"});
  names("Advanced.Surface",
        {"R", "r_0", "nu", "nv", "multiColoredSurface", "redeclare.surfaceCharacteristic.type",
         "redeclare.surfaceCharacteristic.x_min", "redeclare.surfaceCharacteristic.wz"});
  names("Advanced.Shape", {"R", "r", "r_shape", "shapeType", "extra"});
  names("Advanced.Arrow", {"R", "r", "r_tail", "r_head", "diameter"});
  names("Advanced.DoubleArrow", {"R", "r", "r_tail", "r_head", "diameter"});
}

TEST_CASE("Visualizers: values are kept and are results") {
  const VisualizerBench bench("Rectangle", Given{{"nu", 8},
                                                 {"length_u", 2.5},
                                                 {"wireframe", true},
                                                 {"direction_u", std::vector<double>{1, -0.4, 0}}});
  CHECK(bench.visualizer().value<int>("nu") == 8);
  CHECK(bench.visualizer().value<int>("nv") == 2);
  CHECK(bench.visualizer().value<double>("length_u") == 2.5);
  CHECK(bench.visualizer().value<bool>("wireframe"));
  CHECK(bench.visualizer().value<Vector3d>("direction_u") == Vector3d(1, -0.4, 0));
  CHECK(bench.variables.values.at("nu") == std::vector<double>{8});
  CHECK(bench.variables.values.at("length_u") == std::vector<double>{2.5});
  CHECK(bench.variables.values.at("wireframe") == std::vector<double>{1});
  CHECK(bench.variables.values.at("direction_u") == std::vector<double>{1, -0.4, 0});
  CHECK(VisualizerBench("FixedShape", Given{{"shapeType", std::string("pipe")}})
            .visualizer()
            .value<std::string>("shapeType") == "pipe");
  CHECK(VisualizerBench("FixedShape").visualizer().value<std::string>("shapeType") == "box");
}

TEST_CASE("Visualizers: inputs have MSL's defaults, of World where MSL says so") {
  const auto byDefault = [](const char* type, const char* name) {
    return VisualizerBench(type).reader.inputs.at(name).value;
  };
  CHECK(byDefault("FixedArrow", "diameter") == std::vector<double>{1.0 / 40});
  CHECK(byDefault("FixedFrame", "diameter") == std::vector<double>{0.5 / 40});
  CHECK(byDefault("FixedArrow", "color") == std::vector<double>{0, 0, 255});
  CHECK(byDefault("FixedShape", "color") == std::vector<double>{0, 128, 255});
  CHECK(byDefault("FixedShape", "specularCoefficient") == std::vector<double>{0.7});
  CHECK(byDefault("Advanced.Shape", "R") == std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 1});
  CHECK(!VisualizerBench("SignalArrow").reader.inputs.at("r_head").optional);
  CHECK(VisualizerBench("FixedArrow").reader.inputs.at("n").optional);
}

TEST_CASE("Visualizers.PipeWithScalarField: T has as many elements as xsi") {
  Given given = needed("PipeWithScalarField");
  const VisualizerBench usual("PipeWithScalarField", given);
  CHECK(usual.reader.inputs.at("T").size == 12);
  const auto& xsi = usual.variables.values.at("xsi");
  REQUIRE(xsi.size() == 12);
  CHECK(xsi.front() == 0);
  CHECK(xsi[1] == doctest::Approx(0.05));
  CHECK(xsi[10] == doctest::Approx(0.95));
  CHECK(xsi.back() == 1);
  given["xsi"] = std::vector<double>{0, 0.5, 1};
  CHECK(VisualizerBench("PipeWithScalarField", given).reader.inputs.at("T").size == 3);
}

TEST_CASE("Visualizers.FixedShape2: frame_b sits rigidly at r from frame_a, parallel to it") {
  const VisualizerBench bench("FixedShape2", Given{{"r", std::vector<double>{1, 2, 3}}});
  REQUIRE(bench.structure.law);
  const JointLaw& law = *bench.structure.law;
  FrameState<double> a, b, back;
  a.r_0 = {1, 0, -1};
  a.v_0 = {0.3, 0.2, 0.1};
  a.a_0 = {-0.5, 0.4, 0.6};
  a.R = frames::axesRotations({3, 1, 3}, Vector3d(0.3, 0.4, 0.5), Vector3d(1, 2, 3));
  a.z_a = {0.7, -0.2, 0.9};
  law.forward(a, {}, b);
  CHECK((b.r_0 - a.r_0 - frames::resolve1(a.R, Vector3d(1, 2, 3))).norm() < 1e-14);
  law.backward(b, {}, back);
  CHECK((back.r_0 - a.r_0).norm() < 1e-14);
  CHECK((back.a_0 - a.a_0).norm() < 1e-13);
  ClosureRows<double> rows;
  law.closure(relativeMotion(a, b), rows);
  REQUIRE(rows.count == 6);
  for (const auto& row : rows.rows) CHECK(std::abs(row.g) < 1e-14);
  CHECK(VisualizerBench("FixedShape").structure.law == nullptr);
}

TEST_CASE("Visualizers: wrong parameters are errors in words") {
  using Errors = std::vector<std::string>;
  CHECK(VisualizerBench("Rectangle", Given{{"nu", 1}}).reader.errors ==
        Errors{"'nu' is too small"});
  CHECK(VisualizerBench("PipeWithScalarField").reader.errors ==
        Errors{"'rOuter' must be given", "'length' must be given", "'T_min' must be given",
               "'T_max' must be given"});
}

}  // namespace cardan
