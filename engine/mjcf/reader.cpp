#include "engine/mjcf/reader.h"

#include <algorithm>
#include <map>
#include <set>

#include "engine/expression/value.h"
#include "engine/mjcf/defaults.h"
#include "engine/mjcf/geoms.h"

namespace cardan::mjcf {
namespace {

constexpr const char* kSettings = "settings of another simulator";
constexpr const char* kNoContact = "no contact between bodies is computed";

/// Elements with a meaning of their own that the mechanics have no place for.
const char* reasonFor(const std::string& tag) {
  static const std::map<std::string, const char*, std::less<>> reasons{
      {"size", kSettings},
      {"visual", "settings of a picture"},
      {"statistic", "settings of a picture"},
      {"camera", "settings of a picture"},
      {"light", "settings of a picture"},
      {"texture", "settings of a picture"},
      {"hfield", "no field of heights is drawn"},
      {"skin", "no skin is drawn"},
      {"contact", kNoContact},
      {"sensor", "sensors of a robot take no part in its motion"},
      {"keyframe", "set the state with --set or --start-from"},
      {"custom", kSettings},
      {"site", "a place without mass"},
      {"extension", kSettings},
      {"plugin", kSettings},
      {"flag", kSettings},
      {"lengthrange", kSettings},
  };
  const auto found = reasons.find(tag);
  return found == reasons.end() ? nullptr : found->second;
}

class Reader {
 public:
  Reader(const XmlElement& root, ImportReport& report, Diagnostics& diagnostics)
      : root_(root),
        report_(report),
        diagnostics_(diagnostics),
        defaults_(root, report, diagnostics) {}

  Robot read() {
    robot_.element = &root_;
    report_.use(root_);
    if (const XmlAttribute* name = root_.attribute("model")) robot_.name = name->value;
    forEach("compiler", [&](const XmlElement& e) { readCompiler(e); });
    forEach("option", [&](const XmlElement& e) { readOption(e); });
    forEach("asset", [&](const XmlElement& e) { readAssets(e); });
    forEach("worldbody", [&](const XmlElement& e) { readInside(e, -1, "", Pose{}, 0); });
    forEach("equality", [&](const XmlElement& e) { readEqualities(e); });
    forEach("actuator", [&](const XmlElement& e) { readActuators(e); });
    forEach("tendon", [&](const XmlElement& e) {
      report_.ignore(e, "tendon", "", "Cardan has no tendons");
      report_.warn("", e.mark(), "<tendon> is left out: Cardan has no tendons");
    });
    forEach("deformable", [&](const XmlElement& e) {
      report_.ignore(e, "deformable", "", "bodies are rigid");
      report_.warn("", e.mark(), "<deformable> is left out: bodies are rigid");
    });
    for (const XmlElement& e : root_.children) leaveOut(e, "");
    return std::move(robot_);
  }

 private:
  template <class Action>
  void forEach(std::string_view tag, Action action) {
    for (const XmlElement& e : root_.children) {
      if (e.name != tag) continue;
      report_.use(e);
      action(e);
    }
  }

  void leaveOut(const XmlElement& e, const std::string& owner) {
    const char* reason = reasonFor(e.name);
    if (!reason) return;
    const XmlAttribute* name = e.attribute("name");
    report_.ignore(e, e.name, name ? name->value : owner, reason);
  }

  static std::string textOf(const XmlElement& e, const char* name) {
    const XmlAttribute* a = e.attribute(name);
    return a ? a->value : "";
  }

  /// One of a few words.
  bool isWord(const XmlElement& e, const char* name, std::initializer_list<const char*> words) {
    const XmlAttribute* a = e.attribute(name);
    if (!a) return false;
    std::string known;
    for (const char* w : words) {
      if (a->value == w) return true;
      known += std::string(known.empty() ? "" : ", ") + w;
    }
    diagnostics_.error(e.mark(*a), "'" + std::string(name) + "' of <" + e.name +
                                       "> must be one of " + known + ", found " +
                                       urdf::shown(a->value));
    return false;
  }

