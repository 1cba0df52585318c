/// Visualizer: every class of MSL's Visualizers, as one class over a table.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "components/component.h"
#include "components/laws/rigid_offset.h"

namespace cardan {

/// What tells one visualizer class from another: its frames and parameters, a row of the table in
/// visualizer.cpp.
struct VisualizerSheet;

/// A thing to look at: its parameters are read, checked and kept for its picture
/// (visualizer_picture.h), its frames carry no load.
///
/// Parameters that MSL lets vary (its inputs) take numbers or expressions. No equation reads them,
/// so they are declared only where MSL has a connector (SignalArrow.r_head); the picture reads the
/// others where the model holds them.
///
/// Equations  FixedShape2: frame_b at r from frame_a, parallel to it;  otherwise f = t = 0
/// Source     MSL 4.0 Visualizers
class Visualizer final : public ComponentOf<Visualizer> {
 public:
  explicit Visualizer(const VisualizerSheet& sheet);

  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void parametersChanged() override;
  void picture(Shapes& s) const override;

  /// Value of a parameter: bool, int, double, Vector3d, std::string or, of any size,
  /// Eigen::MatrixXd.
  /// Pre  the class has it, as a T and not as an input
  template <class T>
  const T& value(std::string_view name) const {
    return std::get<T>(values_[index(name)]);
  }
  /// True if the user wrote this parameter.
  bool isGiven(std::string_view name) const { return given_.contains(name); }
  FrameId frame_a() const { return frame_a_; }            ///< not valid: it has none
  SignalId connectedInput() const { return connected_; }  ///< not valid: it has none

 private:
  void describeInside(Variables& v) const;

  /// Nothing for an input, whose value the model holds.
  using Value =
      std::variant<std::monostate, bool, int, double, Vector3d, std::string, Eigen::MatrixXd>;

  /// `name` with the parts that it is in: "redeclare.colorMap.type".
  size_t index(std::string_view name) const;

  const VisualizerSheet& sheet_;
  std::vector<Value> values_;  ///< in the order of the sheet
  std::set<std::string, std::less<>> given_;
  FrameId frame_a_;
  SignalId connected_;
  RigidOffset offset_;
};

/// A visualizer class for the catalogue.
struct VisualizerType {
  const char* type;         ///< name in model files ("Visualizers.FixedShape")
  const char* description;  ///< one line
  std::unique_ptr<Component> (*make)();
};

/// All of them, sorted by type.
const std::vector<VisualizerType>& visualizerTypes();

}  // namespace cardan
