#include "engine/robots/urdf/reader.h"

#include <cmath>
#include <map>
#include <tuple>

#include <Eigen/Geometry>

#include "engine/robots/attributes.h"

namespace cardan::robots::urdf {
namespace {

struct Type {
  const char* word;
  JointType type;
};
constexpr Type kTypes[] = {{"revolute", JointType::turning},  {"continuous", JointType::turning},
                           {"prismatic", JointType::sliding}, {"fixed", JointType::fixed},
                           {"floating", JointType::free},     {"planar", JointType::planar}};

Matrix3d turnBy(const Vector3d& rpy) {
  const double sr = std::sin(rpy[0]), cr = std::cos(rpy[0]);
  const double sp = std::sin(rpy[1]), cp = std::cos(rpy[1]);
  const double sy = std::sin(rpy[2]), cy = std::cos(rpy[2]);
  Matrix3d R;
  R << cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr,  //
      sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr,   //
      -sp, cp * sr, cp * cr;
  return R;
}

class Reader {
 public:
  Reader(bool collisions, ImportReport& report, Diagnostics& diagnostics)
      : collisions_(collisions), report_(report), diagnostics_(diagnostics) {}

  Parts read(const XmlElement& root) {
    Parts parts;
    parts.element = &root;
    report_.use(root);
    if (const XmlAttribute* name = root.attribute("name")) parts.name = name->value;
    readMaterials(root);
    for (const XmlElement& e : root.children) {
      if (e.name == "link") {
        parts.links.push_back(link(e));
        readCollisions(e, parts);
      } else if (e.name == "joint") {
        parts.joints.push_back(joint(e));
      }
    }
    return parts;
  }

 private:
  Attributes attributes(const XmlElement& e, const std::string& owner) {
    return {e, owner, diagnostics_};
  }

  /// The only child of this name, marked as read; nullptr if there is none. Of several the first
  /// counts, as with other readers.
  const XmlElement* only(const XmlElement& e, std::string_view childName, const std::string& name) {
    const XmlElement* first = e.child(childName);
    if (!first) return nullptr;
    report_.use(*first);
    for (const XmlElement& other : e.children) {
      if (other.name != childName || &other == first) continue;
      report_.ignore(other, other.name, name, "is given twice; the first one counts");
      report_.warn(name, other.mark(),
                   "<" + other.name + "> of '" + name + "' is given twice; the first one counts");
    }
    return first;
  }

  std::string nameOf(const XmlElement& e) {
    const XmlAttribute* name = e.attribute("name");
    if (name && !name->value.empty()) return name->value;
    diagnostics_.error(e.mark(), "every <" + e.name + "> must have a name");
    return "";
  }

  Pose pose(const XmlElement& e, const std::string& owner, const std::string& name,
            Diagnostics& wrong) {
    Pose p;
    const XmlElement* o = only(e, "origin", name);
    if (!o) return p;
    const Attributes a(*o, owner, wrong);
    p.r = Vector3d(a.numbers("xyz", {0, 0, 0}).data());
    p.rpy = Vector3d(a.numbers("rpy", {0, 0, 0}).data());
    p.R = turnBy(*p.rpy);
    if (a.has("quat_xyzw")) readQuaternion(a, p, owner, wrong);
    return p;
  }

  /// In place of rpy.
  static void readQuaternion(const Attributes& a, Pose& p, const std::string& owner,
                             Diagnostics& wrong) {
    const std::vector<double> q = a.numbers("quat_xyzw", {0, 0, 0, 1});
    const Eigen::Quaterniond turn(q[3], q[0], q[1], q[2]);
    if (a.has("rpy") || !(turn.norm() > 1e-14)) {
      wrong.error(a.at("quat_xyzw"), owner + ": 'quat_xyzw' of <origin> must not be " +
                                         (a.has("rpy") ? "given beside 'rpy'" : "zero"));
    } else if (turn.vec() != Vector3d::Zero()) {
      p.rpy.reset();
      p.R = turn.normalized().toRotationMatrix();
    }
  }

  /// What is wrong with a shape costs the shape, not the robot. True if nothing is.
  bool keep(const Diagnostics& wrong, const std::string& name) {
    for (const Diagnostic& d : wrong.all()) report_.warn(name, d.at, d.text + "; it is left out");
    return wrong.errorCount() == 0;
  }

