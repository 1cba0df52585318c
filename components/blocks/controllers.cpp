#include "components/blocks/controllers.h"

#include "components/blocks/time_source.h"
#include "components/catalogue_entry.h"

namespace cardan::blocks {

void Der::read(ParameterReader& r) { r.input("u", 1, "1", "input"); }

void Der::declare(Structure& s) { u_ = s.input("u", 1, Rate::Needed); }

void Der::describe(Variables& v) const {
  v.scalar(output("y", "derivative of u", Level::Acceleration),
           [this](const auto& x) { return x.inputRate(u_); });
}

void LimPID::read(ParameterReader& r) {
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

void LimPID::declare(Structure& s) {
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

void LimPID::describe(Variables& v) const {
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

void LimPID::guards(const View<double>& x, Guards& g) const {
  const double v = unlimited(x);
  above_.guard(x, g, v - yMax_, v);
  below_.guard(x, g, yMin_ - v, v);
}

bool LimPID::transition(const View<double>& x, Modes& m) const {
  const double v = unlimited(x);
  const bool changed = above_.update(m, v - yMax_, v);
  return below_.update(m, yMin_ - v, v) || changed;
}

Catalogue limPid() {
  return {entry<LimPID>("Blocks.LimPID", "controller with limited output and anti-windup")};
}

Catalogue der() { return {entry<Der>("Blocks.Der", "derivative of the input")}; }

}  // namespace cardan::blocks
