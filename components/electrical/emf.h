/// Electromotive force: ideal transformer between a circuit and a shaft or a slider.
#pragma once

#include "components/electrical/one_port.h"
#include "components/one_dimensional/axis.h"

namespace cardan::electrical {

/// Ideal electric motor or generator without resistance, inductance and inertia.
///
/// Unknowns   i [A]
/// Equations  v = k w;  flange.tau = -k i;  v = p.v - n.v;  w = der(flange.phi - support.phi)
/// Source     MSL 4.0 Electrical.Analog.Basic.RotationalEMF, TranslationalEMF
template <class Axis>
class EMF final : public ComponentOf<EMF<Axis>> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

  template <class S>
  void physics(View<S>& x) const {
    port_.hold(x, S(port_.voltage(x) - k_ * support_.motion(x, flange_).velocity));
    support_.addFlow(x, flange_, S(-k_ * port_.current(x)));
  }

 private:
  double k_ = 1;  ///< [N.m/A | N/A]
  VoltageBranch port_;
  one_dimensional::MotionStart start_;
  FlangeId flange_;
  one_dimensional::Support support_;
};

using RotationalEMF = EMF<one_dimensional::RotationalAxis>;
using TranslationalEMF = EMF<one_dimensional::TranslationalAxis>;

}  // namespace cardan::electrical