  // Materials -------------------------------------------------------------------------------------

  /// Those of the robot, and those that visuals define on the way.
  void readMaterials(const XmlElement& root) {
    for (const XmlElement& e : root.children) {
      if (e.name != "material") continue;
      const XmlAttribute* name = e.attribute("name");
      report_.convert(e, "material", name ? name->value : "");
      if (!name) continue;
      colors_.emplace(name->value, colorOf(e, "material '" + name->value + "'", name->value));
    }
    for (const XmlElement& l : root.children) {
      for (const XmlElement& v : l.children) {
        const XmlElement* m =
            l.name == "link" && v.name == "visual" ? v.child("material") : nullptr;
        const XmlElement* c = m ? m->child("color") : nullptr;
        const XmlAttribute* name = m ? m->attribute("name") : nullptr;
        const XmlAttribute* rgba = c ? c->attribute("rgba") : nullptr;
        const auto x = name && rgba ? numbersIn(rgba->value) : std::nullopt;
        if (x && x->size() == 4) colors_.emplace(name->value, colorFrom(*x));
      }
    }
  }

  std::optional<Color> colorOf(const XmlElement& material, const std::string& owner,
                               const std::string& name) {
    const XmlElement* c = only(material, "color", name);
    if (!c) return std::nullopt;
    Diagnostics wrong;
    const Attributes a(*c, owner, wrong);
    if (!a.has("rgba")) a.required("rgba");
    const Color color = colorFrom(a.numbers("rgba", {0, 0, 0, 1}));
    if (!keep(wrong, name)) return std::nullopt;
    if (color[3] < 1) report_.leaveOut(*c, "transparency", name, "shapes are opaque");
    return color;
  }

  void readMaterial(const XmlElement& visualElement, Visual& v, const std::string& owner,
                    const std::string& name) {
    const XmlElement* m = only(visualElement, "material", name);
    if (!m) return;
    v.color = colorOf(*m, owner, name);
    const XmlAttribute* material = m->attribute("name");
    if (v.color || m->child("texture") || m->child("color") || !material || material->value.empty())
      return;
    const auto known = colors_.find(material->value);
    if (known != colors_.end()) {
      v.color = known->second;
    } else {
      report_.warn(name, m->mark(*material),
                   owner + ": no <material> defines " + shown(material->value) + "; it is grey");
    }
  }

  // Links -----------------------------------------------------------------------------------------

  Body link(const XmlElement& e) {
    Body l;
    l.element = l.placedBy = &e;
    l.name = nameOf(e);
    l.massAt = e.mark();
    report_.convert(e, "link", l.name);
    const std::string owner = "link '" + l.name + "'";
    if (const XmlElement* i = only(e, "inertial", l.name)) readInertial(*i, l, owner);
    for (const XmlElement& c : e.children) {
      if (c.name == "visual") {
        if (auto v = visual(c, owner, l.name)) l.visuals.push_back(std::move(*v));
      }
    }
    return l;
  }

  void readCollisions(const XmlElement& link, Parts& parts) {
    const std::string& name = parts.links.back().name;
    for (const XmlElement& c : link.children) {
      if (c.name != "collision") continue;
      if (!collisions_) {
        report_.ignore(c, "collision", name, "not with --no-contacts");
      } else if (auto shape = visual(c, "link '" + name + "'", name)) {
        parts.collisions.emplace_back(std::ssize(parts.links) - 1, std::move(*shape));
      }
    }
  }

