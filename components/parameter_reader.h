/// How a component reads its parameters: one call a parameter, which also documents it.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "components/start_value.h"
#include "frames/algebra.h"

namespace cardan {

class WorldSettings;

/// What is said of a parameter besides its value; `cardan components` prints it.
struct ParameterInfo {
  std::string_view name;
  std::string_view
      unit;  ///< SI unit; "1" for none; "deg" for MSL's own degree parameters; "" for non-numbers
  std::string_view description;
  double minimum = -1e300;       ///< smallest allowed value of every element
  bool minimumExcluded = false;  ///< the minimum itself is not allowed
};

/// Smallest allowed value of a parameter, for the last argument of ParameterReader::real and its
/// like.
struct Range {
  double minimum = -1e300;
  bool excluded = false;
};
inline constexpr Range kAnyValue{};
inline constexpr Range kNotNegative{0.0, false};
inline constexpr Range kPositive{0.0, true};

/// An enumeration parameter: the allowed last names and the choice, as an index into them.
struct EnumerationTarget {
  std::vector<std::string_view> names;
  int current = 0;
  std::function<void(int)> set;
};

/// Start value of a variable with `size` elements (start[k], fixed[k]).
struct StartTarget {
  int size = 1;
  double* start = nullptr;
  bool* fixed = nullptr;
  bool* given = nullptr;
  StateSelect* stateSelect = nullptr;
};

/// A signal input (`size` elements) that takes a number, an expression or a connection.
/// `optional`: need not be bound (a default exists: `value`).
struct InputTarget {
  int size = 1;
  bool optional = false;
  std::vector<double> value;  ///< default
};

/// Where a table stands that is not in the model: MSL's parameters of it.
struct TableFile {
  std::string fileName = "NoName";   ///< a path, relative to the file that names it
  std::string tableName = "NoName";  ///< in files of several tables; "NoName": the only one
  std::string delimiter;             ///< of CSV; "": the one that is found
  int nHeaderLines = -1;             ///< of CSV; -1: a first line that is not all numbers is one
};

/// A vector or matrix whose size the user chooses.
struct TableTarget {
  Eigen::MatrixXd* matrix = nullptr;  ///< rows x columns; a vector is one column
  bool isVector = false;
  const TableFile* file = nullptr;  ///< read from there, and not from the model
};

/// Where a read value goes.
using ParameterTarget =
    std::variant<double*, int*, bool*, std::string*, Vector3d*, Matrix3d*, std::array<int, 3>*,
                 std::vector<int>*, std::vector<std::string>*, EnumerationTarget, StartTarget,
                 InputTarget, TableTarget>;

/// Reads the parameters of one component, in the order of the calls. These are functions of their own, and
/// not inline: targets have many forms, which would be compiled with each call.
///
/// A value that is not given keeps what the target holds: the default. A key that no call names is
/// an error, as are wrong shapes, units and ranges; the reader collects these and goes on, so that
/// all errors of a file come in one go. Values are in the parameter's own unit.
class ParameterReader {
 public:
  virtual ~ParameterReader() = default;

  void real(std::string_view name, double& x, std::string_view unit, std::string_view about,
            Range range = kAnyValue);
  void integer(std::string_view name, int& x, std::string_view about, Range range = kAnyValue);
  void boolean(std::string_view name, bool& x, std::string_view about);
  void string(std::string_view name, std::string& x, std::string_view about);
  /// A list of strings of any length; one string counts as a list of one.
  void strings(std::string_view name, std::vector<std::string>& x, std::string_view about);
  void vector(std::string_view name, Vector3d& x, std::string_view unit, std::string_view about,
              Range range = kAnyValue);
  void matrix(std::string_view name, Matrix3d& x, std::string_view unit, std::string_view about);
  /// Three integers (a rotation sequence, a colour).
  void integers(std::string_view name, std::array<int, 3>& x, std::string_view about,
                Range range = kAnyValue);
  /// Integers of any number (columns of a table).
  void integers(std::string_view name, std::vector<int>& x, std::string_view about);
  /// A matrix of any size, rows first.
  void table(std::string_view name, Eigen::MatrixXd& x, std::string_view unit,
             std::string_view about);
  /// The same from a file.
  void table(std::string_view name, Eigen::MatrixXd& x, std::string_view unit,
             std::string_view about, const TableFile& file);
  /// A vector of any length (one column); a number counts as a vector of one.
  void vectorOfAnySize(std::string_view name, Eigen::MatrixXd& x, std::string_view unit,
                       std::string_view about);
  template <class E>
  void enumeration(std::string_view name, E& x, std::vector<std::pair<std::string_view, E>> choices,
                   std::string_view about) {
    EnumerationTarget target;
    for (size_t i = 0; i < choices.size(); ++i) {
      target.names.push_back(choices[i].first);
      if (choices[i].second == x) target.current = i;
    }
    target.set = [&x, choices](int i) { x = choices[i].second; };
    enumeration(name, target, about);
  }
  /// `{start:, fixed:, stateSelect:}` of a variable; a bare number is not accepted.
  template <int N>
  void start(std::string_view name, StartVector<N>& x, std::string_view unit,
             std::string_view about) {
    start(name, StartTarget{N, x.start.data(), x.fixed.data(), &x.given, &x.stateSelect}, unit,
          about);
  }
  /// A signal input that must be bound.
  void input(std::string_view name, int size, std::string_view unit, std::string_view about);
  /// A signal input with a default.
  void input(std::string_view name, std::vector<double> value, std::string_view unit,
             std::string_view about);

  /// States a rule about parameter `name`: unless `holds`, "Type 'instance': 'name' RULE" is an
  /// error at the parameter's place in the file (at the component's, where it is not given).
  /// Returns `holds`.
  virtual bool require(bool holds, std::string_view name, std::string_view rule) = 0;
  /// The same about a row of a table, counted from 0.
  virtual bool requireRow(bool holds, std::string_view name, int /*row*/, std::string_view rule) {
    return require(holds, name, rule);
  }

  /// True if the user wrote this key.
  virtual bool isGiven(std::string_view name) const = 0;

  /// The path of the file that parameter `name` names as `written`: relative to the file that it stands in.
  virtual std::string fileNamed(std::string_view /*name*/, const std::string& written) {
    return written;
  }

  /// The model's World: defaults of animation, gravity, driveTrainMechanics3D.
  virtual const WorldSettings& world() const = 0;

  /// Reads the keys of an inner part under `part: {...}` (composites); call end() after.
  virtual void begin(std::string_view part) = 0;
  virtual void end() = 0;

 protected:
  virtual void visit(const ParameterInfo& info, ParameterTarget target) = 0;

 private:
  void enumeration(std::string_view name, const EnumerationTarget& x, std::string_view about);
  void start(std::string_view name, const StartTarget& x, std::string_view unit,
             std::string_view about);
};

}  // namespace cardan
