#include "components/blocks/math.h"

#include "components/make.h"

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
  r.real("uMin", uMin, "1", "lower limit");
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

}  // namespace cardan::blocks

namespace cardan {

template std::unique_ptr<Component> make<blocks::Gain>();
template std::unique_ptr<Component> make<blocks::MatrixGain>();
template std::unique_ptr<Component> make<blocks::Add>();
template std::unique_ptr<Component> make<blocks::Add3>();
template std::unique_ptr<Component> make<blocks::Sum>();
template std::unique_ptr<Component> make<blocks::Feedback>();
template std::unique_ptr<Component> make<blocks::Product>();
template std::unique_ptr<Component> make<blocks::Division>();
template std::unique_ptr<Component> make<blocks::Max>();
template std::unique_ptr<Component> make<blocks::Min>();
template std::unique_ptr<Component> make<blocks::Abs>();
template std::unique_ptr<Component> make<blocks::Sqrt>();
template std::unique_ptr<Component> make<blocks::Sin>();
template std::unique_ptr<Component> make<blocks::Cos>();
template std::unique_ptr<Component> make<blocks::Tan>();
template std::unique_ptr<Component> make<blocks::Asin>();
template std::unique_ptr<Component> make<blocks::Acos>();
template std::unique_ptr<Component> make<blocks::Atan>();
template std::unique_ptr<Component> make<blocks::Atan2>();
template std::unique_ptr<Component> make<blocks::Sinh>();
template std::unique_ptr<Component> make<blocks::Cosh>();
template std::unique_ptr<Component> make<blocks::Tanh>();
template std::unique_ptr<Component> make<blocks::Exp>();
template std::unique_ptr<Component> make<blocks::Log>();
template std::unique_ptr<Component> make<blocks::Log10>();
template std::unique_ptr<Component> make<blocks::Limiter>();
template std::unique_ptr<Component> make<blocks::VariableLimiter>();
template std::unique_ptr<Component> make<blocks::DeadZone>();
template std::unique_ptr<Component> make<blocks::RealPassThrough>();
template std::unique_ptr<Component> make<blocks::BooleanPassThrough>();
template std::unique_ptr<Component> make<blocks::Not>();
template std::unique_ptr<Component> make<blocks::And>();
template std::unique_ptr<Component> make<blocks::Or>();
template std::unique_ptr<Component> make<blocks::Xor>();
template std::unique_ptr<Component> make<blocks::Nor>();
template std::unique_ptr<Component> make<blocks::Nand>();
template std::unique_ptr<Component> make<blocks::BooleanToInteger>();
template std::unique_ptr<Component> make<blocks::Power>();
template std::unique_ptr<Component> make<blocks::Switch>();
template std::unique_ptr<Component> make<blocks::LogicalSwitch>();
template std::unique_ptr<Component> make<blocks::BooleanToReal>();

}  // namespace cardan
