#include "engine/robots/mjcf/reader.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <filesystem>
#include <span>
#include <utility>

#include "engine/expression/value.h"
#include "engine/robots/colliders.h"
#include "engine/robots/inertia.h"
#include "engine/robots/mjcf/actuators.h"
#include "engine/robots/mjcf/joint_inertia.h"
#include "engine/robots/mjcf/scopes.h"
#include "engine/robots/strands.h"

namespace cardan::robots::mjcf {
namespace {

namespace fs = std::filesystem;

/// The element of a name somewhere in another one; nullptr if there is none.
const XmlElement* partNamed(const XmlElement& e, const std::string& tag, const std::string& name) {
  for (const XmlElement& c : e.children) {
    if (c.name == tag && textOf(c, "name") == name) return &c;
    if (const XmlElement* inside = partNamed(c, tag, name)) return inside;
  }
  return nullptr;
}

class Reader {
 public:
  Reader(const XmlElement& root, const std::string& path, GeomContacts* contacts,
         ImportReport& report, Diagnostics& diagnostics)
      : report_(report),
        diagnostics_(diagnostics),
        contacts_(contacts),
        main_(sources_.emplace_back(root, "", report, diagnostics)),
        scopes_(main_),
        solids_(path) {
    if (!contacts) whyNoContacts_ = "not with --no-contacts";
    if (!main_.switches.contacts) whyNoContacts_ = "contacts are switched off";
  }

  Robot read() {
    robot_.element = main_.root;
    report_.use(*main_.root);
    robot_.name = textOf(*main_.root, "model");
    if (main_.switches.weights)
      robot_.gravity = main_.gravity;
    else
      robot_.gravity.setZero();
    if (main_.switches.springs || main_.switches.dampers) robot_.fluid = main_.fluid;
    if (whyNoContacts_.empty()) findPaired(*main_.root);
    forEach(main_, "worldbody", [&](const XmlElement& e) { readInside(e, -1, "", Pose{}, 0); });
    untouched_.tell(report_);
    finishContacts();
    finishMasses();
    const JointInertias inertias(robot_);
    for (size_t j = 0; j < robot_.joints.size(); ++j)
      finishJoint(robot_.bodies[robot_.joints[j].body].joints[robot_.joints[j].place], inertias[j]);
    inertias_ = &inertias;
    // Of an attached file what refers to the parts of it that are there; what others refer to comes first.
    for (const Source& s : sources_)
      forEach(s, "tendon", [&](const XmlElement& e) { readSection(e, s, &Reader::readTendon); });
    for (const Source& s : sources_) {
      forEach(s, "equality",
              [&](const XmlElement& e) { readSection(e, s, &Reader::readEquality); });
      forEach(s, "actuator",
              [&](const XmlElement& e) { readSection(e, s, &Reader::readActuator); });
      forEach(s, "contact", [&](const XmlElement& e) {
        if (whyNoContacts_.empty()) {
          readSection(e, s, &Reader::readContact);
        } else {
          report_.ignore(e, "contact", "", whyNoContacts_);
        }
      });
    }
    return std::move(robot_);
  }

 private:
  /// What refers to what, of an element of a section.
  struct Reference {
    const char* attribute;
    Named what;
    const char* noun;
  };
  struct GeomPlace {
    Place place;
    Geom::Type type = Geom::Type::sphere;
    double radius = 0;  ///< [m]
    int collider = -1;  ///< -1: it touches nothing
  };
  /// Of a body that is being read.
  struct Draft {
    Mass geoms;
    bool hasInertial = false;
    const XmlElement* touches = nullptr;  ///< the first geom that takes part in contacts
    std::vector<std::pair<SourceMark, std::string>> open;  ///< geoms of unknown mass, and why
  };

  const Source& source() const { return *scopes_[scope_].source; }
  const Conventions& conventions() const { return source().conventions; }
  std::string fullName(const XmlElement& e) const {
    return scopes_.fullName(scope_, textOf(e, "name"));
  }
  /// For messages.
  std::string called(const XmlElement& e, const std::string& noun) const {
    const std::string name = fullName(e);
    return name.empty() ? "<" + e.name + ">" : noun + " '" + name + "'";
  }

  template <class Action>
  void forEach(const Source& source, std::string_view tag, Action action) {
    for (const XmlElement& e : source.root->children) {
      if (e.name != tag) continue;
      report_.use(e);
      action(e);
    }
  }

  void define(Named what, const XmlElement& e, int index, const std::string& owner) {
    const std::string name = textOf(e, "name");
    if (!name.empty() && !scopes_.define(scope_, what, name, index))
      diagnostics_.error(e.mark(*e.attribute("name")), owner + " is defined twice");
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
      } else if (c.name == "site") {
        report_.ignore(c, "site", fullName(c), "a place without mass");
        const XmlElement full = source().defaults.complete(c, classAround, diagnostics_);
        define(Named::site, c, std::ssize(sites_), "site '" + fullName(c) + "'");
        sites_.push_back({body, frame * poseOf(full, conventions(), "a site", diagnostics_)});
      } else if (c.name == "frame") {
        readFrame(c, body, classAround, frame, depth);
      } else if (c.name == "replicate") {
        readReplicas(c, body, classAround, frame, depth);
      } else if (c.name == "attach") {
        attach(c, body, classAround, frame, depth);
      }
    }
  }

  void readFrame(const XmlElement& e, int body, const std::string& classAround, const Pose& frame,
                 int depth) {
    report_.use(e);
    readInside(e, body, classInside(e, classAround),
               frame * poseOf(e, conventions(), "a <frame>", diagnostics_), depth);
  }

  /// The class of what is in an element.
  std::string classInside(const XmlElement& e, const std::string& classAround) {
    const std::string inner = textOf(e, "childclass");
    if (inner.empty() || source().defaults.has(inner)) return inner.empty() ? classAround : inner;
    diagnostics_.error(e.mark(*e.attribute("childclass")),
                       "no <default> has the class '" + inner + "'");
    return classAround;
  }

  /// True as long as a robot may grow; an error, once, where copies of copies become too many.
  bool mayGrow(const XmlElement& e, int depth) {
    constexpr int kMostLevels = 200, kMostScopes = 100'000;
    if (depth < kMostLevels && scopes_.count() < kMostScopes &&
        robot_.bodies.size() < kMaxXmlElements)
      return true;
    if (!isTooLarge_) diagnostics_.error(e.mark(), "<" + e.name + "> makes too many bodies");
    isTooLarge_ = true;
    return false;
  }

  /// Reads something with names of its own.
  template <class Action>
  void inScope(const Source& source, const std::string& prefix, const std::string& suffix,
               Action action) {
    const int before = scope_;
    scope_ = scopes_.add(before, source, prefix, suffix);
    action();
    scope_ = before;
  }

