#include "engine/expression/lowering.h"
#include "engine/expression/orientation_functions.h"
#include "engine/text/meanwhile.h"

namespace cardan {
namespace {

using OrientationKind = OrientationFunction::Kind;

std::string kindWord(const OrientationFunction::Parameter& p) {
  switch (p.kind) {
    case OrientationKind::orientation:
      return "an orientation";
    case OrientationKind::scalar:
      return "a scalar";
    case OrientationKind::vector:
      return "a vector of " + std::to_string(p.size);
    case OrientationKind::matrix:
      break;
  }
  return "a matrix 3 x 3";
}

bool fits(const LoweredValue& x, const OrientationFunction::Parameter& p) {
  if (p.kind == OrientationKind::orientation) return x.type == ValueType::orientation;
  if (x.type != ValueType::real) return false;
  if (p.kind == OrientationKind::scalar) return x.shape.isScalar();
  if (p.kind == OrientationKind::vector) return x.shape == ValueShape::vector(p.size);
  return x.shape == ValueShape::matrix(3, 3);
}

/// T and w of an orientation, which holds them one after the other.
LoweredValue matrixOf(const LoweredValue& R) {
  return {ValueType::real, ValueShape::matrix(3, 3),
          std::vector<Operand>(R.elements.begin(), R.elements.begin() + 9), ""};
}
LoweredValue velocityOf(const LoweredValue& R) {
  return {ValueType::real, ValueShape::vector(3),
          std::vector<Operand>(R.elements.begin() + 9, R.elements.end()), ""};
}

}  // namespace

LoweredValue Lowering::orientationOf(const Value& T, const Value& w) {
  Value R{ValueType::orientation, ValueShape::vector(12), T.elements, ""};
  R.elements.insert(R.elements.end(), w.elements.begin(), w.elements.end());
  return R;
}

/// The orientation `name`, of which the variables name.T and name.w exist.
std::optional<LoweredValue> Lowering::findOrientation(const Node& node, const std::string& name) {
  const auto T = find(node, name + ".T", 0);
  if (!T || T->shape != ValueShape::matrix(3, 3)) return std::nullopt;
  const auto w = find(node, name + ".w", 0);
  if (!w || w->shape != ValueShape::vector(3)) return std::nullopt;
  return orientationOf(*T, *w);
}

/// A call of one of Frames' functions: its expressions with the arguments put in.
LoweredValue Lowering::orientationFunction(const Node& node) {
  const OrientationFunction* f = findOrientationFunction(node.text);
  if (!f) {
    fail(node, "function '" + node.text + "' is not supported in expressions" +
                   didYouMean(node.text, orientationFunctionNames()));
  }
  Locals locals = givenTo(*f, node);
  if (f->steps.empty()) return orientationOf(locals.at("T"), locals.at("w"));

  // Names inside are those of the function; errors are reported at the call; no events.
  const Meanwhile inside(locals_, static_cast<const Locals*>(&locals));
  const Meanwhile called(caller_, caller_ ? caller_ : &node);
  const Meanwhile withoutEvents(noEvent_, noEvent_ + 1);
  for (const OrientationFunction::Step& step : f->steps) {
    const Value x = lower(step.value.root());
    if (step.name.empty()) return x;
    define(locals, step.name, x);
  }
  fail(node, "function '" + node.text + "' has no result");
}

/// The parameters of a function with what a call gives them.
Lowering::Locals Lowering::givenTo(const OrientationFunction& f, const Node& node) {
  const std::vector<Value> given = lowerAll(node);
  if (given.size() > f.parameters.size()) {
    fail(node, "'" + node.text + "' takes at most " + std::to_string(f.parameters.size()) +
                   " arguments, found " + std::to_string(given.size()));
  }
  Locals locals;
  for (size_t i = 0; i < f.parameters.size(); ++i) {
    const OrientationFunction::Parameter& p = f.parameters[i];
    if (i < given.size()) {
      if (!fits(given[i], p)) {
        fail(node, "'" + p.name + "' of '" + node.text + "' must be " + kindWord(p) + ", found " +
                       given[i].describe());
      }
      define(locals, p.name, given[i]);
    } else if (!p.otherwise.empty()) {
      define(locals, p.name, lower(p.otherwise.front().root()));
    } else {
      fail(node, "'" + node.text + "' needs an argument '" + p.name + "'");
    }
  }
  if (f.name == "axis" && locals.at("axis").isConstant()) {
    const int axis = constantInteger(node, locals.at("axis"), "the axis", 1);
    if (axis > 3) fail(node, "an axis is 1, 2 or 3, found " + std::to_string(axis));
  }
  return locals;
}

void Lowering::define(Locals& locals, const std::string& name, const Value& x) {
  locals.insert_or_assign(name, x);
  if (x.type != ValueType::orientation) return;
  locals.insert_or_assign(name + ".T", matrixOf(x));
  locals.insert_or_assign(name + ".w", velocityOf(x));
}

}  // namespace cardan