  // Settings --------------------------------------------------------------------------------------

  void readCompiler(const XmlElement& e) {
    if (isWord(e, "angle", {"degree", "radian"}))
      conventions_.angle = textOf(e, "angle") == "radian" ? 1 : 0.017453292519943295;
    if (const XmlAttribute* a = e.attribute("eulerseq")) {
      const bool isSequence =
          a->value.size() == 3 && a->value.find_first_not_of("xyzXYZ") == std::string::npos;
      if (isSequence) {
        conventions_.eulerSequence = a->value;
      } else {
        diagnostics_.error(e.mark(*a),
                           "'eulerseq' of <compiler> must be three of x, y, z, X, Y, "
                           "Z, found " +
                               urdf::shown(a->value));
      }
    }
    if (isWord(e, "autolimits", {"true", "false"}))
      conventions_.autoLimits = textOf(e, "autolimits") == "true";
    if (isWord(e, "coordinate", {"local", "global"}) && textOf(e, "coordinate") == "global")
      diagnostics_.error(e.mark(*e.attribute("coordinate")),
                         "coordinate=\"global\" is not supported, as it is not by newer readers of "
                         "MJCF: save the file with local coordinates",
                         ErrorKind::unsupported);
    if (isWord(e, "inertiafromgeom", {"auto", "true", "false"}) &&
        textOf(e, "inertiafromgeom") != "auto")
      conventions_.inertiaFromGeoms = textOf(e, "inertiafromgeom") == "true";
    for (const char* name : {"meshdir", "assetdir"}) {
      if (e.attribute(name) && conventions_.meshFolder.empty())
        conventions_.meshFolder = textOf(e, name);
    }
    groups_ = numbers(e, "inertiagrouprange", 2, 2, "<compiler>", diagnostics_).value_or(groups_);
    totalMass_ = number(e, "settotalmass", totalMass_, "<compiler>", diagnostics_);
    if (totalMass_ > 0)
      diagnostics_.error(e.mark(*e.attribute("settotalmass")),
                         "'settotalmass' is not supported: give the bodies their masses",
                         ErrorKind::unsupported);
    for (const char* name : {"boundmass", "boundinertia"}) {
      if (number(e, name, 0, "<compiler>", diagnostics_) > 0)
        diagnostics_.error(e.mark(*e.attribute(name)),
                           std::string("'") + name +
                               "' is not supported: give the bodies their "
                               "masses",
                           ErrorKind::unsupported);
    }
    for (const XmlElement& inside : e.children) leaveOut(inside, "");
  }

  void readOption(const XmlElement& e) {
    robot_.gravity = vector(e, "gravity", robot_.gravity, "<option>", diagnostics_);
    for (const char* name : {"density", "viscosity"}) {
      if (number(e, name, 0, "<option>", diagnostics_) == 0) continue;
      report_.leaveOut(e, name, "", "forces of a fluid are not computed");
      report_.warn("", e.mark(*e.attribute(name)),
                   std::string("'") + name + "' is left out: forces of a fluid are not computed");
    }
    for (const XmlElement& inside : e.children) {
      if (inside.name == "flag" && textOf(inside, "gravity") == "disable") {
        report_.use(inside);
        robot_.gravity.setZero();
      } else {
        leaveOut(inside, "");
      }
    }
  }

  void readAssets(const XmlElement& e) {
    for (const XmlElement& asset : e.children) {
      const XmlElement full = defaults_.complete(asset, "", diagnostics_);
      const std::string owner = "<" + asset.name + ">";
      if (asset.name == "mesh") {
        report_.use(asset);
        Assets::Mesh mesh;
        mesh.file = textOf(full, "file");
        mesh.scale = vector(full, "scale", mesh.scale, owner, diagnostics_);
        std::string name = textOf(asset, "name");
        if (name.empty()) {
          // The file's name without its folder and ending.
          name = mesh.file.substr(mesh.file.find_last_of("/\\") + 1);
          name = name.substr(0, name.rfind('.'));
        }
        assets_.meshes.emplace(name, mesh);
      } else if (asset.name == "material") {
        report_.use(asset);
        std::array<double, 4> color{1, 1, 1, 1};
        if (const auto rgba = numbers(full, "rgba", 4, 4, owner, diagnostics_)) {
          for (size_t i = 0; i < 4; ++i) color[i] = std::clamp((*rgba)[i], 0.0, 1.0);
        }
        assets_.colors.emplace(textOf(asset, "name"), color);
      } else {
        leaveOut(asset, "");
      }
    }
  }

