/// GearConstraint: an ideal gear between two shafts of any directions in a common bearing.
#pragma once

#include "components/component.h"
#include "components/interfaces/coordinate.h"
#include "components/interfaces/total_power.h"
#include "components/joints/revolute.h"
#include "components/parts/fixed_translation.h"

namespace cardan {

/// The gear between the axes of the two shafts.
class ShaftGear final : public ComponentOf<ShaftGear> {
 public:
  explicit ShaftGear(double ratio) : ratio_(ratio) {}
  void read(ParameterReader&) override {}
  void declare(Structure& s) override {
    const FlangeId a = s.flange("flange_a", Domain::Rotational);
    const FlangeId b = s.flange("flange_b", Domain::Rotational);
    s.affine({{{a, 1}, {b, -ratio_}}, 0});
  }

 private:
  double ratio_;  ///< [1]  flange_a.phi/flange_b.phi
};

/// Equations  phi_a = ratio phi_b;  0 = ratio tau_a + tau_b
/// Parts      fixedTranslation2 (r_a), actuatedRevolute_a (axis n_a): bearing to frame_a;
///            fixedTranslation1 (r_b), actuatedRevolute_b (axis n_b): bearing to frame_b;
///            idealGear between their axes
/// Source     MSL 4.0 Joints.GearConstraint
class GearConstraint final : public ComponentOf<GearConstraint> {
 public:
  void read(ParameterReader& r) override {
    revolute_a_.useAxisFlange = revolute_b_.useAxisFlange = true;
    revolute_a_.n = revolute_b_.n = {1, 0, 0};
    readShaft(r, "actuatedRevolute_a", revolute_a_);
    readShaft(r, "actuatedRevolute_b", revolute_b_);
    r.real("ratio", ratio_, "1", "actuatedRevolute_a.phi/actuatedRevolute_b.phi");
    r.vector("n_a", revolute_a_.n, "1", "axis of shaft a, resolved in bearing and frame_a");
    r.vector("n_b", revolute_b_.n, "1", "axis of shaft b, resolved in bearing and frame_b");
    r.vector("r_a", r_a_, "m", "from bearing to frame_a, resolved in bearing");
    r.vector("r_b", r_b_, "m", "from bearing to frame_b, resolved in bearing");
    StateSelect select = StateSelect::defaultSelect;
    readStateSelect(r, "stateSelect", select);
    readCheckTotalPower(r, checkTotalPower_);
    // The same quantities as those of actuatedRevolute_b.
    r.start("phi_b", revolute_b_.q.start, "rad", "angle of shaft b");
    r.start("w_b", revolute_b_.v.start, "rad/s", "first derivative of phi_b");
    r.start("a_b", revolute_b_.a.start, "rad/s2", "second derivative of phi_b");
    for (StartValue* x : {&revolute_b_.q.start, &revolute_b_.v.start}) {
      if (x->stateSelect == StateSelect::defaultSelect) x->stateSelect = select;
    }
    r.require(ratio_ != 0, "ratio", "must not be zero");
    if (!r.require(revolute_a_.n.norm() > 0, "n_a", "must not be the zero vector"))
      revolute_a_.n = {1, 0, 0};
    if (!r.require(revolute_b_.n.norm() > 0, "n_b", "must not be the zero vector"))
      revolute_b_.n = {1, 0, 0};
  }
  void declare(Structure& s) override {
    frame_a_ = s.frame("frame_a");
    frame_b_ = s.frame("frame_b");
    bearing_ = s.frame("bearing");
    s.part<FixedTranslation>("fixedTranslation1", FixedTranslation::Parameters{r_b_});
    s.part<FixedTranslation>("fixedTranslation2", FixedTranslation::Parameters{r_a_});
    s.part<Revolute>("actuatedRevolute_a", revolute_a_);
    s.part<Revolute>("actuatedRevolute_b", revolute_b_);
    s.part<ShaftGear>("idealGear", ratio_);
    s.connect("bearing", "fixedTranslation2.frame_a");
    s.connect("fixedTranslation2.frame_b", "actuatedRevolute_a.frame_a");
    s.connect("actuatedRevolute_a.frame_b", "frame_a");
    s.connect("bearing", "fixedTranslation1.frame_a");
    s.connect("fixedTranslation1.frame_b", "actuatedRevolute_b.frame_a");
    s.connect("actuatedRevolute_b.frame_b", "frame_b");
    s.connect("actuatedRevolute_a.axis", "idealGear.flange_a");
    s.connect("idealGear.flange_b", "actuatedRevolute_b.axis");
  }
  void describe(Variables& v) const override {
    v.alias("phi_b", "actuatedRevolute_b.phi");
    v.alias("w_b", "actuatedRevolute_b.w");
    v.alias("a_b", "actuatedRevolute_b.a");
    describeTotalPower(v, checkTotalPower_, [this](const auto& x) {
      return framePower(x, {frame_a_, frame_b_, bearing_});
    });
  }

 private:
  static void readShaft(ParameterReader& r, const char* part, Revolute::Parameters& p) {
    r.begin(part);
    for (Coordinate* c : {&p.q, &p.v, &p.a}) c->read(r);
    r.end();
  }

  double ratio_ = 2;                      ///< [1]  any but zero
  Vector3d r_a_{0, 0, 0}, r_b_{0, 0, 0};  ///< [m]  from bearing, resolved in bearing
  Revolute::Parameters revolute_a_, revolute_b_;
  bool checkTotalPower_ = false;
  FrameId frame_a_, frame_b_, bearing_;
};

}  // namespace cardan
