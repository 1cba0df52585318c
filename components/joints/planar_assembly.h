/// What JointRRR and JointRRP share: a spatial assembly inside, seen as a planar one.
#pragma once

#include <string>

#include "components/joints/rod_assembly.h"

namespace cardan::planar_assembly {

/// Parameters is that of the spatial assembly.
template <class Parameters>
void readRods(ParameterReader& r, Parameters& p) {
  r.vector("rRod1_ia", p.rod1.rRod_ia, "m",
           "from frame_a to the revolute joint in the middle, resolved in frame_ia");
  r.vector("rRod2_ib", p.rRod2_ib, "m",
           "from frame_ib to the revolute joint in the middle, resolved in frame_ib");
}

inline void readAnimation(ParameterReader& r, Animation& a, bool box) {
  a.cylinder(r);
  if (box) {
    a.box(r, a.colorValue("cylinderColor"));
  }
  a.length(r, "rodDiameter", 1.1 * a.realValue("cylinderDiameter"));
  a.color(r, "rodColor", kRodColor);
  a.specular(r);
}

template <class Parameters>
void check(ParameterReader& r, Parameters& p) {
  const bool axis = r.require(p.rod1.n1_a.norm() > 0, "n_a", "must not be the zero vector");
  const bool rod = r.require(p.rod1.rRod_ia.norm() > 0, "rRod1_ia", "must not be the zero vector");
  const bool plane =
      axis && rod &&
      r.require(cross(p.rod1.n1_a.normalized(), p.rod1.rRod_ia.normalized()).norm() > 1e-10, "n_a",
                "must not be parallel to rRod1_ia");
  if (!plane) p.rod1 = {};
}

/// Adds the spatial assembly, with its connectors as the component's own.
template <class Part>
Part& declare(Structure& s, const std::string& name, const typename Part::Parameters& p,
              FrameId& frame_a, FrameId& frame_b) {
  frame_a = s.frame("frame_a");
  frame_b = s.frame("frame_b");
  for (const char* inner : {"frame_ia", "frame_ib", "frame_im"}) s.frame(inner);
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

}  // namespace cardan::planar_assembly