  // Bodies ----------------------------------------------------------------------------------------

  /// What is in a body (-1: the world), or in a <frame> that lies at `frame` in it.
  void readInside(const XmlElement& e, int body, const std::string& classAround, const Pose& frame,
                  int depth) {
    for (const XmlElement& c : e.children) {
      if (c.name == "body") {
        readBody(c, body, classAround, frame, depth);
      } else if (c.name == "geom") {
        readGeomOf(c, body, classAround, frame);
      } else if (c.name == "joint" || c.name == "freejoint") {
        readJoint(c, body, classAround, frame);
      } else if (c.name == "inertial" && body >= 0) {
        readInertial(c, body, frame);
      } else if (c.name == "frame") {
        report_.use(c);
        const std::string inner = textOf(c, "childclass");
        readInside(c, body, inner.empty() ? classAround : inner,
                   frame * poseOf(c, conventions_, "a <frame>", diagnostics_), depth);
      } else if (c.name == "composite" || c.name == "flexcomp" || c.name == "replicate" ||
                 c.name == "attach") {
        diagnostics_.error(c.mark(), "<" + c.name + "> makes bodies, and is not supported",
                           ErrorKind::unsupported);
      } else {
        leaveOut(c, "");
      }
    }
  }

  Body& bodyAt(int body) { return robot_.bodies[body]; }

  void readBody(const XmlElement& e, int parent, const std::string& classAround, const Pose& frame,
                int depth) {
    report_.convert(e, "body", textOf(e, "name"));
    Body b;
    b.element = &e;
    b.name = textOf(e, "name");
    b.parent = parent;
    const std::string owner = b.name.empty() ? "a body" : "body '" + b.name + "'";
    b.pose = frame * poseOf(e, conventions_, owner, diagnostics_);
    b.massAt = e.mark();
    if (!b.name.empty() && !bodies_.emplace(b.name, robot_.bodies.size()).second)
      diagnostics_.error(e.mark(*e.attribute("name")), owner + " is defined twice");
    if (textOf(e, "mocap") == "true")
      report_.leaveOut(e, "mocap", b.name, "it stands still where the file shows it");
    if (number(e, "gravcomp", 0, owner, diagnostics_) != 0) {
      report_.leaveOut(e, "gravcomp", b.name, "its weight is not held");
      report_.warn(b.name, e.mark(*e.attribute("gravcomp")), "'gravcomp' is left out");
    }
    std::string inner = textOf(e, "childclass");
    if (!inner.empty() && !defaults_.has(inner)) {
      diagnostics_.error(e.mark(*e.attribute("childclass")),
                         "no <default> has the class '" + inner + "'");
      inner.clear();
    }
    const int index = std::ssize(robot_.bodies);
    robot_.bodies.push_back(std::move(b));
    readInside(e, index, inner.empty() ? classAround : inner, Pose{}, depth + 1);
    for (const SourceMark& mesh : openMeshes_[index]) {
      if (hasInertial_.contains(index)) break;
      diagnostics_.error(mesh,
                         owner +
                             " must have an <inertial>, or this geom a mass of its own kind: "
                             "the mass of a mesh is not computed",
                         ErrorKind::unsupported);
    }
    if (parent < 0) return;
    for (const Joint& j : bodyAt(index).joints) {
      if (j.type == JointType::free)
        diagnostics_.error(j.element->mark(), owner + ": only a body in <worldbody> can be free");
    }
  }

