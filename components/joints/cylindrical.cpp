#include "components/joints/cylindrical.h"

#include "components/interfaces/coordinate.h"
#include "components/interfaces/picture.h"

namespace cardan {

void Cylindrical::read(ParameterReader& r) {
  animation_.boolean(r, "animation", true);
  r.vector("n", n_, "1", "axis, resolved in frame_a and frame_b");
  animation_.length(r, "cylinderDiameter", r.world().defaultJointWidth,
                    "diameter of the cylinder; default: world.defaultJointWidth");
  animation_.color(r, "cylinderColor", kJointColor, "cylinder");
  animation_.specular(r);
  readCut(r, cut_);
  r.begin("prismatic");
  slide_.friction.read(r, false);
  slide_.limits.read<one_dimensional::TranslationalAxis>(r);
  r.end();
  r.begin("revolute");
  turn_.friction.read(r, true);
  turn_.limits.read<one_dimensional::RotationalAxis>(r);
  r.end();
  for (Coordinate* c : {&s_, &phi_, &v_, &w_, &a_, &wd_}) c->read(r);
  readStateSelect(r, {&s_.start, &phi_.start, &v_.start, &w_.start});
  if (!r.require(n_.norm() > 0, "n", "must not be the zero vector")) n_ = {1, 0, 0};
}

void Cylindrical::declare(Structure& s) {
  frame_a_ = s.frame("frame_a");
  frame_b_ = s.frame("frame_b");
  auto revolute = Revolute::Parameters::about(n_, phi_, w_, wd_);
  revolute.cut = cut_;
  auto prismatic = Prismatic::Parameters::along(n_, s_, v_, a_);
  prismatic.friction = slide_.friction;
  prismatic.limits = slide_.limits;
  revolute.friction = turn_.friction;
  revolute.thrust = false;  // nothing but friction holds the axis
  revolute.limits = turn_.limits;
  s.part<Prismatic>("prismatic", prismatic);
  s.part<Revolute>("revolute", revolute);
  s.connect("frame_a", "prismatic.frame_a");
  s.connect("prismatic.frame_b", "revolute.frame_a");
  s.connect("revolute.frame_b", "frame_b");
}

void Cylindrical::describe(Variables& v) const {
  for (const Coordinate* c : {&s_, &phi_, &v_, &w_, &a_, &wd_}) c->describeAlias(v);
}

void Cylindrical::picture(Shapes& s) const {
  if (!animation_.shown()) return;
  const Vector3d e = n_.normalized();
  Shape c{.name = "cylinder",
          .type = "cylinder",
          .place = frame_a_,
          .lengthDirection = e,
          .length = PictureValue::scalar(Level::Position,
                                         [this, e](const View<double>& x) {
                                           return dot(e, picture::lineIn(x, frame_a_, frame_b_));
                                         }),
          .color = picture::rgb(animation_.colorValue("cylinderColor")),
          .specular = animation_.specularValue()};
  picture::setDiameter(c, animation_.realValue("cylinderDiameter"));
  s.add(std::move(c));
}

}  // namespace cardan
