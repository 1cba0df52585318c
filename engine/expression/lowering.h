/// From the tree of an expression to operations on scalars: types, shapes, names, constant folding.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/expression/expression.h"
#include "engine/expression/functions.h"
#include "engine/expression/program.h"
#include "engine/expression/resolver.h"
#include "engine/text/diagnostics.h"

namespace cardan {

struct OrientationFunction;

/// A typed array of operands, row by row; a string is always constant.
struct LoweredValue {
  ValueType type = ValueType::real;
  ValueShape shape;
  std::vector<Operand> elements;
  std::string text;

  static LoweredValue scalar(Operand x, ValueType type = ValueType::real) {
    return {type, ValueShape::scalar(), {x}, ""};
  }
  bool isConstant() const;
  /// Pre: isConstant()
  ExpressionValue constant() const;
  /// For messages: the value if it is constant, else its shape.
  std::string describe() const;
};

/// Lowers one expression. Arrays are unrolled, `if` evaluates both branches and selects; a constant
/// condition drops the other branch, which is then only checked.
class Lowering {
 public:
  /// `beforeRun`: the value must be known before the run, `time` and derivatives are errors.
  Lowering(const Expression& expression, VariableResolver& resolver, Program& program,
           Diagnostics& diagnostics, bool beforeRun);

  std::optional<LoweredValue> lower();

 private:
  using Value = LoweredValue;
  using Node = ExpressionNode;

  /// Thrown after the error is reported.
  struct Failed {};

  /// Where a register was loaded from, to find its derivative.
  struct Source {
    std::string name;
    int derivativeOrder;
    int element;
    const Node* node;
  };

  [[noreturn]] void fail(const Node& node, const std::string& text,
                         ErrorKind kind = ErrorKind::general);

  Value lower(const Node& node);
  std::vector<Value> lowerAll(const Node& node);

  // Names
  Value name(const Node& node, const std::string& fullName, int derivativeOrder);
  std::optional<Value> find(const Node& node, const std::string& name, int derivativeOrder);
  [[noreturn]] void failUnknown(const Node& node, const std::string& name, int derivativeOrder);
  Value select(const Value& x, const std::vector<int>& indices, const Node& node,
               const std::string& what);
  Value index(const Node& node);
  std::optional<VariableSlots> slotsOf(const std::string& name, int derivativeOrder);
  static Value placesOf(const VariableSlots& slots);
  void loadPlaces(Value& x, const VariableSlots& slots, const Node& node, const std::string& name,
                  int derivativeOrder);

  // Operators
  Value unary(const Node& node);
  Value binary(const Node& node);
  Value logical(const Node& node);
  Value relation(const Node& node, const Value& x, const Value& y);
  Value conditional(const Node& node);
  Value array(const Node& node);
  Value matrix(const Node& node);
  Value sameShape(Operation op, const Value& x, const Value& y, const Node& node);
  Value broadcast(Operation op, const Value& x, const Value& y, const Node& node);
  Value multiply(const Value& x, const Value& y, const Node& node);

  // Functions
  Value call(const Node& node);
  Value vectorFunction(const Node& node, const std::vector<Value>& x);
  Value cross(const Value& u, const Value& v, const Node& node);
  Value skew(const Value& u, const Node& node);
  Value outerProduct(const Value& u, const Value& v, const Node& node);
  Value transposed(const Value& u, const Node& node);
  Value sizeOf(const std::vector<Value>& x, const Node& node);
  Value construct(const Node& node, const std::vector<Value>& x);
  Value extremum(const Node& node, const std::vector<Value>& x, Operation op);
  Value derivative(const Node& node);
  Value before(const Node& node);
  Value sample(const Node& node);
  Value differentiated(const Value& x, const Node& node);
  Operand rateOf(const Source& source, const Node& node);

  // Orientations
  using Locals = std::map<std::string, LoweredValue>;
  static Value orientationOf(const Value& T, const Value& w);
  std::optional<Value> findOrientation(const Node& node, const std::string& name);
  Value orientationFunction(const Node& node);
  Locals givenTo(const OrientationFunction& f, const Node& call);
  static void define(Locals& locals, const std::string& name, const Value& x);

  // Scalars
  Operand operate(Operation op, Operand a, Operand b, const Node& node, Watch watch = Watch::never);
  Operand piecewise(Operation op, Operand a, Operand b, const Node& node);
  Operand operate(Operation op, Operand a, const Node& node) { return operate(op, a, {}, node); }
  Operand dot(const Value& x, size_t xFirst, size_t xStep, const Value& y, size_t yFirst,
              size_t yStep, int count, const Node& node);
  Value each(Operation op, const Value& x, const Node& node);

  // Checks
  void needNumbers(const Node& node, const std::vector<Value>& x, std::string_view user);
  void needVector(const Node& node, const Value& x, int size);
  int constantInteger(const Node& node, const Value& x, const std::string& what, int least);
  void limitSize(const Node& node, double elements);
  void limitOperations(const Node& node);

  Expression expression_;
  VariableResolver& resolver_;
  Program& program_;
  Diagnostics& diagnostics_;
  bool beforeRun_;
  int operations_ = 0;   // so far
  double elements_ = 0;  // of arrays, so far
  int discarded_ = 0;    // levels of branches that a constant condition drops
  int conditional_ = 0;  // levels of branches that the run chooses
  int noEvent_ = 0;      // levels of noEvent() and smooth()
  std::map<int, Source> sources_;
  const Locals* locals_ = nullptr;  // names inside a function of Frames; null outside
  const Node* caller_ = nullptr;    // the call of that function in the text
};

}  // namespace cardan
