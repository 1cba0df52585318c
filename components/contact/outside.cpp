#include "components/contact/outside.h"

namespace cardan::contact {

void Outside::read(ParameterReader& r) {
  r.boolean("collide", collides_ = false, "other shapes touch it, as the model's contacts say");
  r.string("material", material_ = "",
           "with collide: name of a material under contacts; default: none");
  r.require(collides_ || !r.isGiven("material"), "material", "needs collide: true");
}

void Outside::declare(Structure& s) {
  if (!collides_) return;
  shape_ = &s.part<SolidShape>("shape", type_, bar_, material_);
  s.connect("frame_a", "shape.frame_a");
}

void Outside::set(const std::string& type, const SolidShape::Bar& bar) {
  if (!collides_) return;
  type_ = type;
  bar_ = bar;
  if (shape_) shape_->set(type, bar);
}

}  // namespace cardan::contact
