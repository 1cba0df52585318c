/// What JointRRR and JointRRP share: a spatial assembly inside, seen as a planar one.
#pragma once

#include <string>
#include <tuple>

#include "components/assemblies/rod_assembly.h"
#include "components/interfaces/describe.h"
#include "components/interfaces/picture.h"
#include "components/interfaces/total_power.h"

namespace cardan::planar_assembly {

/// Frames between frame_a and frame_b: at the ends of the two rods.
struct InnerFrames {
  FrameId ia, ib, im;
};

/// All parameters but n_a and n_b, which come first; `part` names the spatial assembly inside.
template <class Part>
void read(ParameterReader& r, const char* part, typename Part::Parameters& p, Animation& a) {
  r.vector("rRod1_ia", p.rod1.rRod_ia, "m",
           "from frame_a to the revolute joint in the middle, resolved in frame_ia");
  r.vector("rRod2_ib", p.rRod2_ib, "m",
           "from frame_ib to the revolute joint in the middle, resolved in frame_ib");
  p.last.readBranch(r);
  r.begin(part);
  p.last.readStart(r);
  r.end();
  a.cylinder(r);
  if (Part::kDomain == Domain::Translational)
    a.box(r, a.colorValue("cylinderColor"), "cylinderColor");
  a.length(r, "rodDiameter", 1.1 * a.realValue("cylinderDiameter"),
           "diameter of the rods; default: 1.1 cylinderDiameter");
  a.color(r, "rodColor", kRodColor, "rods");
  a.specular(r);
  readCheckTotalPower(r, p.checkTotalPower);
  if (!UniversalAxes::require(r, "n_a", p.rod1.n1_a, "rRod1_ia", p.rod1.rRod_ia)) p.rod1 = {};
  p.last.lengthConstraint = p.rod1.rRod_ia.norm();
}

/// Adds the spatial assembly, with its connectors as the component's own.
template <class Part>
Part& declare(Structure& s, const std::string& name, const typename Part::Parameters& p,
              FrameId& frame_a, FrameId& frame_b, InnerFrames& inner) {
  frame_a = s.frame("frame_a");
  frame_b = s.frame("frame_b");
  inner = {s.frame("frame_ia"), s.frame("frame_ib"), s.frame("frame_im")};
  for (const char* flange : {"axis", "bearing"}) s.flange(flange, Part::kDomain);
  Part& part = s.part<Part>(name, p);
  for (const char* c :
       {"frame_a", "frame_b", "frame_ia", "frame_ib", "frame_im", "axis", "bearing"}) {
    s.connect(c, name + "." + c);
  }
  return part;
}

/// e_a, e_ia, totalPower.
inline void describe(Variables& v, const std::string& part, const Vector3d& n_a) {
  cardan::describe::vector(v, "e_a", "1", "axes of the revolute joints, resolved in frame_a",
                           [e = n_a.normalized().eval()] { return e; });
  v.alias("e_ia", part + ".e2_ia");
  v.alias("totalPower", part + ".totalPower");
}

/// A pin at the origin of `frame`, along the axes of the revolute joints: n_a, resolved in frame_a.
inline void pin(Shapes& s, const Animation& a, const char* name, FrameId frame, FrameId frame_a,
                const Vector3d& n_a) {
  Shape pin =
      picture::pin(name, frame, n_a, a.realValue("cylinderLength"), a.realValue("cylinderDiameter"),
                   a.colorValue("cylinderColor"), a.specularValue());
  const auto axis = [frame, frame_a, e = n_a.normalized().eval()](const View<double>& x) {
    return frames::resolve2(x.frame(frame).R, frames::resolve1(x.frame(frame_a).R, e));
  };
  const double half = a.realValue("cylinderLength") / 2;
  pin.lengthDirection = PictureValue::vector(Level::Position, axis);
  pin.r_shape = PictureValue::vector(
      Level::Position, [axis, half](const View<double>& x) { return Vector3d(axis(x) * -half); });
  s.add(std::move(pin));
}
/// What JointRRR and JointRRP show alike: the first two joints and the rods between three.
template <class P>
void addPicture(Shapes& s, const Animation& a, const P& p, FrameId frame_a,
                const InnerFrames& inner) {
  picture::pin(s, a, frame_a, p.rod1.n1_a, "shape_rev1");
  pin(s, a, "shape_rev2", inner.im, frame_a, p.rod1.n1_a);
  const double diameter = a.realValue("rodDiameter");
  for (const auto& [name, frame, r] : {std::tuple{"shape_rod1", inner.ia, p.rod1.rRod_ia},
                                       std::tuple{"shape_rod2", inner.ib, p.rRod2_ib}}) {
    s.add(picture::rod(name, frame, r, diameter, a.colorValue("rodColor"), a.specularValue()));
  }
}

}  // namespace cardan::planar_assembly
