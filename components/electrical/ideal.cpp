/// Ideal parts: operational amplifiers, transformer, diode, switches, controlled sources; and the diode by
/// its exponential law.
#include <cmath>

#include "components/catalogue_entry.h"
#include "components/electrical/one_port.h"
#include "components/interfaces/describe.h"

namespace cardan::electrical {

/// Ideal operational amplifier: no voltage and no current at the left port, any at the right one.
///
/// Unknowns   i2 [A]
/// Equations  v1 = p1.v - n1.v = 0;  i1 = p1.i = -n1.i = 0;  i2 = p2.i = -n2.i;  v2 = p2.v - n2.v
/// Source     MSL 4.0 Electrical.Analog.Ideal.IdealOpAmp
class IdealOpAmp final : public ComponentOf<IdealOpAmp> {
 public:
  void read(ParameterReader& r) override {
    r.start("v1", v1_, "V", "voltage of the left port");
    r.start("v2", v2_, "V", "voltage of the right port");
    r.start("i1", i1_, "A", "current of the left port");
    r.start("i2", i2Start_, "A", "current of the right port");
  }
  void declare(Structure& s) override {
    p1_ = s.flange("p1", Domain::Electrical);
    n1_ = s.flange("n1", Domain::Electrical);
    p2_ = s.flange("p2", Domain::Electrical);
    n2_ = s.flange("n2", Domain::Electrical);
    i2_ = s.unknown({"i2", "A", "current of the right port"}, Kind::Algebraic);
    row_ = s.row("v1");
  }
  void describe(Variables& v) const override {
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

  template <class S>
  void physics(View<S>& x) const {
    x.row(row_) = x.flange(p1_).position - x.flange(n1_).position;
    x.addFlow(p2_, x.unknown(i2_));
    x.addFlow(n2_, S(-x.unknown(i2_)));
  }

 private:
  StartValue v1_, v2_, i1_, i2Start_;
  FlangeId p1_, n1_, p2_, n2_;
  UnknownId i2_;
  RowId row_;
};

/// The same with one output pin; the current of the output comes from the supply, which is not
/// modelled.
///
/// Unknowns   out.i [A]
/// Equations  in_p.v = in_n.v;  in_p.i = in_n.i = 0
/// Source     MSL 4.0 Electrical.Analog.Ideal.IdealOpAmp3Pin
class IdealOpAmp3Pin final : public ComponentOf<IdealOpAmp3Pin> {
 public:
  void read(ParameterReader&) override {}
  void declare(Structure& s) override {
    in_p_ = s.flange("in_p", Domain::Electrical);
    in_n_ = s.flange("in_n", Domain::Electrical);
    out_ = s.flange("out", Domain::Electrical);
    i_ = s.unknown({"outputCurrent", "A", "current into the output pin"}, Kind::Algebraic);
    row_ = s.row("input");
  }

  template <class S>
  void physics(View<S>& x) const {
    x.row(row_) = x.flange(in_p_).position - x.flange(in_n_).position;
    x.addFlow(out_, x.unknown(i_));
  }

