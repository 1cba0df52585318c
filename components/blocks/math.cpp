#include "components/blocks/math.h"

#include "components/catalogue_entry.h"

namespace cardan::blocks {

void GainLaw::read(ParameterReader& r) { r.real("k", k, "1", "gain"); }

void AddLaw::read(ParameterReader& r) {
  r.real("k1", k1, "1", "gain of u1");
  r.real("k2", k2, "1", "gain of u2");
}

void Add3Law::read(ParameterReader& r) {
  r.real("k1", k1, "1", "gain of u1");
  r.real("k2", k2, "1", "gain of u2");
  r.real("k3", k3, "1", "gain of u3");
}

void AbsLaw::read(ParameterReader& r) {
  bool generateEvent = false;
  r.boolean("generateEvent", generateEvent, "not used: a kink is always an event");
}

void Limits::readLimits(ParameterReader& r) {
  r.real("uMax", uMax, "1", "upper limit");
  uMin = -uMax;
  r.real("uMin", uMin, "1", "lower limit; default: -uMax");
  r.require(uMax >= uMin, "uMax", "must not be below uMin");
}

namespace {

/// Parameters of MSL's limiters that say how a Modelica compiler treats them.
void readLimiterHints(ParameterReader& r) {
  bool strict = false;
  r.boolean("strict", strict, "not used");
  enum class Homotopy {
    NoHomotopy,
    Linear,
    UpperLimit,
    LowerLimit,
    Fixed
  } homotopy = Homotopy::Linear;
  r.enumeration("homotopyType", homotopy,
                {{"NoHomotopy", Homotopy::NoHomotopy},
                 {"Linear", Homotopy::Linear},
                 {"UpperLimit", Homotopy::UpperLimit},
                 {"LowerLimit", Homotopy::LowerLimit},
                 {"Fixed", Homotopy::Fixed}},
                "not used");
}

}  // namespace

void LimiterLaw::read(ParameterReader& r) {
  readLimits(r);
  bool limitsAtInit = true;
  r.boolean("limitsAtInit", limitsAtInit, "not used");
  readLimiterHints(r);
}

void VariableLimiterLaw::read(ParameterReader& r) {
  bool limitsAtInit = true;
  double ySimplified = 0;
  r.boolean("limitsAtInit", limitsAtInit, "not used");
  r.real("ySimplified", ySimplified, "1", "not used");
  readLimiterHints(r);
}

void BooleanToRealLaw::read(ParameterReader& r) {
  r.real("realTrue", realTrue, "1", "output for true");
  r.real("realFalse", realFalse, "1", "output for false");
}

void BooleanToIntegerLaw::read(ParameterReader& r) {
  r.integer("integerTrue", integerTrue, "output for true");
  r.integer("integerFalse", integerFalse, "output for false");
}

void PowerLaw::read(ParameterReader& r) {
  bool useExp = true;
  r.real("base", base, "1", "base of the power", kPositive);
  r.boolean("useExp", useExp, "not used: the base is positive");
}

void MatrixGain::read(ParameterReader& r) {
  r.table("K", K_, "1", "gain matrix");
  if (!r.require(K_.size() > 0, "K", "must not be empty")) K_ = Eigen::MatrixXd::Identity(2, 2);
  r.input("u", K_.cols(), "1", "input");
}

void MatrixGain::declare(Structure& s) { u_ = s.input("u", K_.cols()); }

void MatrixGain::describe(Variables& v) const {
  const int rows = K_.rows();
  v.array(output("y", "output", Level::Time, {u_}), {rows}, [this](const auto& x, auto* out) {
    for (Eigen::Index i = 0; i < K_.rows(); ++i) {
      out[i] = 0.0;
      for (Eigen::Index j = 0; j < K_.cols(); ++j) out[i] += K_(i, j) * x.input(u_, j);
    }
  });
}

void Sum::read(ParameterReader& r) {
  int nin = 1;
  constexpr int kMostInputs = 10'000;
  r.integer("nin", nin, "number of inputs", Range{1});
  if (!r.require(nin <= kMostInputs, "nin", "must not be greater than 10000")) nin = 1;
  k_ = Eigen::MatrixXd::Ones(nin, 1);
  r.vectorOfAnySize("k", k_, "1", "gains of the elements");
  if (!r.isGiven("nin")) nin = std::ssize(k_);
  if (!r.require(k_.size() == nin, "k", "must have nin elements"))
    k_ = Eigen::MatrixXd::Ones(nin, 1);
  r.input("u", nin, "1", "input");
}

void Sum::declare(Structure& s) { u_ = s.input("u", std::ssize(k_)); }

void Sum::describe(Variables& v) const {
  v.scalar(output("y", "output", Level::Time, {u_}), [this](const auto& x) {
    std::decay_t<decltype(x.time())> y = 0.0;
    for (Eigen::Index i = 0; i < k_.size(); ++i) y += k_(i) * x.input(u_, i);
    return y;
  });
}

Catalogue arithmetic() {
  return {
      entry<Gain>("Blocks.Gain", "product with a gain"),
      entry<MatrixGain>("Blocks.MatrixGain", "product of a matrix with a vector"),
      entry<Add>("Blocks.Add", "weighted sum of two signals"),
      entry<Add3>("Blocks.Add3", "weighted sum of three signals"),
      entry<Sum>("Blocks.Sum", "weighted sum of a vector's elements"),
      entry<Feedback>("Blocks.Feedback", "difference of two signals"),
      entry<Product>("Blocks.Product", "product of two signals"),
      entry<Division>("Blocks.Division", "quotient of two signals"),
      entry<Max>("Blocks.Max", "larger of two signals"),
      entry<Min>("Blocks.Min", "smaller of two signals"),
      entry<Abs>("Blocks.Abs", "absolute value"),
  };
}

Catalogue functions() {
  return {
      entry<Sqrt>("Blocks.Sqrt", "square root"),
      entry<Sin>("Blocks.Sin", "sine of the input"),
      entry<Cos>("Blocks.Cos", "cosine of the input"),
      entry<Tan>("Blocks.Tan", "tangent of the input"),
      entry<Asin>("Blocks.Asin", "arc sine"),
      entry<Acos>("Blocks.Acos", "arc cosine"),
      entry<Atan>("Blocks.Atan", "arc tangent"),
      entry<Atan2>("Blocks.Atan2", "angle of two coordinates"),
      entry<Sinh>("Blocks.Sinh", "hyperbolic sine"),
      entry<Cosh>("Blocks.Cosh", "hyperbolic cosine"),
      entry<Tanh>("Blocks.Tanh", "hyperbolic tangent"),
      entry<Exp>("Blocks.Exp", "exponential"),
      entry<Log>("Blocks.Log", "natural logarithm"),
      entry<Log10>("Blocks.Log10", "logarithm to base 10"),
      entry<Limiter>("Blocks.Limiter", "signal within fixed limits"),
      entry<VariableLimiter>("Blocks.VariableLimiter", "signal within limits from signals"),
      entry<DeadZone>("Blocks.DeadZone", "zero within a range, what is beyond it outside"),
      entry<RealPassThrough>("Blocks.RealPassThrough", "passes a signal"),
      entry<BooleanPassThrough>("Blocks.BooleanPassThrough", "passes a truth value"),
      entry<Not>("Blocks.Not", "logical not"),
      entry<And>("Blocks.And", "logical and"),
      entry<Or>("Blocks.Or", "logical or"),
      entry<Xor>("Blocks.Xor", "logical exclusive or"),
      entry<Switch>("Blocks.Switch", "one of two signals"),
      entry<LogicalSwitch>("Blocks.LogicalSwitch", "one of two truth values"),
      entry<BooleanToReal>("Blocks.BooleanToReal", "number for a truth value"),
  };
}

Catalogue furtherFunctions() {
  return {
      entry<Nor>("Blocks.Nor", "logical not or"),
      entry<Nand>("Blocks.Nand", "logical not and"),
      entry<BooleanToInteger>("Blocks.BooleanToInteger", "integer for a truth value"),
      entry<Power>("Blocks.Power", "power of a base"),
  };
}

}  // namespace cardan::blocks
