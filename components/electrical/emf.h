/// Where a circuit and a motion meet: electromotive force, DC machine.
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

/// Armature with resistance and inductance in the field of a magnet, on a rotor with inertia. Losses
/// but those in the armature's resistance are left out.
///
/// Unknowns   ia [A]
/// Equations  va = Ra(TaOperational) ia + La der(ia) + k wMechanical;  tauElectrical = k ia;
///            Jr der(w) = tauElectrical + flange.tau;
///            k = (VaNominal - Ra(TaNominal) IaNominal)/wNominal;
///            Ra(T) = Ra (1 + alpha (T - TaRef)), alpha = alpha20a/(1 + alpha20a (TaRef - 20 degC))
/// Source     MSL 4.0 Electrical.Machines.BasicMachines.DCMachines.DC_PermanentMagnet
class DcPermanentMagnet final : public ComponentOf<DcPermanentMagnet> {
 public:
  void read(ParameterReader& r) override;
  void parametersChanged() override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

  template <class S>
  void physics(View<S>& x) const {
    const S& i = x.unknown(i_);
    x.row(row_) = voltage(x) - R_ * i - La_ * x.rate(i_) - k_ * motion(x).velocity;
    x.addFlow(plus_, i);
    x.addFlow(minus_, S(-i));
    support_.addFlow(x, flange_, S(-k_ * i));
    x.addFlow(flange_, S(Jr_ * x.flange(flange_).acceleration));
    if (support_.used) x.addFlow(support_.flange, S(Js_ * x.flange(support_.flange).acceleration));
  }

 private:
  double resistance(double T) const;
  template <class S>
  S voltage(const View<S>& x) const {
    return x.flange(plus_).position - x.flange(minus_).position;
  }
  template <class S>
  FlangeState<S> motion(const View<S>& x) const {
    return support_.motion(x, flange_);
  }

  double Jr_ = 0.15, Js_ = 0.15;         ///< [kg.m2]  rotor, stator; >= 0
  double VaNominal_ = 100;               ///< [V]
  double IaNominal_ = 100;               ///< [A]  > 0: motor
  double wNominal_ = 149.2256510455152;  ///< [rad/s]  1425 rpm
  double TaNominal_ = 293.15, TaOperational_ = 293.15, TaRef_ = 293.15;  ///< [K]
  double Ra_ = 0.05;                                                     ///< [Ohm]
  double alpha20a_ = 0;                                                  ///< [1/K]
  double La_ = 0.0015;                                                   ///< [H]
  double k_ = 1, R_ = 0.05;  ///< [N.m/A], [Ohm] at the operational temperature
  StartValue phi_, w_, ia_;
  FlangeId plus_, minus_, flange_;
  one_dimensional::Support support_;
  UnknownId i_;
  RowId row_;
};

}  // namespace cardan::electrical
