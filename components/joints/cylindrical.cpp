#include "components/joints/cylindrical.h"

#include "components/interfaces/state_select.h"
#include "components/make.h"

namespace cardan {

void Cylindrical::read(ParameterReader& r) {
  animation_.boolean(r, "animation", true);
  r.vector("n", n_, "1", "axis, resolved in frame_a and frame_b");
  animation_.length(r, "cylinderDiameter", r.world().defaultJointWidth);
  animation_.color(r, "cylinderColor", kJointColor);
  animation_.specular(r);
  readCut(r, cut_);
  for (Coordinate* c : {&s_, &phi_, &v_, &w_, &a_, &wd_}) c->read(r);
  readStateSelect(r, {&s_.start, &phi_.start, &v_.start, &w_.start});
  if (!r.require(n_.norm() > 0, "n", "must not be the zero vector")) n_ = {1, 0, 0};
}

void Cylindrical::declare(Structure& s) {
  s.frame("frame_a");
  s.frame("frame_b");
  auto revolute = Revolute::Parameters::about(n_, phi_, w_, wd_);
  revolute.cut = cut_;
  s.part<Prismatic>("prismatic", Prismatic::Parameters::along(n_, s_, v_, a_));
  s.part<Revolute>("revolute", revolute);
  s.connect("frame_a", "prismatic.frame_a");
  s.connect("prismatic.frame_b", "revolute.frame_a");
  s.connect("revolute.frame_b", "frame_b");
}

void Cylindrical::describe(Variables& v) const {
  for (const Coordinate* c : {&s_, &phi_, &v_, &w_, &a_, &wd_}) c->describeAlias(v);
}

template std::unique_ptr<Component> make<Cylindrical>();

}  // namespace cardan