  void readInertial(const XmlElement& e, Body& l, const std::string& owner) {
    report_.convert(e, "inertial", l.name);
    const Pose p = pose(e, owner, l.name, diagnostics_);
    l.mass.r_CM = p.r;
    const XmlElement* mass = only(e, "mass", l.name);
    const XmlElement* inertia = only(e, "inertia", l.name);
    if (!mass || !inertia) {
      diagnostics_.error(e.mark(), owner +
                                       ": <inertial> must hold <mass> and <inertia>, found no <" +
                                       (mass ? "inertia" : "mass") + ">");
      return;
    }
    const Attributes m = attributes(*mass, owner);
    l.mass.m = m.requiredNumber("value");
    if (l.mass.m < 0) {
      diagnostics_.error(m.at("value"), owner + ": 'value' of <mass> must not be negative, found " +
                                            shown(mass->attribute("value")->value));
      l.mass.m = 0;
    }
    l.massAt = inertia->mark();
    const Attributes a = attributes(*inertia, owner);
    const double xy = a.number("ixy", 0), xz = a.number("ixz", 0), yz = a.number("iyz", 0);
    l.mass.I << a.number("ixx", 0), xy, xz, xy, a.number("iyy", 0), yz, xz, yz, a.number("izz", 0);
    if (!p.isTurned()) return;
    const Matrix3d R = p.R;
    l.mass.I = Matrix3d(R * l.mass.I * R.transpose());
    l.mass.I = Matrix3d((l.mass.I + l.mass.I.transpose()) / 2);
  }

  std::optional<Visual> visual(const XmlElement& e, const std::string& owner,
                               const std::string& name) {
    Visual v;
    v.element = &e;
    report_.use(e);
    Diagnostics wrong;
    v.pose = pose(e, owner, name, wrong);
    readMaterial(e, v, owner, name);
    const XmlElement* g = only(e, "geometry", name);
    std::string reason = "it has no geometry";
    if (g && !g->children.empty()) {
      const XmlElement& shape = g->children.front();
      report_.use(shape);
      const bool isKnown = readShape(shape, v, Attributes(shape, owner, wrong));
      if (isKnown && keep(wrong, name)) {
        return v;
      }
      reason = isKnown ? "its values are wrong" : "URDF knows no geometry <" + shape.name + ">";
    }
    report_.ignore(e, e.name, name, reason);
    return std::nullopt;
  }

  /// False where no such geometry is known.
  static bool readShape(const XmlElement& shape, Visual& v, const Attributes& a) {
    if (shape.name == "box") {
      v.geometry = Geometry::box;
      if (!a.has("size")) a.required("size");
      v.size = Vector3d(a.numbers("size", {0, 0, 0}).data());
    } else if (shape.name == "cylinder") {
      v.geometry = Geometry::cylinder;
      v.size = {a.requiredNumber("radius"), a.requiredNumber("length"), 0};
    } else if (shape.name == "sphere") {
      v.geometry = Geometry::sphere;
      v.size = {a.requiredNumber("radius"), 0, 0};
    } else if (shape.name == "mesh") {
      v.geometry = Geometry::mesh;
      v.file = a.required("filename");
      v.size = Vector3d(a.numbers("scale", {1, 1, 1}).data());
    } else {
      return false;
    }
    return true;
  }

  // Joints ----------------------------------------------------------------------------------------

  NamedJoint joint(const XmlElement& e) {
    NamedJoint j;
    j.element = j.forces = j.limits = &e;
    j.axis = Vector3d::UnitX();
    j.name = nameOf(e);
    report_.convert(e, "joint", j.name);
    const std::string owner = "joint '" + j.name + "'";
    readType(e, j, owner);
    std::tie(j.parent, j.parentAt) = linkOf(e, "parent", j.name, owner);
    std::tie(j.child, j.childAt) = linkOf(e, "child", j.name, owner);
    j.origin = pose(e, owner, j.name, diagnostics_);
    readAxis(e, j, owner);
    readDynamics(e, j, owner);
    readLimit(e, j, owner);
    readMimic(e, j, owner);
    return j;
  }

  void readType(const XmlElement& e, Joint& j, const std::string& owner) {
    const XmlAttribute* type = e.attribute("type");
    j.type = JointType::fixed;
    j.word = "fixed";
    std::vector<std::string> names;
    for (const Type& t : kTypes) {
      names.emplace_back(t.word);
      if (type && type->value == t.word) {
        j.type = t.type;
        j.word = t.word;
        return;
      }
    }
    constexpr const char* kKnown =
        "known are revolute, continuous, prismatic, fixed, floating, planar";
    if (!type) {
      diagnostics_.error(e.mark(), owner + " must have a type; " + kKnown);
    } else {
      diagnostics_.error(e.mark(*type), owner + ": unknown type " + shown(type->value) +
                                            didYouMean(type->value, names, kKnown));
    }
  }