  /// Copies, each moved on from the one before by the same offset, turned by whole multiples of the same
  /// angles.
  void readReplicas(const XmlElement& e, int body, const std::string& classAround,
                    const Pose& frame, int depth) {
    report_.use(e);
    const double count = number(e, "count", -1, "<replicate>", diagnostics_);
    if (count != std::floor(count) || count < 0 || count > 1e6) {
      diagnostics_.error(e.mark(), "<replicate>: 'count' must be a number of copies");
      return;
    }
    const Vector3d offset = vector(e, "offset", Vector3d::Zero(), "<replicate>", diagnostics_);
    const Vector3d euler = vector(e, "euler", Vector3d::Zero(), "<replicate>", diagnostics_);
    const std::string inner = classInside(e, classAround);
    const size_t digits = std::to_string(static_cast<int>(count)).size();
    Pose at;
    for (int i = 0; i < count && mayGrow(e, depth); ++i) {
      at.R = fromEuler(i * euler, conventions());
      const std::string number = std::to_string(i);
      inScope(
          source(), "",
          textOf(e, "sep") + std::string(digits - std::min(digits, number.size()), '0') + number,
          [&] { readInside(e, body, inner, frame * at, depth + 1); });
      at.r += at.R * offset;
    }
  }

  /// A body or frame of another file, or of this one, or all that is in the other one's world.
  void attach(const XmlElement& e, int body, const std::string& classAround, const Pose& frame,
              int depth) {
    report_.use(e);
    const Source* from = e.attribute("model") ? modelNamed(e) : &source();
    const char* tag = e.attribute("body") ? "body" : "frame";
    const XmlElement* part = nullptr;
    if (!from || !mayGrow(e, depth)) return;
    if (const XmlAttribute* name = e.attribute(tag)) {
      for (const XmlElement& world : from->root->children) {
        if (world.name == "worldbody" && !part) part = partNamed(world, tag, name->value);
      }
      if (!part) {
        diagnostics_.error(e.mark(*name),
                           "<attach>: no " + std::string(tag) + " '" + name->value + "' is there");
        return;
      }
    } else if (!e.attribute("model")) {
      diagnostics_.error(e.mark(), "<attach> must name a 'model', a 'body' or a 'frame'");
      return;
    }
    const std::string outer = from == &source() ? classAround : "";
    inScope(*from, textOf(e, "prefix"), "", [&] {
      if (!part) {
        forEach(*from, "worldbody",
                [&](const XmlElement& w) { readInside(w, body, outer, frame, depth + 1); });
      } else if (part->name == "body") {
        readBody(*part, body, outer, frame, depth + 1);
      } else {
        readFrame(*part, body, outer, frame, depth + 1);
      }
    });
  }

  /// Another file, read when it is first attached; nullptr, and an error, if there is none.
  const Source* modelNamed(const XmlElement& attach) {
    const std::string name = textOf(attach, "model");
    std::vector<std::string> known;
    for (const XmlElement* m : source().models) {
      const XmlElement* root = m->child("mujoco");
      if (!root) return nullptr;  // reported
      known.push_back(m->attribute("name") ? textOf(*m, "name") : textOf(*root, "model"));
      if (known.back() != name) continue;
      report_.use(*root);
      for (const Source& s : sources_) {
        if (s.root == root) return &s;
      }
      const fs::path folder = (fs::path(source().folder) / textOf(*m, "file")).parent_path();
      return &sources_.emplace_back(*root, folder.string(), report_, diagnostics_);
    }
    diagnostics_.error(attach.mark(*attach.attribute("model")),
                       "no <model> '" + name + "' is among the assets" + didYouMean(name, known));
    return nullptr;
  }

  Body& bodyAt(int body) { return robot_.bodies[body]; }

  void readBody(const XmlElement& e, int parent, const std::string& classAround, const Pose& frame,
                int depth) {
    if (!mayGrow(e, depth)) return;
    Body b;
    b.element = b.placedBy = &e;
    b.name = fullName(e);
    report_.convert(e, "body", b.name);
    b.parent = parent;
    const std::string owner = b.name.empty() ? "a body" : "body '" + b.name + "'";
    b.pose = frame * poseOf(e, conventions(), owner, diagnostics_);
    b.massAt = e.mark();
    define(Named::body, e, std::ssize(robot_.bodies), owner);
    if (flag(e, "mocap", false, diagnostics_))
      report_.leaveOut(e, "mocap", b.name, "it stands still where the file shows it");
    if (main_.switches.sleeps && textOf(e, "sleep") == "init")
      drop(e, "sleep", b.name, owner, "it is awake from the start");
    b.liftedWeight = number(e, "gravcomp", 0, owner, diagnostics_);
    const std::string inner = classInside(e, classAround);
    const int index = std::ssize(robot_.bodies);
    robot_.bodies.push_back(std::move(b));
    drafts_.emplace_back();
    readInside(e, index, inner, Pose{}, depth + 1);
    for (const auto& [mesh, why] : drafts_[index].open) {
      if (drafts_[index].hasInertial) break;
      diagnostics_.error(mesh,
                         owner + " must have an <inertial>, or this geom a known mass: " + why,
                         ErrorKind::unsupported);
    }
    reportAlignment(index, owner);
    if (parent < 0) return;
    for (const Joint& j : bodyAt(index).joints) {
      if (j.type == JointType::free)
        diagnostics_.error(j.element->mark(), owner + ": only a body in <worldbody> can be free");
    }
  }

  /// MuJoCo moves the frame of a body that is free and alone to its centre of mass, with all that is there.
  void reportAlignment(int index, const std::string& owner) {
    const Body& b = bodyAt(index);
    const bool carries = index + 1 < std::ssize(robot_.bodies);
    if (!conventions().alignsFree || carries || b.joints.size() != 1 || b.mass.r_CM.isZero(0))
      return;
    const Joint& j = b.joints[0];
    if (j.type == JointType::free && (j.stiffness > 0 || j.damping > 0 || j.armature > 0))
      drop(
          *b.element, "alignfree", b.name, owner,
          "springs, dampers and armature of its joint act at its frame, not at its centre of mass");
  }

