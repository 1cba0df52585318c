/// Ideal operational amplifiers.
#pragma once

#include "components/electrical/one_port.h"

namespace cardan::electrical {

/// Ideal operational amplifier: no voltage and no current at the left port, any at the right one.
///
/// Unknowns   i2 [A]
/// Equations  v1 = p1.v - n1.v = 0;  i1 = p1.i = -n1.i = 0;  i2 = p2.i = -n2.i;  v2 = p2.v - n2.v
/// Source     MSL 4.0 Electrical.Analog.Ideal.IdealOpAmp
class IdealOpAmp final : public ComponentOf<IdealOpAmp> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

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
  void declare(Structure& s) override;

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

}  // namespace cardan::electrical