  void readGeomOf(const XmlElement& e, int body, const std::string& classAround,
                  const Pose& frame) {
    const XmlElement full = defaults_.complete(e, classAround, diagnostics_);
    std::optional<Geom> g = readGeom(full, e, conventions_, assets_, diagnostics_);
    report_.use(e);
    if (!g) return;
    g->pose = frame * g->pose;
    const std::string name = textOf(e, "name");
    if (g->touches) report_.leaveOut(e, "contact", name, kNoContact);
    std::vector<urdf::Visual> shapes = visualsOf(*g, assets_, conventions_.meshFolder);
    if (shapes.empty()) report_.leaveOut(e, "shape", name, "planes and fields are not drawn");
    auto& visuals = body < 0 ? robot_.visuals : bodyAt(body).visuals;
    for (urdf::Visual& v : shapes) visuals.push_back(std::move(v));
    const bool counts = g->group >= groups_[0] && g->group <= groups_[1];
    const bool isNeeded = conventions_.inertiaFromGeoms.value_or(true);
    if (body < 0 || !counts || !isNeeded) return;
    if (const auto mass = massOf(*g)) {
      geomMass_[body] = geomMass_[body] + *mass;
      if (!hasInertial_.contains(body)) bodyAt(body).mass = geomMass_[body];
    } else {
      openMeshes_[body].push_back(e.mark());
    }
  }

  void readInertial(const XmlElement& e, int body, const Pose& frame) {
    report_.use(e);
    Body& b = bodyAt(body);
    if (conventions_.inertiaFromGeoms.value_or(false)) {
      report_.leaveOut(e, "inertial", b.name,
                       "inertiafromgeom=\"true\": it follows from the geoms");
      return;
    }
    if (!hasInertial_.insert(body).second)
      diagnostics_.error(e.mark(), "body '" + b.name + "' has two <inertial>");
    const std::string owner = "body '" + b.name + "'";
    Pose pose = frame * poseOf(e, conventions_, owner, diagnostics_);
    b.massAt = e.mark();
    b.mass = Mass{};
    if (!e.attribute("mass")) diagnostics_.error(e.mark(), owner + ": 'mass' must be given");
    b.mass.m = number(e, "mass", 0, owner, diagnostics_);
    if (b.mass.m < 0)
      diagnostics_.error(e.mark(*e.attribute("mass")), owner + ": 'mass' must not be negative");
    b.mass.r_CM = pose.r;
    if (const auto d = numbers(e, "diaginertia", 3, 3, owner, diagnostics_)) {
      b.mass.I = pose.R * Vector3d(d->data()).asDiagonal() * pose.R.transpose();
      b.mass.I = (b.mass.I + b.mass.I.transpose().eval()) / 2;
    } else if (const auto f = numbers(e, "fullinertia", 6, 6, owner, diagnostics_)) {
      b.mass.I << (*f)[0], (*f)[3], (*f)[4], (*f)[3], (*f)[1], (*f)[5], (*f)[4], (*f)[5], (*f)[2];
      if (!pose.R.isIdentity(0))
        diagnostics_.error(e.mark(), owner +
                                         ": 'fullinertia' is along the body's axes: the "
                                         "orientation beside it must be left out");
    }
  }

  // Joints ----------------------------------------------------------------------------------------