  void readGeomOf(const XmlElement& e, int body, const std::string& classAround,
                  const Pose& frame) {
    const Assets& assets = source().assets;
    const XmlElement full = source().defaults.complete(e, classAround, diagnostics_);
    std::optional<Geom> g = readGeom(full, e, conventions(), assets, diagnostics_);
    report_.use(e);
    if (!g) return;
    g->pose = frame * g->pose;
    const std::string name = fullName(e);
    define(Named::geom, e, std::ssize(geoms_), name.empty() ? "a geom" : "geom '" + name + "'");
    geoms_.emplace_back();
    if (robot_.fluid.isThere() && textOf(full, "fluidshape") == "ellipsoid")
      report_.warn(name, e.mark(),
                   "fluidshape=\"ellipsoid\" is left out: the fluid acts on a box of the inertia");
    if (g->touches) {
      if (!whyNoContacts_.empty()) report_.leaveOut(e, "collision", name, whyNoContacts_);
      const XmlElement*& first = body < 0 ? worldTouches_ : drafts_[body].touches;
      if (!first) first = &e;
    }
    const bool counts = body >= 0 && g->group >= conventions().groups[0] &&
                        g->group <= conventions().groups[1] &&
                        conventions().inertiaFromGeoms.value_or(true);
    std::string why;
    const bool isMesh = g->type == Geom::Type::mesh || g->type == Geom::Type::sdf;
    if (!g->mesh.empty() && !isMesh && !fitToMesh(*g, assets, conventions(), solids_, why)) {
      report_.leaveOut(e, "shape", name, why);
      if (g->touches && whyNoContacts_.empty()) {
        report_.leaveOut(e, "collision", name, why);
        untouched_.add(name, shortName(name, body), e.mark(), why);
      }
      if (counts) drafts_[body].open.emplace_back(e.mark(), why);
      return;
    }
    geoms_.back() = {{body, g->pose}, g->type, g->size[0]};
    std::vector<Visual> shapes = visualsOf(*g, assets);
    const bool touches = whyNoContacts_.empty() && keepCollider(*g, full, e, body, shapes.empty());
    if (shapes.empty() && !touches)
      report_.leaveOut(e, "shape", name,
                       "planes and fields are not drawn, nor meshes without a file");
    auto& visuals = body < 0 ? robot_.visuals : bodyAt(body).visuals;
    for (Visual& v : shapes) visuals.push_back(std::move(v));
    if (!counts) return;
    Draft& draft = drafts_[body];
    if (const auto mass = massOf(*g, assets, solids_, why)) {
      draft.geoms = draft.geoms + *mass;
      if (!draft.hasInertial) bodyAt(body).mass = draft.geoms;
    } else {
      draft.open.emplace_back(e.mark(), why);
    }
  }

  void findPaired(const XmlElement& e) {
    for (const char* geom : {"geom1", "geom2"}) {
      if (e.name == "pair" && e.attribute(geom)) paired_.push_back(textOf(e, geom));
    }
    for (const XmlElement& c : e.children) findPaired(c);
  }
  /// A <pair> may name this geom, or a copy of it.
  bool mayBePaired(const XmlElement& geom) const {
    const std::string name = textOf(geom, "name");
    return !name.empty() && std::ranges::any_of(paired_, [&](const std::string& p) {
      return p.find(name) != std::string::npos;
    });
  }

  /// Of a geom, among others.
  std::string shortName(const std::string& name, int body) const {
    if (!name.empty()) return "'" + name + "'";
    if (body < 0) return "one of the world";
    const std::string& owner = robot_.bodies[body].name;
    return owner.empty() ? "one of a body without name" : "one of body '" + owner + "'";
  }

  /// Also of what touches nothing by itself, where a <pair> names it. True of what does.
  bool keepCollider(const Geom& g, const XmlElement& full, const XmlElement& e, int body,
                    bool isDrawn) {
    const std::string name = fullName(e), owner = name.empty() ? "a geom" : "geom '" + name + "'";
    ContactSettings settings;
    readContactSettings(full, owner, settings, diagnostics_);
    std::string why;
    std::optional<Collider> collider;
    if (settings.touches() || mayBePaired(e))
      collider = colliderOf(g, source().assets, solids_, why);
    if (collider) {
      geoms_.back().collider = std::ssize(robot_.colliders);
      collider->name = name;
      collider->body = body;
      collider->isDrawn = isDrawn;
      robot_.colliders.push_back(std::move(*collider));
      contacts_->settings.push_back(settings);
      if (settings.touches()) reportMargin(full, e, name);
    } else if (settings.touches()) {
      report_.leaveOut(e, "collision", name, why);
      untouched_.add(name, shortName(name, body), e.mark(), why);
    }
    return collider && settings.touches();
  }

  void reportMargin(const XmlElement& full, const XmlElement& e, const std::string& name) {
    for (const char* distance : {"margin", "gap"}) {
      if (number(full, distance, 0, "<" + e.name + ">", diagnostics_) != 0)
        report_.leaveOut(e, distance, name, "a contact begins where the surfaces meet");
    }
  }

