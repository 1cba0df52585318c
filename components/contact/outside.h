/// Outside: the shape of a body's part that other shapes may touch, where the user asks for it.
#pragma once

#include <string>

#include "components/contact/solid_shape.h"

namespace cardan::contact {

/// Parameters `collide` and `material`; with collide a Contact.Shape "shape" stands at frame_a.
class Outside {
 public:
  void read(ParameterReader& r);
  bool collides() const { return collides_; }
  void declare(Structure& s);
  /// As a picture has it (cardan::Shape): box, sphere or cylinder.
  void set(const std::string& type, const SolidShape::Bar& bar);

 private:
  bool collides_ = false;
  std::string material_;
  std::string type_ = "box";
  SolidShape::Bar bar_;
  SolidShape* shape_ = nullptr;
};

}  // namespace cardan::contact
