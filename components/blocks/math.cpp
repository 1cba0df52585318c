/// Blocks without memory: sums, products, functions, limits.
#include <array>
#include <cmath>

#include "components/blocks/time_source.h"
#include "components/catalogue_entry.h"
#include "components/laws/relation.h"
#include "frames/dual.h"

namespace cardan::blocks {
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

/// y = law(u): a block whose output depends on nothing but its scalar inputs.
///
/// Law   static constexpr std::array inputs{"u1", ...};
///       void read(ParameterReader& r);
///       template <class S> S y(const S* u) const;
///
/// A law that bends has its kinks as events, each with a mode: beyond[k] says kink(k, u) > 0.
///
/// Law   static constexpr std::array kinks{"above", ...};
///       double kink(size_t k, const double* u) const;
///       template <class S> S y(const S* u, const bool* beyond) const;
template <class Law>
class Algebraic final : public ComponentOf<Algebraic<Law>> {
 public:
  void read(ParameterReader& r) override {
    law_.read(r);
    for (size_t i = 0; i < kInputs; ++i) {
      r.input(Law::inputs[i], 1, isBooleanInput(i) ? "" : "1", "input");
    }
  }
  void declare(Structure& s) override {
    for (size_t i = 0; i < kInputs; ++i) u_[i] = s.input(Law::inputs[i], 1);
    if constexpr (kKinks > 0) {
      for (size_t k = 0; k < kKinks; ++k) kinks_[k].declare(s, Law::kinks[k]);
    }
  }
  void describe(Variables& v) const override {
    VariableInfo info = output("y", "output", Level::Time, {u_.begin(), u_.end()}, Law::isBoolean);
    v.scalar(info, [this](const auto& x) {
      using S = std::decay_t<decltype(x.time())>;
      S u[kInputs];
      inputs(x, u);
      if constexpr (kKinks > 0) {
        bool beyond[kKinks];
        for (size_t k = 0; k < kKinks; ++k) beyond[k] = kinks_[k].beyond(x);
        return law_.template y<S>(u, beyond);
      } else {
        return law_.template y<S>(u);
      }
    });
  }
  void guards(const View<double>& x, Guards& g) const override {
    if constexpr (kKinks > 0) {
      double u[kInputs];
      inputs(x, u);
      for (size_t k = 0; k < kKinks; ++k) kinks_[k].guard(x, g, law_.kink(k, u), u[0]);
    }
  }
  bool transition(const View<double>& x, Modes& m) const override {
    bool changed = false;
    if constexpr (kKinks > 0) {
      double u[kInputs];
      inputs(x, u);
      for (size_t k = 0; k < kKinks; ++k) {
        changed = kinks_[k].update(m, law_.kink(k, u), u[0]) || changed;
      }
    }
    return changed;
  }