  void readJoint(const XmlElement& e, int body, const std::string& classAround, const Pose& frame) {
    report_.use(e);
    if (body < 0) {
      diagnostics_.error(e.mark(), "the world has no joints");
      return;
    }
    const XmlElement full =
        e.name == "freejoint" ? e : defaults_.complete(e, classAround, diagnostics_);
    Joint j;
    j.element = &e;
    j.name = textOf(e, "name");
    const std::string owner =
        j.name.empty() ? "a joint of body '" + bodyAt(body).name + "'" : "joint '" + j.name + "'";
    if (e.name == "freejoint") {
      j.type = JointType::free;
    } else if (isWord(full, "type", {"hinge", "slide", "ball", "free"})) {
      for (const JointType t : {JointType::slide, JointType::ball, JointType::free}) {
        if (textOf(full, "type") == nameOf(t)) j.type = t;
      }
    }
    report_.convert(e, "joint", j.name);
    j.pos = frame.r + frame.R * vector(full, "pos", j.pos, owner, diagnostics_);
    j.axis = frame.R * vector(full, "axis", j.axis, owner, diagnostics_);
    if (j.hasAxis() && !(j.axis.stableNorm() > 1e-14))
      diagnostics_.error(full.mark(*full.attribute("axis")),
                         owner + ": 'axis' must not be the zero vector");
    readForces(full, e, j, owner);
    readRange(full, j, owner);
    if (!j.name.empty()) {
      const int index = std::ssize(robot_.joints);
      if (!joints_.emplace(j.name, index).second)
        diagnostics_.error(e.mark(*e.attribute("name")), owner + " is defined twice");
    }
    auto& all = bodyAt(body).joints;
    const bool isAlone = j.type == JointType::free && !all.empty();
    if (isAlone || (!all.empty() && all[0].type == JointType::free))
      diagnostics_.error(e.mark(), owner + ": a free body has no other joints");
    const int number = std::ssize(all);
    robot_.joints.push_back({body, number});
    all.push_back(std::move(j));
  }

  /// What acts along the axis.
  void readForces(const XmlElement& full, const XmlElement& e, Joint& j, const std::string& owner) {
    const double unit = j.turns() ? conventions_.angle : 1;
    j.ref = number(full, "ref", 0, owner, diagnostics_) * unit;
    j.springRef = number(full, "springref", 0, owner, diagnostics_) * unit;
    struct Value {
      const char* name;
      double* value;
    };
    for (const Value& v : {Value{"damping", &j.damping}, Value{"stiffness", &j.stiffness},
                           Value{"armature", &j.armature}, Value{"frictionloss", &j.friction}}) {
      *v.value = number(full, v.name, 0, owner, diagnostics_);
      if (*v.value < 0) {
        diagnostics_.error(full.mark(*full.attribute(v.name)),
                           owner + ": '" + v.name + "' must not be negative");
      } else if (*v.value > 0 && !j.hasAxis() && std::string(v.name) == "frictionloss") {
        report_.leaveOut(e, v.name, j.name,
                         std::string("a ") + nameOf(j.type) + " joint has no axis for it");
        report_.warn(j.name, full.mark(*full.attribute(v.name)),
                     owner + ": '" + v.name + "' is left out: a " + nameOf(j.type) +
                         " joint has no axis for it");
        *v.value = 0;
      } else if (*v.value > 0 && std::string(v.name) != "frictionloss") {
        report_.convert(e, v.name, j.name);
      }
    }
  }

  void readRange(const XmlElement& full, Joint& j, const std::string& owner) {
    const auto range = numbers(full, "range", 2, 2, owner, diagnostics_);
    const std::string limited = textOf(full, "limited");
    if (!limited.empty() && !isWord(full, "limited", {"true", "false", "auto"})) return;
    j.isLimited = limited == "true" || (limited != "false" && conventions_.autoLimits && range);
    const double unit = j.turns() ? conventions_.angle : 1;
    if (range) j.range = {(*range)[0] * unit, (*range)[1] * unit};
  }

  // Constraints and drives ------------------------------------------------------------------------

  /// -1, and an error, where there is none of this name.
  template <class Index>
  int indexOf(const std::map<std::string, Index>& all, const XmlElement& e, const char* name,
              const char* what) {
    const XmlAttribute* a = e.attribute(name);
    if (!a) {
      diagnostics_.error(e.mark(), "<" + e.name + ">: '" + name + "' must be given");
      return -1;
    }
    if (const auto found = all.find(a->value); found != all.end()) return found->second;
    std::vector<std::string> names;
    for (const auto& [n, unused] : all) names.push_back(n);
    diagnostics_.error(e.mark(*a), std::string("no ") + what + " '" + a->value + "'" +
                                       didYouMean(a->value, names));
    return -1;
  }