  void readInertial(const XmlElement& e, int body, const Pose& frame) {
    report_.use(e);
    Body& b = bodyAt(body);
    if (conventions().inertiaFromGeoms.value_or(false)) {
      report_.leaveOut(e, "inertial", b.name,
                       "inertiafromgeom=\"true\": it follows from the geoms");
      return;
    }
    if (std::exchange(drafts_[body].hasInertial, true))
      diagnostics_.error(e.mark(), "body '" + b.name + "' has two <inertial>");
    const std::string owner = "body '" + b.name + "'";
    Pose pose = frame * poseOf(e, conventions(), owner, diagnostics_);
    b.massAt = e.mark();
    b.mass = Mass{};
    if (!e.attribute("mass")) diagnostics_.error(e.mark(), owner + ": 'mass' must be given");
    b.mass.m = number(e, "mass", 0, owner, diagnostics_);
    if (b.mass.m < 0)
      diagnostics_.error(e.mark(*e.attribute("mass")), owner + ": 'mass' must not be negative");
    b.mass.r_CM = pose.r;
    if (e.attribute("diaginertia") && e.attribute("fullinertia"))
      diagnostics_.error(e.mark(),
                         owner + ": 'diaginertia' and 'fullinertia' must not both be given");
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

  /// Where bodies can touch each other, a run without contacts is another one, and one with contacts of another
  /// kind as well.
  void finishContacts() {
    if (contacts_) contacts_->leastTime = main_.leastTime();
    if (contacts_ && !main_.switches.contacts)
      report_.warn("", main_.root->mark(), "contacts are left out: <flag> switches them off");
    const XmlElement* first = worldTouches_;
    for (size_t b = 0; b < drafts_.size(); ++b) {
      const XmlElement* touches = drafts_[b].touches;
      if (touches && first && main_.switches.contacts && !robot_.joints.empty()) {
        report_.warn("", touches->mark(),
                     contacts_ ? "contacts are Cardan's: they give way by pressure and lose by a "
                                 "restitution, where MuJoCo's solver has soft constraints"
                               : "contacts are left out: bodies pass through each other");
        return;
      }
      if (touches) first = touches;
    }
  }

  /// What <compiler> makes of all masses.
  void finishMasses() {
    double sum = 0;
    for (Body& b : robot_.bodies) {
      Mass& m = b.mass;
      m.m = std::max(m.m, main_.boundMass);
      PrincipalAxes p;
      const bool isBound = main_.boundInertia > 0;
      if (isBound || main_.balancesInertia) p = principalAxes(m.I);
      const Vector3d moments = p.moments.cwiseMax(main_.boundInertia);
      const bool isUnbalanced = main_.balancesInertia && 2 * moments.maxCoeff() > moments.sum();
      if (isBound || isUnbalanced) {
        p.moments = isUnbalanced ? Vector3d(Vector3d::Constant(moments.sum() / 3)) : moments;
        m.I = p.tensor();
      }
      sum += m.m;
    }
    if (!(main_.totalMass > 0) || !(sum > 0)) return;
    for (Body& b : robot_.bodies) {
      b.mass.m *= main_.totalMass / sum;
      b.mass.I *= main_.totalMass / sum;
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
        e.name == "freejoint" ? e : source().defaults.complete(e, classAround, diagnostics_);
    Joint j;
    j.element = j.forces = j.limits = &e;
    j.name = fullName(e);
    const std::string owner =
        j.name.empty() ? "a joint of body '" + bodyAt(body).name + "'" : "joint '" + j.name + "'";
    if (e.name == "freejoint") {
      j.type = JointType::free;
    } else if (const auto type = choice(full, "type", kJointTypes, diagnostics_)) {
      j.type = static_cast<JointType>(*type);
    }
    j.word = kJointTypes[static_cast<size_t>(j.type)];
    report_.convert(e, "joint", j.name);
    j.pos = frame.r + frame.R * vector(full, "pos", j.pos, owner, diagnostics_);
    if (j.type == JointType::free) j.pos.setZero();
    j.axis = frame.R * vector(full, "axis", j.axis, owner, diagnostics_);
    if (j.hasAxis() && !(j.axis.stableNorm() > 1e-14))
      diagnostics_.error(full.mark(*full.attribute("axis")),
                         owner + ": 'axis' must not be the zero vector");
    readForces(full, e, j, owner);
    readRange(full, j, owner);
    define(Named::joint, e, std::ssize(robot_.joints), owner);
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
    const double unit = j.turns() ? conventions().angle : 1;
    j.ref = number(full, "ref", 0, owner, diagnostics_) * unit;
    j.springRef = number(full, "springref", 0, owner, diagnostics_) * unit;
    if (const auto s = numbers(full, "springdamper", 2, 2, owner, diagnostics_))
      j.springDamper = {(*s)[0], (*s)[1]};
    struct Value {
      const char* name;
      double* value;
    };
    for (const Value& v : {Value{"damping", &j.damping}, Value{"stiffness", &j.stiffness},
                           Value{"armature", &j.armature}, Value{"frictionloss", &j.friction}}) {
      *v.value = linear(full, v.name, j.name, owner);
      if (*v.value < 0) {
        diagnostics_.error(full.mark(*full.attribute(v.name)),
                           owner + ": '" + v.name + "' must not be negative");
      } else if (*v.value > 0 && !j.hasAxis() && std::string(v.name) == "frictionloss") {
        drop(e, v.name, j.name, owner, "a " + j.word + " joint has no axis for it");
        *v.value = 0;
      } else if (*v.value > 0 && std::string(v.name) != "frictionloss") {
        report_.convert(e, v.name, j.name);
      }
    }
  }

  /// What is linear in Cardan, of an attribute that may have powers as well.
  double linear(const XmlElement& full, const char* attribute, const std::string& name,
                const std::string& owner) {
    const auto list = numbers(full, attribute, 1, 10, owner, diagnostics_);
    return list ? linear(*list, full.mark(*full.attribute(attribute)), attribute, name, owner) : 0;
  }
  double linear(std::span<const double> list, const SourceMark& at, const char* attribute,
                const std::string& name, const std::string& owner) {
    if (std::ranges::any_of(list.subspan(1), [](double x) { return x != 0; }))
      report_.warn(
          name, at,
          owner + ": of '" + attribute + "' only the first number counts, as if it were linear");
    return list[0];
  }

  void readRange(const XmlElement& full, Joint& j, const std::string& owner) {
    const auto pair = [&](const char* name, std::array<double, 2>& values) {
      const auto v = numbers(full, name, 1, 2, owner, diagnostics_);
      if (v) std::copy(v->begin(), v->end(), values.begin());
      return v.has_value();
    };
    const bool hasRange = pair("range", j.range);
    j.isLimited =
        flag(full, "limited", hasRange && conventions().autoLimits && j.range[0] < j.range[1],
             diagnostics_) &&
        main_.switches.limits;
    if (j.turns() || j.type == JointType::ball)
      j.range = {j.range[0] * conventions().angle, j.range[1] * conventions().angle};
    if (j.isLimited && j.hasAxis() && !(j.range[0] < j.range[1]))
      diagnostics_.error(full.mark(),
                         owner + ": the first number of 'range' must be less than the second one");
    if (j.isLimited && !j.hasAxis())
      drop(*j.element, "range", j.name, owner, "there are no stops of a ball");
    pair("solreflimit", j.stopReference);
    if (const auto s = numbers(full, "solimplimit", 1, 5, owner, diagnostics_)) {
      if (s->size() > 1) j.stopWidth = (*s)[1];
    }
    for (const char* name : {"actuatorforce", "actuatorfrc"}) {
      std::array<double, 2> range{0, 0};
      const bool isGiven = pair((std::string(name) + "range").c_str(), range);
      if (!flag(full, (std::string(name) + "limited").c_str(), isGiven && conventions().autoLimits,
                diagnostics_))
        continue;
      j.driveRange = range;
      checkRange(full, range, owner, "the forces of the drives");
    }
  }

  void checkRange(const XmlElement& e, const std::array<double, 2>& range, const std::string& owner,
                  const std::string& what) {
    if (range[0] >= range[1])
      diagnostics_.error(e.mark(), owner + ": the range of " + what + " must not be empty, found " +
                                       formatNumber(range[0]) + " to " + formatNumber(range[1]));
  }

  /// What follows from how heavily it moves.
  void finishJoint(Joint& j, const JointInertia& inertia) {
    const double m = inertia.free;
    if (j.springDamper[0] > 0 && j.springDamper[1] > 0) {
      const Stops s = stopsOf(m, j.springDamper, 1);
      j.stiffness = s.stiffness;
      j.damping = s.damping;
    }
    if (!main_.switches.springs) j.stiffness = 0;
    if (!main_.switches.dampers) j.damping = 0;
    if (!main_.switches.friction) j.friction = 0;
    if (!j.isLimited || !j.hasAxis()) return;
    const std::string owner = j.name.empty() ? "a joint" : "joint '" + j.name + "'";
    j.stops = stopsAt(j.range, j.ref, m, j.stopReference, j.stopWidth, *j.element, j.name, owner);
    j.isLimited = j.stops.has_value();
  }

  /// By a time constant [s] and a damping ratio, else by stiffness and damping for each inertia, negative.
  static Stops stopsOf(double m, const std::array<double, 2>& reference, double width) {
    const auto [first, second] = reference;
    if (first > 0) return {m / std::pow(first * width * second, 2), 2 * m / (first * width)};
    return {-m * first / (width * width), -m * second / width};
  }

  /// At the ends of a range; none, and a warning, where nothing makes them stiff. `shown`: where it starts.
  std::optional<Stops> stopsAt(const std::array<double, 2>& range, double shown, double m,
                               const std::array<double, 2>& reference, double width,
                               const XmlElement& e, const std::string& name,
                               const std::string& owner) {
    if (shown < range[0] || shown > range[1])
      report_.warn(name, e.mark(),
                   owner + " starts beyond its limits, at " + formatNumber(shown) + ", not in " +
                       formatNumber(range[0]) + " to " + formatNumber(range[1]));
    const Stops stops =
        stopsOf(m, solved(reference, main_.leastTime()), std::clamp(width, 1e-4, 0.9999));
    if (stops.stiffness > 0 && std::isfinite(stops.stiffness) && stops.damping >= 0 &&
        std::isfinite(stops.damping))
      return stops;
    report_.warn(name, e.mark(),
                 owner +
                     ": its stops are left out: nothing makes a stiffness of 'solreflimit', "
                     "'solimplimit' and the inertia at the " +
                     (e.name == "joint" ? "joint, " : "tendon, ") + formatNumber(m));
    report_.leaveOut(e, "range", name, "its stops have no stiffness");
    return std::nullopt;
  }

  // Constraints and drives ------------------------------------------------------------------------

  /// nullptr, and an error, where it is missing.
  const XmlAttribute* required(const XmlElement& e, const std::string& attribute) {
    const XmlAttribute* a = e.attribute(attribute);
    if (!a) diagnostics_.error(e.mark(), "<" + e.name + ">: '" + attribute + "' must be given");
    return a;
  }
  /// An index; nothing, and an error, where there is none of this name.
  std::optional<int> indexOf(const XmlElement& e, const Reference& r) {
    const XmlAttribute* a = required(e, r.attribute);
    if (!a) return std::nullopt;
    if (r.what == Named::body && a->value == "world") return -1;
    const auto found = scopes_.find(scope_, r.what, a->value);
    if (!found)
      diagnostics_.error(e.mark(*a), std::string("no ") + r.noun + " '" + a->value + "'" +
                                         didYouMean(a->value, scopes_.allNames(r.what)));
    return found;
  }

  static constexpr Reference kReferences[] = {
      {"joint", Named::joint, "joint"},    {"jointinparent", Named::joint, "joint"},
      {"joint1", Named::joint, "joint"},   {"joint2", Named::joint, "joint"},
      {"body1", Named::body, "body"},      {"body2", Named::body, "body"},
      {"site1", Named::site, "site"},      {"site2", Named::site, "site"},
      {"geom1", Named::geom, "geom"},      {"geom2", Named::geom, "geom"},
      {"tendon", Named::tendon, "tendon"}, {"tendon1", Named::tendon, "tendon"},
      {"site", Named::site, "site"},       {"geom", Named::geom, "geom"},
      {"sidesite", Named::site, "site"},   {"tendon2", Named::tendon, "tendon"}};
  static constexpr const Reference &kJoint = kReferences[0], &kJointInParent = kReferences[1],
                                   &kJoint1 = kReferences[2], &kJoint2 = kReferences[3],
                                   &kBody1 = kReferences[4], &kBody2 = kReferences[5],
                                   &kSite1 = kReferences[6], &kSite2 = kReferences[7],
                                   &kGeom1 = kReferences[8], &kGeom2 = kReferences[9],
                                   &kTendon = kReferences[10], &kTendon1 = kReferences[11],
                                   &kSite = kReferences[12], &kGeom = kReferences[13],
                                   &kSideSite = kReferences[14], &kTendon2 = kReferences[15];

  /// Elements act in each copy of a part that they refer to, and in the file where all their names are
  /// there; of the robot itself a name that is nowhere is an error.
  void readSection(const XmlElement& section, const Source& source,
                   void (Reader::*readOne)(const XmlElement&)) {
    for (const XmlElement& e : section.children) {
      for (scope_ = 0; scope_ < scopes_.count(); ++scope_) {
        if (scopes_[scope_].source == &source && actsHere(e)) (this->*readOne)(e);
      }
      scope_ = 0;
    }
  }

  bool actsHere(const XmlElement& e) const {
    bool isOwn = scope_ == 0, isMissing = false, isInCopy = false;
    const auto look = [&](const XmlElement& at) {
      for (const Reference& r : kReferences) {
        const XmlAttribute* a = at.attribute(r.attribute);
        if (!a || (r.what == Named::body && a->value == "world")) continue;
        if (scopes_.find(scope_, r.what, a->value, &isOwn)) continue;
        isMissing = true;
        isInCopy = isInCopy || scopes_.isInCopy(source(), r.what, a->value);
      }
    };
    look(e);
    for (const XmlElement& c : e.children) look(c);  // of a tendon
    return isOwn && (!isMissing || (scope_ == 0 && !isInCopy));
  }

  void leave(const XmlElement& e, const char* what, const std::string& subject,
             const std::string& why) {
    report_.ignore(e, what, fullName(e), why);
    report_.warn(fullName(e), e.mark(), subject + " is left out: " + why);
  }
  /// Something of an element that is read.
  void drop(const XmlElement& e, const char* what, const std::string& name,
            const std::string& owner, const std::string& why) {
    const XmlAttribute* a = e.attribute(what);
    report_.leaveOut(e, what, name, why);
    report_.warn(name, a ? e.mark(*a) : e.mark(), owner + ": '" + what + "' is left out: " + why);
  }

  void readEquality(const XmlElement& e) {
    const XmlElement full = source().defaults.complete(e, "", diagnostics_, "equality");
    const std::string name = fullName(e);
    report_.use(e);
    if (!flag(full, "active", true, diagnostics_)) {
      report_.ignore(e, "equality", name, "it is not active");
    } else if (!main_.switches.equalities) {
      report_.ignore(e, "equality", name, "constraints are switched off");
    } else if (e.name == "joint") {
      readJointEquality(full, e);
    } else if (e.name == "tendon") {
      readTendonEquality(full, e);
    } else if (e.name == "connect" || e.name == "weld") {
      readBodyEquality(full, e);
    } else {
      leave(e, "equality", "<" + e.name + ">", "Cardan has no such constraint");
    }
  }

  void readBodyEquality(const XmlElement& full, const XmlElement& e) {
    const std::string owner = "<" + e.name + ">";
    const bool isWeld = e.name == "weld";
    Equality q;
    q.element = &e;
    q.type = isWeld && number(full, "torquescale", 1, owner, diagnostics_) != 0
                 ? EqualityType::weld
                 : EqualityType::connect;
    const bool bySites = full.attribute("site1") || full.attribute("site2");
    const auto first = indexOf(full, bySites ? kSite1 : kBody1);
    const auto second =
        bySites || full.attribute("body2") ? indexOf(full, bySites ? kSite2 : kBody2) : -1;
    if (!first || !second) return;
    if (bySites) {
      q.first = sites_[*first].body;
      q.inFirst = sites_[*first].pose;
      q.second = sites_[*second].body;
      q.inSecond = sites_[*second].pose;
    } else {
      q.first = *first;
      q.second = *second;
      // The anchor of a weld is in the second body, that of a connect in the first one.
      const Vector3d anchor = vector(full, "anchor", Vector3d::Zero(), owner, diagnostics_);
      const Pose between = poseIn(q.first, {q.second, Pose{}});
      const auto given = relativePose(full, owner);
      if (isWeld) q.inSecond.r = anchor;
      if (given) {
        q.inFirst = *given;
      } else if (isWeld) {
        q.inFirst = between * q.inSecond;
      } else {
        q.inFirst.r = anchor;
        q.inSecond.r = between.inverse().r + between.R.transpose() * anchor;
      }
    }
    const Pose found = poseIn(q.first, {q.second, q.inSecond});
    constexpr double kApart = 1e-7;  // [m], [rad]  what digits of a file leave
    q.isApart = (found.r - q.inFirst.r).norm() > kApart ||
                (q.type == EqualityType::weld && !found.R.isApprox(q.inFirst.R, kApart));
    report_.convert(e, "equality", fullName(e));
    robot_.equalities.push_back(q);
  }

  /// A frame in the frame of another body, as the file shows them.
  Pose poseIn(int body, const Place& frame) {
    if (poses_.empty()) poses_ = posesOf(robot_);
    const auto inWorld = [&](int b) { return b < 0 ? Pose{} : poses_[b]; };
    return inWorld(body).inverse() * inWorld(frame.body) * frame.pose;
  }

  std::optional<Pose> relativePose(const XmlElement& full, const std::string& owner) {
    const auto p = numbers(full, "relpose", 7, 7, owner, diagnostics_);
    if (!p || Eigen::Map<const Eigen::Vector4d>(p->data() + 3).isZero(0)) return std::nullopt;
    return Pose{Vector3d(p->data()), fromQuaternion(p->data() + 3)};
  }

  /// A constant, and factors of the powers of what is followed; where it alone is given, the first is 1.
  std::vector<double> polynomial(const XmlElement& full) {
    auto c = numbers(full, "polycoef", 1, 5, "<" + full.name + ">", diagnostics_)
                 .value_or(std::vector{0.0});
    if (c.size() == 1) c.push_back(1);
    return c;
  }

  void readJointEquality(const XmlElement& full, const XmlElement& e) {
    const auto first = indexOf(full, kJoint1);
    const bool hasTwo = full.attribute("joint2") != nullptr;
    const auto second = hasTwo ? indexOf(full, kJoint2) : -1;
    if (!first || !second) return;
    const auto c = polynomial(full);
    const auto hasAxis = [&](int joint) { return joint < 0 || robot_.joint(joint).hasAxis(); };
    if (!hasAxis(*first) || !hasAxis(*second)) {
      leave(e, "equality", "<joint>", "one of the joints has no axis");
      return;
    }
    Equality q;
    q.terms.push_back({Share{*first}});
    std::vector<double> factors(c.begin() + 1, c.end());
    while (!factors.empty() && factors.back() == 0) factors.pop_back();
    if (hasTwo && !factors.empty()) q.terms.push_back({Share{*second, -1}, std::move(factors)});
    q.offset = -c[0];
    addSum(std::move(q), e);
  }

  void addSum(Equality q, const XmlElement& e) {
    q.type = EqualityType::sum;
    q.element = &e;
    report_.convert(e, "equality", fullName(e));
    robot_.equalities.push_back(std::move(q));
  }

  /// The length of a tendon stays what the file shows, or follows that of another one, plus a constant.
  void readTendonEquality(const XmlElement& full, const XmlElement& e) {
    const auto first = indexOf(full, kTendon1);
    const auto second = full.attribute("tendon2") ? indexOf(full, kTendon2) : -1;
    if (!first || !second) return;
    const auto c = polynomial(full);
    const auto isThere = [&](int tendon) { return tendon >= 0; };
    const bool hasTwo = full.attribute("tendon2") != nullptr;
    if (!isThere(*first) || (hasTwo && !isThere(*second))) {
      leave(e, "equality", "<tendon>", "it holds a tendon that is left out");
      return;
    }
    if (hasTwo && std::any_of(c.begin() + 2, c.end(), [](double x) { return x != 0; })) {
      leave(e, "equality", "<tendon>", "of two tendons only the first order is supported");
      return;
    }
    Equality q;
    q.offset = -c[0];
    const auto add = [&](int tendon, double by) {
      for (const Share& s : robot_.tendons[tendon].along) {
        if (s.strand >= 0) q.offset -= by * s.coefficient * lengthOf(s.strand);
        const auto known = std::ranges::find_if(
            q.terms, [&](const auto& t) { return s.joint >= 0 && t.of.joint == s.joint; });
        if (known == q.terms.end()) {
          q.terms.push_back({s});
          q.terms.back().of.coefficient *= by;
        } else {
          known->of.coefficient += by * s.coefficient;
        }
      }
    };
    add(*first, 1);
    if (hasTwo) add(*second, -c[1]);
    std::erase_if(q.terms, [](const auto& t) { return t.of.coefficient == 0; });
    const bool hasStrands =
        std::ranges::any_of(q.terms, [](const auto& t) { return t.of.strand >= 0; });
    if (q.terms.empty() || (hasStrands && c[0] != 0)) {
      leave(e, "equality", "<tendon>",
            q.terms.empty() ? "it holds nothing that moves"
                            : "its path is not as long as it shall be, and stays as it is");
      return;
    }
    addSum(std::move(q), e);
  }

  /// [m]  As the file shows it.
  double lengthOf(int strand) {
    if (poses_.empty()) poses_ = posesOf(robot_);
    return stateOf(robot_.strands[strand], poses_).length;
  }

  void readContact(const XmlElement& e) {
    report_.use(e);
    const bool isPair = e.name == "pair";
    const XmlElement full = source().defaults.complete(e, "", diagnostics_);
    const auto a = indexOf(full, isPair ? kGeom1 : kBody1),
               b = indexOf(full, isPair ? kGeom2 : kBody2);
    if (!a || !b) return;
    if (!isPair) {
      report_.convert(e, "exclude", fullName(e));
      contacts_->exclude.emplace_back(*a, *b);
      return;
    }
    const int first = geoms_[*a].collider, second = geoms_[*b].collider;
    if (first < 0 || second < 0 || *a == *b) {
      leave(e, "collision", "<pair>",
            *a == *b ? "it names one geom" : "one of its geoms touches nothing");
    } else {
      ContactSettings settings = bothOf(contacts_->settings[first], contacts_->settings[second]);
      readContactSettings(full, "<pair>", settings, diagnostics_);
      reportMargin(full, e, fullName(e));
      contacts_->pairs.push_back({first, second, settings, &e});
    }
  }

  void readTendon(const XmlElement& e) {
    report_.use(e);
    const std::string owner = called(e, "tendon");
    Tendon t;
    t.name = fullName(e);
    t.element = &e;
    double rest = 0, shown = 0;  // lengths: of joints with springs at rest, in the pose of the file
    const bool isRead = e.name == "fixed" ? readCoordinates(e, t, owner, rest, shown)
                                          : readPath(e, t, owner, rest, shown);
    define(Named::tendon, e, isRead ? std::ssize(robot_.tendons) : -1, owner);
    if (isRead) finishTendon(e, std::move(t), owner, rest, shown);
  }

  bool readCoordinates(const XmlElement& e, Tendon& t, const std::string& owner, double& rest,
                       double& shown) {
    for (const XmlElement& c : e.children) {
      report_.use(c);
      const auto index = indexOf(c, kJoint);
      if (!required(c, "coef") || !index) return false;
      const Joint& j = robot_.joint(*index);
      if (!j.hasAxis()) {
        leave(e, "tendon", owner, "a " + j.word + " joint has no axis");
        return false;
      }
      const double share = number(c, "coef", 0, owner, diagnostics_);
      rest += share * j.springRef;
      shown += share * j.ref;
      const auto known = std::ranges::find(t.along, *index, &Share::joint);
      if (known == t.along.end()) {
        t.along.push_back({*index, share});
      } else {
        known->coefficient += share;
      }
    }
    if (t.along.empty()) diagnostics_.error(e.mark(), owner + " must have a <joint>");
    return !t.along.empty();
  }

  /// From site to site; behind a pulley another path begins.
  bool readPath(const XmlElement& e, Tendon& t, const std::string& owner, double& rest,
                double& shown) {
    if (poses_.empty()) poses_ = posesOf(robot_);
    if (posesAtRest_.empty()) posesAtRest_ = posesOf(robot_, true);
    std::optional<Place> from;
    std::optional<Strand::Around> around;
    double divisor = 1;
    for (const XmlElement& c : e.children) {
      report_.use(c);
      if (c.name == "pulley") {
        if (!required(c, "divisor")) return false;
        if (around) break;
        divisor = number(c, "divisor", 1, owner, diagnostics_);
        if (!(divisor > 0))
          diagnostics_.error(c.mark(), owner + ": 'divisor' must be greater than zero");
        from.reset();
      } else if (c.name == "site") {
        const auto site = indexOf(c, kSite);
        if (!site) return false;
        const Place& to = sites_[*site];
        if (from) {
          const Strand strand{*from, to, around};
          const double length = stateOf(strand, poses_).length;
          rest += stateOf(strand, posesAtRest_).length / divisor;
          shown += length / divisor;
          t.along.push_back({-1, 1 / divisor, static_cast<int>(robot_.strands.size())});
          robot_.strands.push_back(strand);
        }
        from = to;
        around.reset();
      } else {
        const auto index = indexOf(c, kGeom);
        const auto side = c.attribute("sidesite") ? indexOf(c, kSideSite) : -1;
        if (!index || !side) return false;
        const GeomPlace& g = geoms_[*index];
        const bool isRound = g.type == Geom::Type::sphere;
        if (!from || around || (!isRound && g.type != Geom::Type::cylinder)) {
          diagnostics_.error(c.mark(), owner +
                                           ": a <geom> must be a sphere or a cylinder, and stand "
                                           "between two sites");
          return false;
        }
        if (g.radius == 0) {
          leave(e, "tendon", owner, "geom '" + textOf(c, "geom") + "' has no known size");
          return false;
        }
        around = {g.place, isRound, g.radius};
        if (*side >= 0) around->side = sites_[*side];
        if (around->side &&
            (poseIn(g.place.body, *around->side).r - g.place.pose.r).norm() < g.radius) {
          leave(e, "tendon", owner, "it runs inside of a geom, where its 'sidesite' is");
          return false;
        }
      }
    }
    if (around || t.along.empty()) {
      diagnostics_.error(e.mark(), owner + " must lead from a site to a site");
      return false;
    }
    return true;
  }

  /// What acts on its length.
  void finishTendon(const XmlElement& e, Tendon t, const std::string& owner, double rest,
                    double shown) {
    const std::string& name = t.name;
    const XmlElement full = source().defaults.complete(e, "", diagnostics_, "tendon");
    const auto list = [&](const char* attribute, auto&& values, size_t most) {
      const auto v = numbers(full, attribute, 1, most, owner, diagnostics_);
      if (v) std::copy_n(v->begin(), std::min(v->size(), values.size()), values.begin());
      return v ? v->size() : 0;
    };
    t.stiffness = linear(full, "stiffness", name, owner);
    t.damping = linear(full, "damping", name, owner);
    if (t.stiffness < 0 || t.damping < 0)
      diagnostics_.error(e.mark(), owner + ": stiffness and damping must not be negative");
    t.slack = {-1, -1};
    if (list("springlength", t.slack, 2) == 1) t.slack[1] = t.slack[0];
    if (t.slack[0] > t.slack[1])
      diagnostics_.error(full.mark(*full.attribute("springlength")),
                         owner + ": 'springlength' must not be reversed");
    if (t.slack == std::array{-1.0, -1.0}) t.slack = {rest, rest};
    if (!main_.switches.springs) t.stiffness = 0;
    if (!main_.switches.dampers) t.damping = 0;
    const bool hasRange = list("range", t.range, 2) == 2;
    const bool byRange = hasRange && conventions().autoLimits && t.range[0] < t.range[1];
    if (flag(full, "limited", byRange, diagnostics_) && main_.switches.limits) {
      checkRange(full, t.range, owner, "its length");
      std::array<double, 2> reference{0.02, 1}, impedance{0.9, 0.95};
      list("solreflimit", reference, 2);
      list("solimplimit", impedance, 5);
      t.stops = stopsAt(t.range, shown, inertias_->free(t.along), reference, impedance[1], e, name,
                        owner);
    }
    report_.convert(e, "tendon", name);
    robot_.tendons.push_back(std::move(t));
  }

  /// The coordinates that an actuator acts on; nothing, and a message, where there are none.
  std::optional<std::vector<Share>> pulledBy(const ActuatorSettings& s, const XmlElement& e,
                                             const std::string& owner) {
    if (e.attribute("tendon")) {
      const auto index = indexOf(e, kTendon);
      if (!index) return std::nullopt;
      if (*index >= 0) return robot_.tendons[*index].along;
      leave(e, "actuator", owner, "it pulls a tendon that is left out");
      return std::nullopt;
    }
    const Reference& joint = e.attribute("jointinparent") ? kJointInParent : kJoint;
    if (!e.attribute(joint.attribute)) {
      leave(e, "actuator", owner, "it drives no joint");
      return std::nullopt;
    }
    const auto index = indexOf(e, joint);
    if (!index) return std::nullopt;
    Joint& j = bodyAt(robot_.joints[*index].body).joints[robot_.joints[*index].place];
    if (!j.hasAxis()) {
      leave(e, "actuator", owner, "a " + j.word + " joint has no axis");
      return std::nullopt;
    }
    // What it adds to the joint is there whether it drives it or not.
    const double square = s.gear[0] * s.gear[0];
    j.armature += s.armature * square;
    const double damping = linear(s.damping, e.mark(), "damping", fullName(e), owner);
    if (main_.switches.dampers) j.damping += damping * square;
    return std::vector<Share>{{*index, 1}};
  }

  void readActuator(const XmlElement& e) {
    report_.use(e);
    const std::string name = fullName(e);
    const std::string owner = called(e, "actuator");
    if (!isActuator(e.name)) return;
    const auto isPlace = [&](const char* place) { return e.attribute(place) != nullptr; };
    constexpr const char* kPlaces[] = {"joint", "jointinparent", "tendon", "site"};
    if (std::ranges::count_if(kPlaces, isPlace) > 1) {
      diagnostics_.error(e.mark(), owner + " must act on one joint, one tendon or one site");
      return;
    }
    (void)source().defaults.complete(e, "", diagnostics_);  // says which class there is not
    ActuatorSettings s;
    for (const XmlElement* d : source().defaults.actuators(e))
      s.apply(*d, "<default>", diagnostics_);
    s.apply(e, owner, diagnostics_);
    if (!main_.switches.drives || main_.idleGroups.contains(s.group)) {
      report_.ignore(e, "actuator", name, "it is switched off");
      return;
    }
    std::optional<std::vector<Share>> along;
    std::optional<int> site;
    if (e.attribute("site")) {
      site = indexOf(e, kSite);
    } else {
      along = pulledBy(s, e, owner);
    }
    if (!along && !site) return;
    std::string why = s.whyNot();
    if (why.empty() && (site || isPlace("tendon")) && s.loadsJoints())
      why = "armature and damping are supported at a joint alone";
    const bool isPath = along && along->front().strand >= 0;
    if (why.empty() && isPath && s.bias[2] > 0 && s.biasType == "affine")
      why = "at a tendon along a path a 'dampratio' is not supported";
    if (why.empty() && site && isPlace("refsite")) why = "a 'refsite' is not supported";
    if (why.empty() && site && !s.isFree())
      why = "at a site only forces that do not depend on a length or speed are supported";
    if (!why.empty()) {
      leave(e, "actuator", owner, why);
      return;
    }
    Actuator& a = robot_.actuators.emplace_back(
        actuatorOf(s, e, std::move(along).value_or(std::vector<Share>()), owner));
    if (site) {
      a.gear = 1;
      a.thrust = {sites_[*site], s.gear};
    }
    report_.convert(e, "actuator", name);
  }

  Actuator actuatorOf(const ActuatorSettings& s, const XmlElement& e, std::vector<Share> along,
                      const std::string& owner) {
    Actuator a;
    a.name = fullName(e);
    a.element = &e;
    a.along = std::move(along);
    a.gear = s.gear[0];
    a.gain = s.gain;
    if (s.gainType == "fixed") a.gain[1] = a.gain[2] = 0;
    if (s.biasType == "affine") a.bias = s.bias;
    // A damping that is positive is one by the critical damping, where the other two make a spring.
    const bool isServo = s.gainType == "fixed" && a.gain[0] == -a.bias[1];
    if (isServo && a.bias[2] > 0) {
      double held = 0;
      for (const Share& share : a.along) {
        if (share.joint < 0) continue;
        const double gear = a.gear * share.coefficient;
        if (std::abs(gear) > 1e-15) held += (*inertias_)[share.joint].held / (gear * gear);
      }
      a.bias[2] *= -2 * std::sqrt(std::max(0.0, a.gain[0] * held));
    }
    const std::string& autoWord = conventions().autoLimits ? "auto" : "false";
    const auto word = [&](const std::string& limited) {
      return limited == "auto" ? autoWord : limited;
    };
    if (main_.switches.controlRanges)
      a.controlRange = limitsOf(word(s.controlLimited), s.controlRange);
    if (isServo && s.inheritedRange > 0 && main_.switches.controlRanges && !a.along.empty()) {
      const std::array<double, 2>& range = e.attribute("tendon")
                                               ? robot_.tendons[*indexOf(e, kTendon)].range
                                               : robot_.joint(a.along[0].joint).range;
      const double middle = (range[0] + range[1]) / 2, half = (range[1] - range[0]) / 2;
      auto& own = s.dynamics == "integrator" ? a.stateRange : a.controlRange;
      own = {middle - half * s.inheritedRange, middle + half * s.inheritedRange};
      checkRange(e, *own, owner, "'inheritrange'");
    }
    if (s.hasState()) {
      if (s.dynamics == "integrator")
        a.lag = 0;
      else if (s.timeConstant > 0)
        a.lag = s.timeConstant;  // else it follows at once
      if (!a.stateRange) a.stateRange = limitsOf(word(s.stateLimited), s.stateRange);
    }
    if (a.stateRange) checkRange(e, *a.stateRange, owner, "the activation");
    a.forceRange = limitsOf(word(s.forceLimited), s.forceRange);
    if (a.controlRange) checkRange(e, *a.controlRange, owner, "control");
    if (a.forceRange) checkRange(e, *a.forceRange, owner, "force");
    return a;
  }

  /// In the order of JointType.
  static constexpr const char* kJointTypes[] = {"hinge", "slide", "ball", "free"};

  ImportReport& report_;
  Diagnostics& diagnostics_;
  GeomContacts* contacts_;      ///< null: nothing touches
  std::deque<Source> sources_;  ///< this file, then those that are attached
  const Source& main_;
  Scopes scopes_;
  MeshSolids solids_;
  int scope_ = 0;
  Robot robot_;
  std::string whyNoContacts_;  ///< "": geoms become colliders
  std::vector<Draft> drafts_;  ///< by body
  const XmlElement* worldTouches_ = nullptr;
  std::vector<Place> sites_;
  std::vector<GeomPlace> geoms_;             ///< of those that are right
  std::vector<Pose> poses_, posesAtRest_;    ///< of bodies in the world; where springs are at rest
  const JointInertias* inertias_ = nullptr;  ///< as they are without constraints
  bool isTooLarge_ = false;
  Untouched untouched_{"geom"};
  std::vector<std::string> paired_;  ///< names that a <pair> says
};

}  // namespace

Robot readBodies(const XmlElement& root, const std::string& path, GeomContacts* contacts,
                 ImportReport& report, Diagnostics& diagnostics) {
  return Reader(root, path, contacts, report, diagnostics).read();
}

}  // namespace cardan::robots::mjcf