 private:
  static constexpr size_t kInputs = Law::inputs.size();
  static constexpr size_t kKinks = [] {
    if constexpr (requires { Law::kinks; }) {
      return Law::kinks.size();
    } else {
      return size_t{0};
    }
  }();
  template <class S>
  void inputs(const View<S>& x, S* u) const {
    for (size_t i = 0; i < kInputs; ++i) u[i] = x.input(u_[i]);
  }
  static constexpr bool isBooleanInput(int i) { return Law::isBoolean || i == Law::conditionInput; }
  Law law_;
  std::array<SignalId, kInputs> u_;
  std::array<one_dimensional::Kink, kKinks> kinks_;
};

struct NoParameters {
  static constexpr bool isBoolean = false;   // output and inputs
  static constexpr int conditionInput = -1;  // the one Boolean input of a law of numbers
  void read(ParameterReader&) {}
};
struct OneInput : NoParameters {
  static constexpr std::array inputs{"u"};
};
struct TwoInputs : NoParameters {
  static constexpr std::array inputs{"u1", "u2"};
};
constexpr auto isTrue = [](const auto& u) { return u > 0.5; };
struct OneTruth : OneInput {
  static constexpr bool isBoolean = true;
};
struct TwoTruths : TwoInputs {
  static constexpr bool isBoolean = true;
};

/// y = f(u), without parameters; truth values are 0 and 1.
template <class Inputs, auto f>
struct Pure : Inputs {
  template <class S>
  S y(const S* u) const {
    return S(f(u));
  }
};

/// y = k u
struct GainLaw : OneInput {
  double k = 1;
  void read(ParameterReader& r) { r.real("k", k, "1", "gain"); }
  template <class S>
  S y(const S* u) const {
    return k * u[0];
  }
};
/// y = k1 u1 + k2 u2
struct AddLaw : TwoInputs {
  double k1 = 1, k2 = 1;
  void read(ParameterReader& r) {
    r.real("k1", k1, "1", "gain of u1");
    r.real("k2", k2, "1", "gain of u2");
  }
  template <class S>
  S y(const S* u) const {
    return k1 * u[0] + k2 * u[1];
  }
};
/// y = k1 u1 + k2 u2 + k3 u3
struct Add3Law : NoParameters {
  static constexpr std::array inputs{"u1", "u2", "u3"};
  double k1 = 1, k2 = 1, k3 = 1;
  void read(ParameterReader& r) {
    r.real("k1", k1, "1", "gain of u1");
    r.real("k2", k2, "1", "gain of u2");
    r.real("k3", k3, "1", "gain of u3");
  }
  template <class S>
  S y(const S* u) const {
    return k1 * u[0] + k2 * u[1] + k3 * u[2];
  }
};
/// y = u1 - u2
struct FeedbackLaw : Pure<TwoInputs, [](const auto* u) { return u[0] - u[1]; }> {};
/// y = u1 u2
struct ProductLaw : Pure<TwoInputs, [](const auto* u) { return u[0] * u[1]; }> {};
/// y = u1/u2
struct DivisionLaw : Pure<TwoInputs, [](const auto* u) { return u[0] / u[1]; }> {};
/// A law that bends where its inputs are equal.
struct BendsAtEquality : TwoInputs {
  static constexpr std::array kinks{"greater"};
  double kink(size_t, const double* u) const { return u[0] - u[1]; }
};
/// y = the larger of u1 and u2; that they are equal is an event.
struct MaxLaw : BendsAtEquality {
  template <class S>
  S y(const S* u, const bool* greater) const {
    return *greater ? u[0] : u[1];
  }
};
/// y = the smaller of u1 and u2; that they are equal is an event.
struct MinLaw : BendsAtEquality {
  template <class S>
  S y(const S* u, const bool* greater) const {
    return *greater ? u[1] : u[0];
  }
};
/// y = atan2(u1, u2): the angle of the point (u2, u1), -pi to pi
struct Atan2Law : Pure<TwoInputs, [](const auto* u) { return atan2(u[0], u[1]); }> {};
/// y = |u|; u = 0 is an event.
struct AbsLaw : OneInput {
  static constexpr std::array kinks{"positive"};
  void read(ParameterReader& r) {
    bool generateEvent = false;
    r.boolean("generateEvent", generateEvent, "not used: a kink is always an event");
  }
  double kink(size_t, const double* u) const { return u[0]; }
  template <class S>
  S y(const S* u, const bool* positive) const {
    return *positive ? u[0] : S(-u[0]);
  }
};

constexpr auto kSqrt = [](const auto* u) { return cardan::sqrt(u[0]); };
constexpr auto kSin = [](const auto* u) { return cardan::sin(u[0]); };
constexpr auto kCos = [](const auto* u) { return cardan::cos(u[0]); };
constexpr auto kTan = [](const auto* u) { return cardan::tan(u[0]); };
constexpr auto kAsin = [](const auto* u) { return cardan::asin(u[0]); };
constexpr auto kAcos = [](const auto* u) { return cardan::acos(u[0]); };
constexpr auto kAtan = [](const auto* u) { return cardan::atan(u[0]); };
constexpr auto kSinh = [](const auto* u) { return cardan::sinh(u[0]); };
constexpr auto kCosh = [](const auto* u) { return cardan::cosh(u[0]); };
constexpr auto kTanh = [](const auto* u) { return cardan::tanh(u[0]); };
constexpr auto kExp = [](const auto* u) { return cardan::exp(u[0]); };
constexpr auto kLog = [](const auto* u) { return cardan::log(u[0]); };
constexpr auto kLog10 = [](const auto* u) { return cardan::log10(u[0]); };
/// y = f(u), f the elementary function that the block is named after.
template <auto f>
struct ElementaryLaw : Pure<OneInput, f> {};

/// Upper and lower limit; the lower is minus the upper where it is not given.
struct Limits : OneInput {
  static constexpr std::array kinks{"above", "below"};
  double uMax = 1, uMin = -1;
  void readLimits(ParameterReader& r) {
    r.real("uMax", uMax, "1", "upper limit");
    uMin = -uMax;
    r.real("uMin", uMin, "1", "lower limit; default: -uMax");
    r.require(uMax >= uMin, "uMax", "must not be below uMin");
  }
  double kink(size_t k, const double* u) const { return k == 0 ? u[0] - uMax : uMin - u[0]; }
};
/// y = u within the limits, else the limit.
struct LimiterLaw : Limits {
  void read(ParameterReader& r) {
    readLimits(r);
    bool limitsAtInit = true;
    r.boolean("limitsAtInit", limitsAtInit, "not used");
    readLimiterHints(r);
  }
  template <class S>
  S y(const S* u, const bool* beyond) const {
    return beyond[1] ? S(uMin) : beyond[0] ? S(uMax) : u[0];
  }
};
/// y = 0 within the limits, else what is beyond the limit.
struct DeadZoneLaw : Limits {
  void read(ParameterReader& r) { readLimits(r); }
  template <class S>
  S y(const S* u, const bool* beyond) const {
    return beyond[0] ? S(u[0] - uMax) : beyond[1] ? S(u[0] - uMin) : S(0.0);
  }
};
/// u within limit2 <= y <= limit1.
struct VariableLimiterLaw : NoParameters {
  static constexpr std::array inputs{"u", "limit1", "limit2"};
  static constexpr std::array kinks{"above", "below"};
  void read(ParameterReader& r) {
    bool limitsAtInit = true;
    double ySimplified = 0;
    r.boolean("limitsAtInit", limitsAtInit, "not used");
    r.real("ySimplified", ySimplified, "1", "not used");
    readLimiterHints(r);
  }
  double kink(size_t k, const double* u) const { return k == 0 ? u[0] - u[1] : u[2] - u[0]; }
  template <class S>
  S y(const S* u, const bool* beyond) const {
    return beyond[0] ? u[1] : beyond[1] ? u[2] : u[0];
  }
};
/// y = u
struct RealPassThroughLaw : Pure<OneInput, [](const auto* u) { return u[0]; }> {};

/// y = u
struct BooleanPassThroughLaw : RealPassThroughLaw {
  static constexpr bool isBoolean = true;
};
/// y = not u
struct NotLaw : Pure<OneTruth, [](const auto* u) { return !isTrue(u[0]); }> {};
/// y = u1 and u2
struct AndLaw : Pure<TwoTruths, [](const auto* u) { return isTrue(u[0]) && isTrue(u[1]); }> {};
/// y = u1 or u2
struct OrLaw : Pure<TwoTruths, [](const auto* u) { return isTrue(u[0]) || isTrue(u[1]); }> {};
/// y = not (u1 or u2)
struct NorLaw : Pure<TwoTruths, [](const auto* u) { return !isTrue(u[0]) && !isTrue(u[1]); }> {};
/// y = not (u1 and u2)
struct NandLaw : Pure<TwoTruths, [](const auto* u) { return !isTrue(u[0]) || !isTrue(u[1]); }> {};
/// y = u1 and not u2, or u2 and not u1
struct XorLaw : Pure<TwoTruths, [](const auto* u) { return isTrue(u[0]) != isTrue(u[1]); }> {};
/// y = u1 where u2 is true, else u3.
struct SwitchLaw : NoParameters {
  static constexpr std::array inputs{"u1", "u2", "u3"};
  static constexpr int conditionInput = 1;
  template <class S>
  S y(const S* u) const {
    return u[1] > 0.5 ? u[0] : u[2];
  }
};
/// y = u1 where u2 is true, else u3; all of them truth values.
struct LogicalSwitchLaw : SwitchLaw {
  static constexpr bool isBoolean = true;
};
/// y = realTrue where u is true, else realFalse.
struct BooleanToRealLaw : OneInput {
  static constexpr int conditionInput = 0;
  double realTrue = 1, realFalse = 0;
  void read(ParameterReader& r) {
    r.real("realTrue", realTrue, "1", "output for true");
    r.real("realFalse", realFalse, "1", "output for false");
  }
  template <class S>
  S y(const S* u) const {
    return S(u[0] > 0.5 ? realTrue : realFalse);
  }
};

/// y = integerTrue where u is true, else integerFalse.
struct BooleanToIntegerLaw : OneInput {
  static constexpr int conditionInput = 0;
  int integerTrue = 1, integerFalse = 0;
  void read(ParameterReader& r) {
    r.integer("integerTrue", integerTrue, "output for true");
    r.integer("integerFalse", integerFalse, "output for false");
  }
  template <class S>
  S y(const S* u) const {
    return S(u[0] > 0.5 ? static_cast<double>(integerTrue) : static_cast<double>(integerFalse));
  }
};
/// y = base^u
struct PowerLaw : OneInput {
  double base = 2.718281828459045;
  void read(ParameterReader& r) {
    bool useExp = true;
    r.real("base", base, "1", "base of the power", kPositive);
    r.boolean("useExp", useExp, "not used: the base is positive");
  }
  template <class S>
  S y(const S* u) const {
    return exp(S(u[0] * std::log(base)));
  }
};

/// y = K u, for vectors.
class MatrixGain final : public ComponentOf<MatrixGain> {
 public:
  void read(ParameterReader& r) override {
    r.table("K", K_, "1", "gain matrix");
    if (!r.require(K_.size() > 0, "K", "must not be empty")) K_ = Eigen::MatrixXd::Identity(2, 2);
    r.input("u", K_.cols(), "1", "input");
  }
  void declare(Structure& s) override { u_ = s.input("u", K_.cols()); }
  void describe(Variables& v) const override {
    const int rows = K_.rows();
    v.array(output("y", "output", Level::Time, {u_}), {rows}, [this](const auto& x, auto* out) {
      for (Eigen::Index i = 0; i < K_.rows(); ++i) {
        out[i] = 0.0;
        for (Eigen::Index j = 0; j < K_.cols(); ++j) out[i] += K_(i, j) * x.input(u_, j);
      }
    });
  }

