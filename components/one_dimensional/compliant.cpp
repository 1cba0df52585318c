#include "components/one_dimensional/compliant.h"

#include "components/catalogue_entry.h"
#include "components/interfaces/coordinate.h"

namespace cardan::one_dimensional {
namespace {

template <class Axis>
void readStiffness(ParameterReader& r, double& c, double& phi_rel0) {
  r.real("c", c, Axis::stiffnessUnit, "spring constant", kNotNegative);
  r.real(Axis::position_rel0, phi_rel0, Axis::positionUnit,
         "relative position of the unstretched spring");
}

template <class Axis>
void readDamping(ParameterReader& r, double& d) {
  r.real("d", d, Axis::dampingUnit, "damping constant", kNotNegative);
}

}  // namespace

template <class Axis>
void readRelativeStates(ParameterReader& r, MotionStart& start) {
  StateSelect select = StateSelect::prefer;
  double nominal = 1e-4;
  r.real(Axis::positionNominal, nominal, Axis::positionUnit, "typical relative position",
         kPositive);
  readStateSelect(r, "stateSelect", select);
  start.readRelative<Axis>(r);
  start.select(select);
}
template void readRelativeStates<RotationalAxis>(ParameterReader& r, MotionStart& start);
template void readRelativeStates<TranslationalAxis>(ParameterReader& r, MotionStart& start);

/// Linear spring.
///
/// Equations  tau = c (phi_rel - phi_rel0);  flange_b.tau = tau = -flange_a.tau
/// Source     MSL 4.0 Rotational.Spring, Translational.Spring
template <class Axis>
class Spring final : public ComponentOf<Spring<Axis>> {
 public:
  void read(ParameterReader& r) override {
    readStiffness<Axis>(r, c_, phi_rel0_);
    r.start(Axis::position_rel, start_.position, Axis::positionUnit, Axis::positionWord);
  }
  void declare(Structure& s) override { flanges_.declare(s, Axis::domain); }
  void describe(Variables& v) const override {
    describeRelativeMotion<Axis>(v, start_, flanges_, 1);
    describeFlow<Axis>(v, Level::Position, [this](const auto& x) { return tau(x); });
    v.mechanics([this](const auto& x) {
      return springEnergy(c_, flanges_.motion(x).position - phi_rel0_);
    });
  }

  template <class S>
  void physics(View<S>& x) const {
    flanges_.addFlow(x, tau(x));
  }

 private:
  template <class S>
  S tau(const View<S>& x) const {
    return c_ * (flanges_.motion(x).position - phi_rel0_);
  }

  double c_ = 1;         ///< [N.m/rad | N/m]
  double phi_rel0_ = 0;  ///< [rad | m]  unstretched
  MotionStart start_;
  TwoFlanges flanges_;
};

/// Linear damper.
///
/// Equations  tau = d w_rel;  flange_b.tau = tau = -flange_a.tau;  lossPower = tau w_rel
/// Source     MSL 4.0 Rotational.Damper, Translational.Damper
template <class Axis>
class Damper final : public LossyForce<Axis, Damper<Axis>> {
 public:
  void read(ParameterReader& r) override {
    readDamping<Axis>(r, d_);
    this->readMotion(r);
  }

  template <class S>
  LossyLoad<S> load(const View<S>& x) const {
    const S tau = d_ * this->flanges_.motion(x).velocity;
    return {tau, tau};
  }

 private:
  double d_ = 0;  ///< [N.m.s/rad | N.s/m]
};

/// Linear spring and linear damper in parallel.
///
/// Equations  tau = c (phi_rel - phi_rel0) + d w_rel;  flange_b.tau = tau = -flange_a.tau;
///            lossPower = d w_rel^2
/// Source     MSL 4.0 Rotational.SpringDamper, Translational.SpringDamper
template <class Axis>
class SpringDamper final : public LossyForce<Axis, SpringDamper<Axis>> {
 public:
  void read(ParameterReader& r) override {
    readStiffness<Axis>(r, c_, phi_rel0_);
    readDamping<Axis>(r, d_);
    this->readMotion(r);
  }
  void describe(Variables& v) const override {
    LossyForce<Axis, SpringDamper>::describe(v);
    v.mechanics([this](const auto& x) {
      return springEnergy(c_, this->flanges_.motion(x).position - phi_rel0_);
    });
  }

  /// Flow and loss one by one: the flow's product with d is fused with its sum, that of the loss is not.
  template <class S>
  void physics(View<S>& x) const {
    const S w_rel = this->flanges_.motion(x).velocity;
    this->flanges_.addFlow(x, load(x).flow);
    this->heat_.addLoss(x, S(d_ * w_rel * w_rel));
  }
  template <class S>
  LossyLoad<S> load(const View<S>& x) const {
    const FlangeState<S> m = this->flanges_.motion(x);
    return {c_ * (m.position - phi_rel0_) + d_ * m.velocity, d_ * m.velocity};
  }

 private:
  double c_ = 1;         ///< [N.m/rad | N/m]
  double d_ = 0;         ///< [N.m.s/rad | N.s/m]
  double phi_rel0_ = 0;  ///< [rad | m]  unstretched
};

/// Says that the relative motion of two flanges is a pair of states; it puts no load on them.
///
/// Source     MSL 4.0 Rotational.RelativeStates, Translational.RelativeStates
template <class Axis>
class RelativeStates final : public ComponentOf<RelativeStates<Axis>> {
 public:
  void read(ParameterReader& r) override { readRelativeStates<Axis>(r, start_); }
  void declare(Structure& s) override {
    flanges_.declare(s, Axis::domain);
    s.inertia(flanges_.a);
    s.inertia(flanges_.b);
  }
  void describe(Variables& v) const override { describeRelativeMotion<Axis>(v, start_, flanges_); }

 private:
  MotionStart start_;
  TwoFlanges flanges_;
};

Catalogue rotationalCompliant() {
  return {
      entry<Spring<RotationalAxis>>("Rotational.Spring", "linear rotational spring"),
      entry<Damper<RotationalAxis>>("Rotational.Damper", "linear rotational damper"),
      entry<SpringDamper<RotationalAxis>>("Rotational.SpringDamper",
                                          "linear spring and damper in parallel"),
  };
}

Catalogue rotationalStates() {
  return {entry<RelativeStates<RotationalAxis>>("Rotational.RelativeStates",
                                                "start values of a relative motion")};
}

Catalogue translationalCompliant() {
  return {
      entry<Spring<TranslationalAxis>>("Translational.Spring", "linear translational spring"),
      entry<Damper<TranslationalAxis>>("Translational.Damper", "linear translational damper"),
      entry<SpringDamper<TranslationalAxis>>("Translational.SpringDamper",
                                             "linear spring and damper in parallel"),
  };
}

Catalogue translationalStates() {
  return {entry<RelativeStates<TranslationalAxis>>("Translational.RelativeStates",
                                                   "start values of a relative motion")};
}

}  // namespace cardan::one_dimensional