  std::pair<std::string, SourceMark> linkOf(const XmlElement& e, const std::string& role,
                                            const std::string& name, const std::string& owner) {
    const XmlElement* c = only(e, role, name);
    if (!c) {
      diagnostics_.error(e.mark(), owner + " must have a <" + role + " link=\"...\"/>");
      return {"", e.mark()};
    }
    const Attributes a = attributes(*c, owner);
    return {a.required("link"), a.at("link")};
  }

  void readAxis(const XmlElement& e, Joint& j, const std::string& owner) {
    const XmlElement* axis = only(e, "axis", j.name);
    if (!axis) return;
    const Attributes a = attributes(*axis, owner);
    j.axis = Vector3d(a.numbers("xyz", {1, 0, 0}).data());
    const bool counts = j.hasAxis() || j.type == JointType::planar;
    if (!(j.axis.stableNorm() > 0) && counts)
      diagnostics_.error(a.at("xyz"), owner + ": 'xyz' of <axis> must not be the zero vector");
  }

  void readDynamics(const XmlElement& e, Joint& j, const std::string& owner) {
    const XmlElement* d = only(e, "dynamics", j.name);
    if (!d) return;
    j.forces = d;
    if (!j.moves()) return;
    const Attributes a = attributes(*d, owner);
    j.damping = a.number("damping", 0);
    j.friction = a.number("friction", 0);
    if (j.damping < 0) {
      diagnostics_.error(a.at("damping"),
                         owner + ": 'damping' of <dynamics> must not be negative, found " +
                             shown(d->attribute("damping")->value));
    } else if (j.damping > 0 && j.hasAxis()) {
      report_.convert(*d, "damping", j.name);
    }
    const std::string noAxis = "a " + j.word + " joint has no axis for it";
    if (j.damping > 0 && !j.hasAxis()) report_.leaveOut(*d, "damping", j.name, noAxis);
    if (j.friction < 0) report_.leaveOut(*d, "friction", j.name, "it must not be negative");
    if (j.friction > 0 && !j.hasAxis()) report_.leaveOut(*d, "friction", j.name, noAxis);
    if (j.friction < 0 || !j.hasAxis()) j.friction = 0;
    if (!j.hasAxis()) j.damping = 0;
  }

  void readLimit(const XmlElement& e, Joint& j, const std::string& owner) {
    const XmlElement* l = only(e, "limit", j.name);
    if (!l) return;
    const Attributes a = attributes(*l, owner);
    if (a.has("effort") || a.has("velocity"))
      report_.leaveOut(*l, "limit of effort and velocity", j.name,
                       "what a drive can do is no part of the mechanics");
    if (!a.has("lower") && !a.has("upper")) return;
    if (j.hasAxis() && j.word != "continuous") {
      j.isLimited = true;
      j.range = {a.number("lower", 0), a.number("upper", 0)};
      j.limits = l;
    } else {
      report_.leaveOut(*l, "limit", j.name, "a " + j.word + " joint has none");
    }
  }

  void readMimic(const XmlElement& e, NamedJoint& j, const std::string& owner) {
    const XmlElement* m = only(e, "mimic", j.name);
    if (!m) return;
    const Attributes a = attributes(*m, owner);
    Mimic mimic{a.required("joint"), a.number("multiplier", 1), a.number("offset", 0), m,
                a.at("joint")};
    if (!j.moves()) {
      report_.ignore(*m, "mimic", j.name, "a fixed joint does not move");
    } else if (!j.hasAxis()) {
      diagnostics_.error(m->mark(),
                         owner + ": a " + j.word +
                             " joint cannot follow another one: it has more than one coordinate");
    } else {
      report_.convert(*m, "mimic", j.name);
      j.mimic = std::move(mimic);
    }
  }

  bool collisions_;
  ImportReport& report_;
  Diagnostics& diagnostics_;
  std::map<std::string, std::optional<Color>, std::less<>> colors_;
};

}  // namespace

Parts readParts(const XmlElement& root, bool collisions, ImportReport& report,
                Diagnostics& diagnostics) {
  return Reader(collisions, report, diagnostics).read(root);
}

}  // namespace cardan::robots::urdf
