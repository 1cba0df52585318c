/// Visualizer: every class of MSL's Visualizers, as one class over a table.
#pragma once

#include <memory>
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

/// A thing to look at: its parameters are read, checked and kept, its frames carry no load.
///
/// Parameters that MSL lets vary (its inputs) take numbers or expressions. No equation reads them,
/// so they are declared only where MSL has a connector (SignalArrow.r_head); the others are kept as
/// results.
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

  /// Value of a parameter: bool, int, double, Vector3d, std::string or, of any size,
  /// Eigen::MatrixXd.
  /// Pre  the class has it, as a T and not as an input
  template <class T>
  const T& value(std::string_view name) const {
    return std::get<T>(values_[index(name)]);
  }

 private:
  /// Nothing for an input, whose value the model holds.
  using Value =
      std::variant<std::monostate, bool, int, double, Vector3d, std::string, Eigen::MatrixXd>;

  size_t index(std::string_view name) const;

  const VisualizerSheet& sheet_;
  std::vector<Value> values_;  ///< in the order of the sheet
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
