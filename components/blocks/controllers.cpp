/// Continuous blocks that are not linear systems: limited PID controller, derivative of a signal.
#include "components/blocks/initial_state.h"
#include "components/blocks/time_source.h"
#include "components/catalogue_entry.h"
#include "components/component.h"
#include "components/laws/relation.h"
#include "frames/dual.h"

namespace cardan::blocks {

/// y = der(u): a derivative along the motion where only results read it, else that of a state
/// which follows u.
///
/// Source     MSL 4.0 Blocks.Continuous.Der
class Der final : public ComponentOf<Der> {
 public:
  void read(ParameterReader& r) override { r.input("u", 1, "1", "input"); }
  void declare(Structure& s) override { u_ = s.input("u", 1, Rate::Needed); }
  void describe(Variables& v) const override {
    v.scalar(output("y", "derivative of u", Level::Acceleration),
             [this](const auto& x) { return x.inputRate(u_); });
  }

 private:
  SignalId u_;
};

/// P, PI, PD or PID controller with limited output, weighted set point, feed-forward and
/// anti-windup.
///
/// Unknowns   I.y, D.x
/// Equations  v = k (wp u_s - u_m + I.y + Td/T (wd u_s - u_m - D.x)) + kFF u_ff, T = Td/Nd;
///            yMin <= y <= yMax
///            der(I.y) = (u_s - u_m + (y - v)/(k Ni))/Ti;  der(D.x) = (wd u_s - u_m - D.x)/T
/// Modes      above: v > yMax;  below: v < yMin
/// Source     MSL 4.0 Blocks.Continuous.LimPID
class LimPID final : public ComponentOf<LimPID> {
 public:
  enum class Type { P, PI, PD, PID };

  void read(ParameterReader& r) override {
    r.enumeration("controllerType", type_,
                  {{"P", Type::P}, {"PI", Type::PI}, {"PD", Type::PD}, {"PID", Type::PID}},
                  "parts of the controller");
    r.real("k", k_, "1", "gain", kNotNegative);
    r.real("Ti", Ti_, "s", "time constant of the integral part", kPositive);
    r.real("Td", Td_, "s", "time constant of the derivative part", kNotNegative);
    r.real("yMax", yMax_, "1", "upper limit of the output");
    yMin_ = -yMax_;
    r.real("yMin", yMin_, "1", "lower limit of the output; default: -yMax");
    r.require(yMax_ >= yMin_, "yMax", "must not be below yMin");
    r.real("wp", wp_, "1", "weight of the set point in the proportional part", kNotNegative);
    r.real("wd", wd_, "1", "weight of the set point in the derivative part", kNotNegative);
    r.real("Ni", Ni_, "1", "Ni Ti is the time constant of the anti-windup", kPositive);
    r.real("Nd", Nd_, "1", "Td/Nd is the time constant of the derivative part's filter", kPositive);
    r.boolean("withFeedForward", withFeedForward_, "there is an input u_ff");
    r.real("kFF", kFF_, "1", "gain of u_ff");
    readInit(r, init_);
    r.real("xi_start", xi_start_, "1", "start value of the integral part");
    r.real("xd_start", xd_start_, "1", "start value of the derivative part's state");
    r.real("y_start", y_start_, "1", "start value of the output");
    r.require(init_ != Init::InitialOutput || (y_start_ >= yMin_ && y_start_ <= yMax_), "y_start",
              "must lie within the limits yMin and yMax");
    xiGiven_ = r.isGiven("xi_start");
    xdGiven_ = r.isGiven("xd_start");
    bool strict = false;
    enum class Homotopy { NoHomotopy, Linear, UpperLimit, LowerLimit } homotopy = Homotopy::Linear;
    r.enumeration("homotopyType", homotopy,
                  {{"NoHomotopy", Homotopy::NoHomotopy},
                   {"Linear", Homotopy::Linear},
                   {"UpperLimit", Homotopy::UpperLimit},
                   {"LowerLimit", Homotopy::LowerLimit}},
                  "not used");
    r.boolean("strict", strict, "not used");
    r.input("u_s", 1, "1", "set point");
    r.input("u_m", 1, "1", "measurement");
    if (withFeedForward_) r.input("u_ff", 1, "1", "feed-forward");
  }
  void declare(Structure& s) override {
    u_s_ = s.input("u_s", 1);
    u_m_ = s.input("u_m", 1);
    if (withFeedForward_) u_ff_ = s.input("u_ff", 1);
    if (with_I()) {
      I_ = s.unknown({"I.y", "1", "integral part", xi_start_}, Kind::Differential);
      rowI_ = s.row("I.y");
    }
    if (with_D()) {
      D_ = s.unknown({"D.x", "1", "state of the derivative part", xd_start_}, Kind::Differential);
      rowD_ = s.row("D.x");
    }
    above_.declare(s, "above");
    below_.declare(s, "below");
  }
  void describe(Variables& v) const override {
    std::vector<SignalId> reads{u_s_, u_m_};
    v.scalar({"controlError", "1", "set point minus measurement", Level::Time, false, reads},
             [this](const auto& x) { return x.input(u_s_) - x.input(u_m_); });
    if (withFeedForward_) reads.push_back(u_ff_);
    v.scalar(output("y", "output", Level::Position, reads),
             [this](const auto& x) { return limited(x, unlimited(x)); });
    const bool fixed = init_ == Init::InitialState;
    if (with_I()) startState(v, "I.y", xi_start_, fixed, xiGiven_);
    if (with_D()) startState(v, "D.x", xd_start_, fixed, xdGiven_);
    if (with_I() && init_ == Init::SteadyState) {
      initially(v, "the integral part starts in steady state", Level::Acceleration,
                [this](const auto& x) { return x.rate(I_); });
    }
    if (with_D() && (init_ == Init::SteadyState || init_ == Init::InitialOutput)) {
      initially(v, "the derivative part starts in steady state", Level::Acceleration,
                [this](const auto& x) { return x.rate(D_); });
    }
    if (init_ == Init::InitialOutput) {
      initially(v, "the output has its start value", Level::Position,
                [this](const auto& x) { return controlled(x) - y_start_; });
    }
  }
  void guards(const View<double>& x, Guards& g) const override {
    const double v = unlimited(x);
    above_.guard(x, g, v - yMax_, v);
    below_.guard(x, g, yMin_ - v, v);
  }
  bool transition(const View<double>& x, Modes& m) const override {
    const double v = unlimited(x);
    const bool changed = above_.update(m, v - yMax_, v);
    return below_.update(m, yMin_ - v, v) || changed;
  }

