#include "components/catalogue_folders.h"
#include "components/contact/point_surface.h"
#include "components/contact/solid_shape.h"
#include "components/contact/sphere_plane.h"
#include "components/contact/sphere_sphere.h"
#include "components/contact/torus_plane.h"

namespace cardan::folders {

Catalogue contact() {
  return package(
      "contact",
      {
          entry<contact::SpherePlane>("Contact.SpherePlane",
                                      "a ball on a plane or on a plate of finite size"),
          entry<contact::SphereSphere>("Contact.SphereSphere", "two balls"),
          entry<contact::PointSurface>("Contact.PointSurface",
                                       "a point on a surface whose height is an expression"),
          entry<contact::TorusPlane>("Contact.TorusPlane",
                                     "a tyre, a ring or a coin on its edge on a plane"),
          entry<contact::SolidShape>("Contact.Shape",
                                     "a solid that touches others, as the model's contacts say"),
      });
}

}  // namespace cardan::folders