  int bodyNamed(const XmlElement& e, const char* name, bool isNeeded) {
    if (!isNeeded && !e.attribute(name)) return -1;
    if (textOf(e, name) == "world") return -1;
    return indexOf(bodies_, e, name, "body");
  }

  void readEqualities(const XmlElement& section) {
    for (const XmlElement& e : section.children) {
      const XmlElement full = defaults_.complete(e, "", diagnostics_);
      const std::string owner = "<" + e.name + ">";
      report_.use(e);
      if (textOf(full, "active") == "false") {
        report_.ignore(e, "equality", textOf(e, "name"), "it is not active");
      } else if (e.name == "joint") {
        readJointEquality(full, e);
      } else if ((e.name == "connect" || e.name == "weld") && e.attribute("body1")) {
        Equality q;
        q.type = e.name == "weld" ? EqualityType::weld : EqualityType::connect;
        q.element = &e;
        q.first = bodyNamed(full, "body1", true);
        q.second = bodyNamed(full, "body2", false);
        q.anchor = vector(full, "anchor", q.anchor, owner, diagnostics_);
        readRelativePose(full, q, owner);
        report_.convert(e, "equality", textOf(e, "name"));
        robot_.equalities.push_back(q);
      } else {
        report_.ignore(e, "equality", textOf(e, "name"), "Cardan has no such constraint");
        report_.warn(textOf(e, "name"), e.mark(),
                     "<" + e.name + "> is left out: Cardan has no such constraint");
      }
    }
  }

  void readRelativePose(const XmlElement& full, Equality& q, const std::string& owner) {
    const auto p = numbers(full, "relpose", 7, 7, owner, diagnostics_);
    if (!p || Eigen::Map<const Eigen::Vector4d>(p->data() + 3).isZero(0)) return;
    XmlElement pose;
    pose.name = full.name;
    pose.file = full.file;
    std::string r, quaternion;
    for (size_t i = 0; i < 7; ++i) (i < 3 ? r : quaternion) += " " + formatNumber((*p)[i]);
    pose.attributes = {{"pos", r, full.line, full.column}, {"quat", quaternion, full.line, 0}};
    q.hasPose = true;
    q.pose = poseOf(pose, conventions_, owner, diagnostics_);
  }

  void readJointEquality(const XmlElement& full, const XmlElement& e) {
    Equality q;
    q.type = EqualityType::joint;
    q.element = &e;
    q.first = indexOf(joints_, full, "joint1", "joint");
    q.second = full.attribute("joint2") ? indexOf(joints_, full, "joint2", "joint") : -1;
    if (full.attribute("joint2") && q.second < 0) return;
    const auto c =
        numbers(full, "polycoef", 1, 5, "<joint>", diagnostics_).value_or(std::vector{0.0, 1.0});
    q.offset = c[0];
    q.ratio = c.size() > 1 ? c[1] : q.second >= 0 && !full.attribute("polycoef") ? 1 : 0;
    const bool isLinear = std::all_of(c.begin() + std::min<std::ptrdiff_t>(2, std::ssize(c)),
                                      c.end(), [](double x) { return x == 0; });
    const auto hasAxis = [&](int joint) { return joint < 0 || robot_.joint(joint).hasAxis(); };
    if (q.first < 0) return;
    if (!hasAxis(q.first) || !hasAxis(q.second) || (!isLinear && q.second >= 0)) {
      const std::string why = isLinear ? "one of the joints has no axis"
                                       : "only constraints of the first order are supported";
      report_.ignore(e, "equality", textOf(e, "name"), why);
      report_.warn(textOf(e, "name"), e.mark(), "<joint> is left out: " + why);
      return;
    }
    if (q.ratio == 0) q.second = -1;
    report_.convert(e, "equality", textOf(e, "name"));
    robot_.equalities.push_back(q);
  }

