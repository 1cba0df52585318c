#include "components/electrical/ideal.h"

#include "components/catalogue_entry.h"
#include "components/interfaces/describe.h"

namespace cardan::electrical {

void IdealOpAmp::read(ParameterReader& r) {
  r.start("v1", v1_, "V", "voltage of the left port");
  r.start("v2", v2_, "V", "voltage of the right port");
  r.start("i1", i1_, "A", "current of the left port");
  r.start("i2", i2Start_, "A", "current of the right port");
}

void IdealOpAmp::declare(Structure& s) {
  p1_ = s.flange("p1", Domain::Electrical);
  n1_ = s.flange("n1", Domain::Electrical);
  p2_ = s.flange("p2", Domain::Electrical);
  n2_ = s.flange("n2", Domain::Electrical);
  i2_ = s.unknown({"i2", "A", "current of the right port"}, Kind::Algebraic);
  row_ = s.row("v1");
}

void IdealOpAmp::describe(Variables& v) const {
  v.scalar({"v1", "V", "voltage of the left port, zero", Level::Acceleration},
           [this](const auto& x) { return x.flange(p1_).position - x.flange(n1_).position; });
  v.start("v1", v1_);
  v.scalar({"v2", "V", "voltage of the right port", Level::Acceleration},
           [this](const auto& x) { return x.flange(p2_).position - x.flange(n2_).position; });
  v.start("v2", v2_);
  v.constant("i1", "A", "current of the left port, zero", 0);
  v.start("i1", i1_);
  v.scalar({"i2", "A", "current of the right port", Level::Acceleration},
           [this](const auto& x) { return x.unknown(i2_); });
  v.start("i2", i2Start_);
}

void IdealOpAmp3Pin::declare(Structure& s) {
  in_p_ = s.flange("in_p", Domain::Electrical);
  in_n_ = s.flange("in_n", Domain::Electrical);
  out_ = s.flange("out", Domain::Electrical);
  i_ = s.unknown({"outputCurrent", "A", "current into the output pin"}, Kind::Algebraic);
  row_ = s.row("input");
}

template <TwoPortKind K>
void TwoPort<K>::read(ParameterReader& r) {
  if constexpr (K == TwoPortKind::transformer) {
    bool magnetization = false;
    double Lm1 = 1;
    r.real("n", gain_, "1", "turns of port 1 over those of port 2");
    r.boolean("considerMagnetization", magnetization, "must be false");
    r.require(!magnetization, "considerMagnetization", "must be false: put an inductor at port 1");
    r.real("Lm1", Lm1, "H", "not used", kPositive);
  } else if constexpr (K == TwoPortKind::gyrator) {
    r.real("G1", gain_, "S", "gyration conductance of port 1");
    r.real("G2", G2_, "S", "gyration conductance of port 2");
  } else if constexpr (K == TwoPortKind::VCC) {
    r.real("transConductance", gain_, "S", "i2/v1");
  } else if constexpr (K == TwoPortKind::CCV) {
    r.real("transResistance", gain_, "Ohm", "v2/i1");
  } else {
    r.real("gain", gain_, "1", K == TwoPortKind::VCV ? "v2/v1" : "i2/i1");
  }
}

template <TwoPortKind K>
void TwoPort<K>::declare(Structure& s) {
  for (int k = 0; k < 2; ++k) {
    const std::string number = std::to_string(k + 1);
    p_[k] = s.flange("p" + number, Domain::Electrical);
    n_[k] = s.flange("n" + number, Domain::Electrical);
    if (!isUnknown(k)) continue;
    i_[k] = s.unknown({"i" + number, "A", "current into port " + number}, Kind::Algebraic);
    rows_[k] = s.row("port " + number);
  }
}

template <TwoPortKind K>
void TwoPort<K>::describe(Variables& v) const {
  for (int k = 0; k < 2; ++k) {
    const std::string number = std::to_string(k + 1);
    v.scalar({"v" + number, "V", "voltage of port " + number, Level::Acceleration},
             [this, k](const auto& x) { return voltage(x, k); });
    v.scalar({"i" + number, "A", "current into port " + number, Level::Acceleration},
             [this, k](const auto& x) { return current(x, k); });
  }
}

void TwoLines::read(ParameterReader& r) {
  r.real("Ron", Ron, "Ohm", "resistance of the closed part", kNotNegative);
  r.real("Goff", Goff, "S", "conductance of the open part", kNotNegative);
}

void IdealDiode::read(ParameterReader& r) {
  lines_.read(r);
  r.real("Vknee", lines_.Vknee, "V", "voltage from which on it conducts", kNotNegative);
  losses_.read(r);
  port_.read(r);
}

void IdealDiode::declare(Structure& s) {
  port_.declare(s);
  port_.declareCurrent(s);
  losses_.declare(s);
  conducts_ = s.mode("conducts", 0);
}

void IdealDiode::describe(Variables& v) const {
  port_.describe(v, [this](const auto& x) { return port_.current(x); });
  losses_.describe(v, [this](const auto& x) { return port_.voltage(x) * port_.current(x); });
  describe::truth(v, {"off", "1", "it blocks", Level::Time},
                  [this](const auto& x) { return !x.mode(conducts_); });
}

void IdealDiode::guards(const View<double>& x, Guards& g) const {
  g.crossing(x.mode(conducts_) ? port_.current(x) - lines_.Goff * lines_.Vknee + kHair
                               : lines_.Vknee - port_.voltage(x) + kHair);
}

bool IdealDiode::transition(const View<double>& x, Modes& m) const {
  const bool was = m.get(conducts_) != 0;
  const double s =
      was ? port_.current(x) - lines_.Goff * lines_.Vknee : port_.voltage(x) - lines_.Vknee;
  const bool is = was ? s > -0.5 * kHair : s > 0.5 * kHair;
  if (is == was) return false;
  m.set(conducts_, is ? 1 : 0);
  return true;
}

template <bool Closing>
void IdealSwitch<Closing>::read(ParameterReader& r) {
  lines_.read(r);
  losses_.read(r);
  port_.read(r);
  r.input("control", 1, "", Closing ? "closes the switch" : "opens the switch");
}

template <bool Closing>
void IdealSwitch<Closing>::declare(Structure& s) {
  port_.declare(s);
  port_.declareCurrent(s);
  losses_.declare(s);
  control_ = s.input("control", 1);
}

template <bool Closing>
void IdealSwitch<Closing>::describe(Variables& v) const {
  port_.describe(v, [this](const auto& x) { return port_.current(x); });
  losses_.describe(v, [this](const auto& x) { return port_.voltage(x) * port_.current(x); });
}

void Diode::read(ParameterReader& r) {
  r.real("Ids", Ids_, "A", "saturation current", kPositive);
  r.real("Vt", Vt_, "V", "voltage equivalent of temperature", kPositive);
  r.real("Maxexp", Maxexp_, "1", "the law goes on straight above this exponent", kPositive);
  r.real("R", R_, "Ohm", "parallel resistance", kPositive);
  losses_.read(r);
  port_.read(r);
}

void Diode::declare(Structure& s) {
  port_.declare(s);
  losses_.declare(s);
}

void Diode::describe(Variables& v) const {
  port_.describe(v, [this](const auto& x) { return current(x); });
  losses_.describe(v, [this](const auto& x) { return port_.voltage(x) * current(x); });
}

Catalogue opAmps() {
  return {
      entry<IdealOpAmp>("Analog.IdealOpAmp", "ideal operational amplifier"),
      entry<IdealOpAmp3Pin>("Analog.IdealOpAmp3Pin",
                            "ideal operational amplifier with one output pin"),
  };
}

Catalogue ideal() {
  return {
      entry<IdealTransformer>("Analog.IdealTransformer", "ideal transformer"),
      entry<Gyrator>("Analog.Gyrator", "gyrator"),
      entry<VCV>("Analog.VCV", "voltage source that a voltage controls"),
      entry<VCC>("Analog.VCC", "current source that a voltage controls"),
      entry<CCV>("Analog.CCV", "voltage source that a current controls"),
      entry<CCC>("Analog.CCC", "current source that a current controls"),
      entry<IdealDiode>("Analog.IdealDiode", "ideal diode"),
      entry<IdealClosingSwitch>("Analog.IdealClosingSwitch", "switch that a truth value closes"),
      entry<IdealOpeningSwitch>("Analog.IdealOpeningSwitch", "switch that a truth value opens"),
      entry<Diode>("Analog.Diode", "diode with an exponential law"),
  };
}

}  // namespace cardan::electrical