 private:
  FlangeId in_p_, in_n_, out_;
  UnknownId i_;
  RowId row_;
};

/// What ties the two ports of a two-port together.
enum class TwoPortKind {
  transformer,  ///< v1 = n v2,  i2 = -n i1
  gyrator,      ///< i1 = G2 v2,  i2 = -G1 v1
  VCV,          ///< v2 = gain v1,  i1 = 0
  VCC,          ///< i2 = transConductance v1,  i1 = 0
  CCV,          ///< v2 = transResistance i1,  v1 = 0
  CCC           ///< i2 = gain i1,  v1 = 0
};

/// Two ports without memory: v1 = p1.v - n1.v with the current i1 = p1.i = -n1.i, and port 2 likewise.
///
/// Unknowns   i1, i2 [A], those that no equation gives
/// Source     MSL 4.0 Electrical.Analog.Ideal.IdealTransformer (without magnetization),
///            Electrical.Analog.Basic.Gyrator, VCV, VCC, CCV, CCC
template <TwoPortKind K>
class TwoPort final : public ComponentOf<TwoPort<K>> {
 public:
  void read(ParameterReader& r) override {
    if constexpr (K == TwoPortKind::transformer) {
      bool magnetization = false;
      double Lm1 = 1;
      r.real("n", gain_, "1", "turns of port 1 over those of port 2");
      r.boolean("considerMagnetization", magnetization, "must be false");
      r.require(!magnetization, "considerMagnetization",
                "must be false: put an inductor at port 1");
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
  void declare(Structure& s) override {
    for (int k = 0; k < 2; ++k) {
      const std::string number = std::to_string(k + 1);
      p_[k] = s.flange("p" + number, Domain::Electrical);
      n_[k] = s.flange("n" + number, Domain::Electrical);
      if (!isUnknown(k)) continue;
      i_[k] = s.unknown({"i" + number, "A", "current into port " + number}, Kind::Algebraic);
      rows_[k] = s.row("port " + number);
    }
  }
  void describe(Variables& v) const override {
    for (int k = 0; k < 2; ++k) {
      const std::string number = std::to_string(k + 1);
      v.scalar({"v" + number, "V", "voltage of port " + number, Level::Acceleration},
               [this, k](const auto& x) { return voltage(x, k); });
      v.scalar({"i" + number, "A", "current into port " + number, Level::Acceleration},
               [this, k](const auto& x) { return current(x, k); });
    }
  }

  template <class S>
  void physics(View<S>& x) const {
    const S v1 = voltage(x, 0), v2 = voltage(x, 1);
    for (int k = 0; k < 2; ++k) {
      const S i = current(x, k);
      x.addFlow(p_[k], i);
      x.addFlow(n_[k], S(-i));
    }
    if constexpr (K == TwoPortKind::transformer) {
      x.row(rows_[0]) = v1 - gain_ * v2;
    } else if constexpr (K == TwoPortKind::VCV) {
      x.row(rows_[1]) = v2 - gain_ * v1;
    } else if constexpr (K == TwoPortKind::CCV) {
      x.row(rows_[0]) = v1;
      x.row(rows_[1]) = v2 - gain_ * x.unknown(i_[0]);
    } else if constexpr (K == TwoPortKind::CCC) {
      x.row(rows_[0]) = v1;
    }
  }

 private:
  /// Whether the current of port k is an unknown.
  static constexpr bool isUnknown(int k) {
    return k == 0 ? K == TwoPortKind::transformer || K == TwoPortKind::CCV || K == TwoPortKind::CCC
                  : K == TwoPortKind::VCV || K == TwoPortKind::CCV;
  }
  template <class S>
  S voltage(const View<S>& x, int k) const {
    return x.flange(p_[k]).position - x.flange(n_[k]).position;
  }
  template <class S>
  S current(const View<S>& x, int k) const {
    if (isUnknown(k)) return x.unknown(i_[k]);
    switch (K) {
      case TwoPortKind::transformer:
        return S(-gain_ * x.unknown(i_[0]));
      case TwoPortKind::gyrator:
        return k == 0 ? S(G2_ * voltage(x, 1)) : S(-gain_ * voltage(x, 0));
      case TwoPortKind::VCC:
        return k == 0 ? S(0.0) : S(gain_ * voltage(x, 0));
      case TwoPortKind::CCC:
        return S(gain_ * x.unknown(i_[0]));
      default:
        return S(0.0);
    }
  }

  double gain_ = 1,
         G2_ = 1;  ///< n, gain, G1 [S], transConductance [S], transResistance [Ohm]; G2 [S]
  FlangeId p_[2], n_[2];
  UnknownId i_[2];
  RowId rows_[2];
};

/// A voltage branch that changes between two straight lines through (Vknee, Goff Vknee).
struct TwoLines {
  double Ron = 1e-5, Goff = 1e-5, Vknee = 0;

  void read(ParameterReader& r) {
    r.real("Ron", Ron, "Ohm", "resistance of the closed part", kNotNegative);
    r.real("Goff", Goff, "S", "conductance of the open part", kNotNegative);
  }
  /// 0 = gap: conducting v = Vknee + Ron (i - Goff Vknee), else i = Goff v.
  template <class S>
  S gap(bool conducts, const S& v, const S& i) const {
    return conducts ? S(v - Vknee - Ron * (i - Goff * Vknee)) : S(i - Goff * v);
  }
};

/// Ideal diode: conducts in one direction.
///
/// Unknowns   i [A]
/// Equations  conducting: v = Vknee + Ron (i - Goff Vknee);  blocking: i = Goff v
/// Mode       conducts, until i < Goff Vknee; blocks, until v > Vknee
/// Source     MSL 4.0 Electrical.Analog.Ideal.IdealDiode
class IdealDiode final : public LossyPart<IdealDiode> {
 public:
  void read(ParameterReader& r) override {
    lines_.read(r);
    r.real("Vknee", lines_.Vknee, "V", "voltage from which on it conducts", kNotNegative);
    readPort(r);
  }
  void declare(Structure& s) override {
    LossyPart::declare(s);
    port_.declareCurrent(s);
    conducts_ = s.mode("conducts", 0);
  }
  void describe(Variables& v) const override {
    LossyPart::describe(v);
    describe::truth(v, {"off", "1", "it blocks", Level::Time},
                    [this](const auto& x) { return !x.mode(conducts_); });
  }
  void guards(const View<double>& x, Guards& g) const override {
    g.crossing(x.mode(conducts_) ? port_.current(x) - lines_.Goff * lines_.Vknee + kHair
                                 : lines_.Vknee - port_.voltage(x) + kHair);
  }
  bool transition(const View<double>& x, Modes& m) const override {
    const bool was = m.get(conducts_) != 0;
    const double s =
        was ? port_.current(x) - lines_.Goff * lines_.Vknee : port_.voltage(x) - lines_.Vknee;
    const bool is = was ? s > -0.5 * kHair : s > 0.5 * kHair;
    if (is == was) return false;
    m.set(conducts_, is ? 1 : 0);
    return true;
  }

  template <class S>
  void physics(View<S>& x) const {
    port_.hold(x, lines_.gap(x.mode(conducts_) != 0, port_.voltage(x), current(x)));
    addLoss(x, current(x));
  }
  template <class S>
  const S& current(const View<S>& x) const {
    return port_.current(x);
  }

 private:
  static constexpr double kHair = 1e-10;  ///< [V | A]
  TwoLines lines_;
  ModeId conducts_;
};

/// Switch that a truth value closes, or opens.
///
/// Unknowns   i [A]
/// Equations  closed: v = Ron i;  open: i = Goff v
/// Source     MSL 4.0 Electrical.Analog.Ideal.IdealClosingSwitch, IdealOpeningSwitch
template <bool Closing>
class IdealSwitch final : public LossyPart<IdealSwitch<Closing>> {
 public:
  void read(ParameterReader& r) override {
    lines_.read(r);
    this->readPort(r);
    r.input("control", 1, "", Closing ? "closes the switch" : "opens the switch");
  }
  void declare(Structure& s) override {
    LossyPart<IdealSwitch>::declare(s);
    this->port_.declareCurrent(s);
    control_ = s.input("control", 1);
  }

  template <class S>
  void physics(View<S>& x) const {
    const bool closed = (x.input(control_) > 0.5) == Closing;
    this->port_.hold(x, lines_.gap(closed, this->port_.voltage(x), current(x)));
    this->addLoss(x, current(x));
  }
  template <class S>
  const S& current(const View<S>& x) const {
    return this->port_.current(x);
  }

 private:
  TwoLines lines_;
  SignalId control_;
};

/// Diode by its exponential law, which goes on straight above Maxexp Vt.
///
/// Equations  i = Ids (exp(v/Vt) - 1) + v/R
/// Source     MSL 4.0 Electrical.Analog.Semiconductors.Diode
class Diode final : public LossyPart<Diode> {
 public:
  void read(ParameterReader& r) override {
    r.real("Ids", Ids_, "A", "saturation current", kPositive);
    r.real("Vt", Vt_, "V", "voltage equivalent of temperature", kPositive);
    r.real("Maxexp", Maxexp_, "1", "the law goes on straight above this exponent", kPositive);
    r.real("R", R_, "Ohm", "parallel resistance", kPositive);
    readPort(r);
  }

  template <class S>
  void physics(View<S>& x) const {
    const S i = current(x);
    port_.addCurrent(x, i);
    addLoss(x, i);
  }
  template <class S>
  S current(const View<S>& x) const {
    const S v = port_.voltage(x), u = v * (1 / Vt_);
    if (u > Maxexp_) return Ids_ * (std::exp(Maxexp_) * (1.0 + u - Maxexp_) - 1.0) + v / R_;
    return Ids_ * (exp(u) - 1.0) + v / R_;
  }

 private:
  double Ids_ = 1e-6, Vt_ = 0.04, Maxexp_ = 15, R_ = 1e8;
};

using VCV = TwoPort<TwoPortKind::VCV>;
using VCC = TwoPort<TwoPortKind::VCC>;
using CCV = TwoPort<TwoPortKind::CCV>;
using CCC = TwoPort<TwoPortKind::CCC>;

Catalogue opAmps() {
  return {
      entry<IdealOpAmp>("Analog.IdealOpAmp", "ideal operational amplifier"),
      entry<IdealOpAmp3Pin>("Analog.IdealOpAmp3Pin",
                            "ideal operational amplifier with one output pin"),
  };
}

Catalogue ideal() {
  return {
      entry<TwoPort<TwoPortKind::transformer>>("Analog.IdealTransformer", "ideal transformer"),
      entry<TwoPort<TwoPortKind::gyrator>>("Analog.Gyrator", "gyrator"),
      entry<VCV>("Analog.VCV", "voltage source that a voltage controls"),
      entry<VCC>("Analog.VCC", "current source that a voltage controls"),
      entry<CCV>("Analog.CCV", "voltage source that a current controls"),
      entry<CCC>("Analog.CCC", "current source that a current controls"),
      entry<IdealDiode>("Analog.IdealDiode", "ideal diode"),
      entry<IdealSwitch<true>>("Analog.IdealClosingSwitch", "switch that a truth value closes"),
      entry<IdealSwitch<false>>("Analog.IdealOpeningSwitch", "switch that a truth value opens"),
      entry<Diode>("Analog.Diode", "diode with an exponential law"),
  };
}

}  // namespace cardan::electrical