 private:
  Eigen::MatrixXd K_ = Eigen::MatrixXd::Identity(2, 2);
  SignalId u_;
};

/// y = k u, the sum of a vector's elements.
class Sum final : public ComponentOf<Sum> {
 public:
  void read(ParameterReader& r) override {
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
  void declare(Structure& s) override { u_ = s.input("u", std::ssize(k_)); }
  void describe(Variables& v) const override {
    v.scalar(output("y", "output", Level::Time, {u_}), [this](const auto& x) {
      std::decay_t<decltype(x.time())> y = 0.0;
      for (Eigen::Index i = 0; i < k_.size(); ++i) y += k_(i) * x.input(u_, i);
      return y;
    });
  }

 private:
  Eigen::MatrixXd k_ = Eigen::MatrixXd::Ones(1, 1);
  SignalId u_;
};

Catalogue arithmetic() {
  return {
      entry<Algebraic<GainLaw>>("Blocks.Gain", "product with a gain"),
      entry<MatrixGain>("Blocks.MatrixGain", "product of a matrix with a vector"),
      entry<Algebraic<AddLaw>>("Blocks.Add", "weighted sum of two signals"),
      entry<Algebraic<Add3Law>>("Blocks.Add3", "weighted sum of three signals"),
      entry<Sum>("Blocks.Sum", "weighted sum of a vector's elements"),
      entry<Algebraic<FeedbackLaw>>("Blocks.Feedback", "difference of two signals"),
      entry<Algebraic<ProductLaw>>("Blocks.Product", "product of two signals"),
      entry<Algebraic<DivisionLaw>>("Blocks.Division", "quotient of two signals"),
      entry<Algebraic<MaxLaw>>("Blocks.Max", "larger of two signals"),
      entry<Algebraic<MinLaw>>("Blocks.Min", "smaller of two signals"),
      entry<Algebraic<AbsLaw>>("Blocks.Abs", "absolute value"),
  };
}

Catalogue functions() {
  return {
      entry<Algebraic<ElementaryLaw<kSqrt>>>("Blocks.Sqrt", "square root"),
      entry<Algebraic<ElementaryLaw<kSin>>>("Blocks.Sin", "sine of the input"),
      entry<Algebraic<ElementaryLaw<kCos>>>("Blocks.Cos", "cosine of the input"),
      entry<Algebraic<ElementaryLaw<kTan>>>("Blocks.Tan", "tangent of the input"),
      entry<Algebraic<ElementaryLaw<kAsin>>>("Blocks.Asin", "arc sine"),
      entry<Algebraic<ElementaryLaw<kAcos>>>("Blocks.Acos", "arc cosine"),
      entry<Algebraic<ElementaryLaw<kAtan>>>("Blocks.Atan", "arc tangent"),
      entry<Algebraic<Atan2Law>>("Blocks.Atan2", "angle of two coordinates"),
      entry<Algebraic<ElementaryLaw<kSinh>>>("Blocks.Sinh", "hyperbolic sine"),
      entry<Algebraic<ElementaryLaw<kCosh>>>("Blocks.Cosh", "hyperbolic cosine"),
      entry<Algebraic<ElementaryLaw<kTanh>>>("Blocks.Tanh", "hyperbolic tangent"),
      entry<Algebraic<ElementaryLaw<kExp>>>("Blocks.Exp", "exponential"),
      entry<Algebraic<ElementaryLaw<kLog>>>("Blocks.Log", "natural logarithm"),
      entry<Algebraic<ElementaryLaw<kLog10>>>("Blocks.Log10", "logarithm to base 10"),
      entry<Algebraic<LimiterLaw>>("Blocks.Limiter", "signal within fixed limits"),
      entry<Algebraic<VariableLimiterLaw>>("Blocks.VariableLimiter",
                                           "signal within limits from signals"),
      entry<Algebraic<DeadZoneLaw>>("Blocks.DeadZone",
                                    "zero within a range, what is beyond it outside"),
      entry<Algebraic<RealPassThroughLaw>>("Blocks.RealPassThrough", "passes a signal"),
      entry<Algebraic<BooleanPassThroughLaw>>("Blocks.BooleanPassThrough", "passes a truth value"),
      entry<Algebraic<NotLaw>>("Blocks.Not", "logical not"),
      entry<Algebraic<AndLaw>>("Blocks.And", "logical and"),
      entry<Algebraic<OrLaw>>("Blocks.Or", "logical or"),
      entry<Algebraic<XorLaw>>("Blocks.Xor", "logical exclusive or"),
      entry<Algebraic<SwitchLaw>>("Blocks.Switch", "one of two signals"),
      entry<Algebraic<LogicalSwitchLaw>>("Blocks.LogicalSwitch", "one of two truth values"),
      entry<Algebraic<BooleanToRealLaw>>("Blocks.BooleanToReal", "number for a truth value"),
  };
}

Catalogue furtherFunctions() {
  return {
      entry<Algebraic<NorLaw>>("Blocks.Nor", "logical not or"),
      entry<Algebraic<NandLaw>>("Blocks.Nand", "logical not and"),
      entry<Algebraic<BooleanToIntegerLaw>>("Blocks.BooleanToInteger", "integer for a truth value"),
      entry<Algebraic<PowerLaw>>("Blocks.Power", "power of a base"),
  };
}

}  // namespace cardan::blocks