  template <class S>
  void physics(View<S>& x) const {
    if (with_I()) {
      const S v = unlimited(x);
      const S windup = k_ > 0 ? S((limited(x, v) - v) / (k_ * Ni_)) : S(0.0);
      x.row(rowI_) = x.rate(I_) - (x.input(u_s_) - x.input(u_m_) + windup) / Ti_;
    }
    if (with_D()) x.row(rowD_) = x.rate(D_) - (Td_ > 0 ? S(differentiated(x) / filter()) : S(0.0));
  }

 private:
  bool with_I() const { return type_ == Type::PI || type_ == Type::PID; }
  bool with_D() const { return type_ == Type::PD || type_ == Type::PID; }
  double filter() const { return max(Td_ / Nd_, 1e-14); }
  template <class S>
  S differentiated(const View<S>& x) const {
    return wd_ * x.input(u_s_) - x.input(u_m_) - x.unknown(D_);
  }
  /// gainPID.y
  template <class S>
  S controlled(const View<S>& x) const {
    S sum = wp_ * x.input(u_s_) - x.input(u_m_);
    if (with_I()) sum += x.unknown(I_);
    if (with_D() && Td_ > 0) sum += Td_ / filter() * differentiated(x);
    return k_ * sum;
  }
  template <class S>
  S unlimited(const View<S>& x) const {
    return withFeedForward_ ? S(controlled(x) + kFF_ * x.input(u_ff_)) : controlled(x);
  }
  template <class S>
  S limited(const View<S>& x, const S& v) const {
    return below_.beyond(x) ? S(yMin_) : above_.beyond(x) ? S(yMax_) : v;
  }

  Type type_ = Type::PID;
  double k_ = 1, Ti_ = 0.5, Td_ = 0.1;
  double yMax_ = 1, yMin_ = -1;
  double wp_ = 1, wd_ = 0, Ni_ = 0.9, Nd_ = 10;
  bool withFeedForward_ = false;
  double kFF_ = 1;
  Init init_ = Init::InitialState;
  double xi_start_ = 0, xd_start_ = 0, y_start_ = 0;
  bool xiGiven_ = false, xdGiven_ = false;

  SignalId u_s_, u_m_, u_ff_;
  UnknownId I_, D_;
  RowId rowI_, rowD_;
  one_dimensional::Kink above_, below_;
};

Catalogue limPid() {
  return {entry<LimPID>("Blocks.LimPID", "controller with limited output and anti-windup")};
}

Catalogue der() { return {entry<Der>("Blocks.Der", "derivative of the input")}; }

}  // namespace cardan::blocks