  void readActuators(const XmlElement& section) {
    for (const XmlElement& e : section.children) {
      const XmlElement full = defaults_.complete(e, "", diagnostics_);
      const std::string name = textOf(e, "name");
      const std::string owner = name.empty() ? "<" + e.name + ">" : "actuator '" + name + "'";
      const auto leave = [&](const std::string& why) {
        report_.ignore(e, "actuator", name, why);
        report_.warn(name, e.mark(), owner + " is left out: " + why);
      };
      report_.use(e);
      const char* key = full.attribute("jointinparent") ? "jointinparent" : "joint";
      if (!full.attribute(key)) {
        leave("it drives no joint");
        continue;
      }
      Actuator a;
      a.name = name;
      a.element = &e;
      a.joint = indexOf(joints_, full, key, "joint");
      if (a.joint < 0) continue;
      if (!robot_.joint(a.joint).hasAxis()) {
        leave(std::string("a ") + nameOf(robot_.joint(a.joint).type) + " joint has no axis");
        continue;
      }
      if (const auto gear = numbers(full, "gear", 1, 6, owner, diagnostics_)) a.gear = (*gear)[0];
      if (const std::string why = readLaw(full, a, owner); !why.empty()) {
        leave(why);
        continue;
      }
      if (full.attribute("ctrlrange") || full.attribute("forcerange"))
        report_.leaveOut(e, "limits of control and force", name,
                         "what a drive can do is no part of the mechanics");
      report_.convert(e, "actuator", name);
      robot_.actuators.push_back(std::move(a));
    }
  }

  /// How the force follows from the input; why it cannot be said otherwise.
  std::string readLaw(const XmlElement& full, Actuator& a, const std::string& owner) {
    const auto value = [&](const char* name, double byDefault) {
      return number(full, name, byDefault, owner, diagnostics_);
    };
    const std::string& tag = full.name;
    if (tag == "motor") return "";
    if (tag == "position") {
      a.gain = value("kp", 1);
      a.bias = {0, -a.gain, -value("kv", 0)};
      if (value("dampratio", 0) != 0) return "'dampratio' is not supported";
      return value("timeconst", 0) > 0 ? "it has a state of its own" : "";
    }
    if (tag == "velocity") {
      a.gain = value("kv", 1);
      a.bias = {0, 0, -a.gain};
      return "";
    }
    if (tag != "general") return "<" + tag + "> has a law of its own";
    const auto word = [&](const char* name, const char* byDefault) {
      const std::string w = textOf(full, name);
      return w.empty() ? std::string(byDefault) : w;
    };
    if (word("dyntype", "none") != "none") return "it has a state of its own";
    if (word("gaintype", "fixed") != "fixed") return "its gain depends on the state";
    const std::string bias = word("biastype", "none");
    if (bias != "none" && bias != "affine") return "its bias is a law of its own";
    if (const auto g = numbers(full, "gainprm", 1, 10, owner, diagnostics_)) a.gain = (*g)[0];
    const auto b = numbers(full, "biasprm", 1, 10, owner, diagnostics_);
    for (size_t i = 0; b && bias == "affine" && i < std::min<size_t>(3, b->size()); ++i)
      a.bias[i] = (*b)[i];
    return "";
  }

  const XmlElement& root_;
  ImportReport& report_;
  Diagnostics& diagnostics_;
  Defaults defaults_;
  Conventions conventions_;
  Assets assets_;
  std::vector<double> groups_{0, 5};  ///< of geoms whose masses count
  double totalMass_ = -1;
  Robot robot_;
  std::map<std::string, size_t> bodies_;
  std::map<std::string, int> joints_;
  std::map<int, Mass> geomMass_;  ///< by body
  std::set<int> hasInertial_;
  std::map<int, std::vector<SourceMark>> openMeshes_;  ///< geoms without a known mass, by body
};

}  // namespace

Robot readRobot(const XmlElement& root, ImportReport& report, Diagnostics& diagnostics) {
  return Reader(root, report, diagnostics).read();
}

}  // namespace cardan::mjcf
