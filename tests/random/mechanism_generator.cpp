// Invents a mechanism: a tree of bodies whose frames are placed one after the other, loops closed
// where frames are, then what acts on all of it. Every number is drawn in a statement of its own:
// the order in which arguments are evaluated differs between compilers.
#include <fmt/format.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "tests/random/mechanism.h"
#include "tests/random/model_text.h"
#include "tests/random/random_numbers.h"

namespace cardan::random {
namespace {

using std::numbers::pi;

/// Where a frame is at the start.
struct Pose {
  Vector3d r = Vector3d::Zero();      ///< [m]  resolved in what it is relative to
  Matrix3d T = Matrix3d::Identity();  ///< takes vectors into the frame

  Pose then(const Pose& relative) const { return {r + T.transpose() * relative.r, relative.T * T}; }
  Pose inverse() const { return {-(T * r), T.transpose()}; }
  /// `other` as seen from here.
  Pose to(const Pose& other) const { return inverse().then(other); }
};

Matrix3d turned(const Vector3d& e, double angle) {
  return frames::TransformationMatrices::planarRotation(e, angle);
}

/// A frame of the tree.
struct Place {
  std::string frame;  ///< connector
  Pose pose;
  int parent = -1;   ///< place on the way to the world
  int freedoms = 0;  ///< of the joint from there
  std::string body;  ///< component, "" for the world
};

/// A joint axis that something may be fixed to.
struct Axis {
  std::string joint;
  bool rotational = true;
  double start = 0;
  bool inLoop = false;
};

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : rng_(seed * 0x9e3779b97f4a7c15ULL + 1) {
    m_.seed = seed;
  }

  Mechanism make() {
    m_.stop = rng_.uniform(0.5, 2);
    const std::string world = gravity();
    places_.push_back({"world.frame_b", {}, -1, 0, ""});
    // Start values are guesses where a loop has the last word.
    closed_ = rng_.chance(0.45);
    const bool planar = closed_ && rng_.chance(0.35);
    if (planar) planarLoop();
    const int bodies = static_cast<int>(rng_.logUniform(1, 12.99));
    while (static_cast<int>(m_.bodies.size()) < bodies) grow();
    if (closed_ && !planar) closeLoops();
    for (const Axis& axis : axes_) {
      if (rng_.chance(0.6)) actOn(axis);
    }
    const int loads = rng_.integer(0, 3);
    for (int i = 0; i < loads; ++i) load();
    contacts();
    outputs();
    m_.text = text_.text(
        fmt::format("random mechanism of seed {}", m_.seed), world,
        fmt::format("start: 0, stop: {}, interval: {}, tolerance: 1e-6", m_.stop, m_.stop / 200));
    return std::move(m_);
  }

 private:
  std::string gravity() {
    const double g = rng_.uniform(0, 10);
    const Vector3d n = rng_.direction();
    if (rng_.chance(0.2)) return "gravityType: NoGravity";
    return fmt::format("g: {}, n: {}", number(g), list(n));
  }

  // --- the tree -----------------------------------------------------------------------------

  /// A rigid offset from a frame; returns the new frame.
  std::string offset(const std::string& from, const Pose& relative) {
    const bool backward = rng_.chance(0.3);
    const Pose p = backward ? relative.inverse() : relative;
    const std::string name = text_.newName("offset");
    if (p.T.isIdentity(1e-14)) {
      text_.component(name, "FixedTranslation", fmt::format("r: {}", list(p.r)));
    } else {
      const Eigen::AngleAxisd turn(p.T.transpose());
      text_.component(name, "FixedRotation",
                      fmt::format("r: {}, n: {}, angle: {}", list(p.r), list(turn.axis()),
                                  number(turn.angle() * 180 / pi)));
    }
    text_.connect(from, name + (backward ? ".frame_b" : ".frame_a"));
    return name + (backward ? ".frame_a" : ".frame_b");
  }

  Pose randomOffset() {
    Pose p;
    p.r = rng_.vector(0.2, 0.8);
    if (rng_.chance(0.6)) {
      const Vector3d e = rng_.direction();
      p.T = turned(e, rng_.uniform(-pi, pi));
    }
    return p;
  }

  /// Start of a coordinate and its rate, as keys of a joint.
  std::string start(const char* q, double value, const char* v, double rate) const {
    const char* fixed = closed_ ? "" : ", fixed: true";
    return fmt::format("{}: {{start: {}{}}}, {}: {{start: {}{}}}", q, number(value), fixed, v,
                       number(rate), fixed);
  }
  double angle() { return rng_.uniform(-1.5, 1.5); }
  double distance() { return rng_.uniform(-0.4, 0.4); }
  double rate() { return rng_.uniform(-2, 2); }

  /// A joint between two frames that are known, with its motion at the start.
  struct Joint {
    std::string name;
    Pose pose;  ///< of frame_b in frame_a
    int freedoms = 0;
  };

  Joint joint(const std::string& type) {
    Joint j;
    j.name = text_.newName(type == "FreeMotion" ? "free" : "joint");
    const Vector3d n = rng_.direction();
    ClosureCheck check;
    check.frame_a = j.name + ".frame_a";
    check.frame_b = j.name + ".frame_b";
    check.n = n;
    std::string keys;
    if (type == "Revolute") {
      const double phi = angle(), w = rate();
      j = {j.name, {Vector3d::Zero(), turned(n, phi)}, 1};
      keys = fmt::format("n: {}, {}", list(n), start("phi", phi, "w", w));
      check.closure = Closure::Revolute;
      keys += drivable(j.name, true, phi);
    } else if (type == "Prismatic") {
      const double s = distance(), v = rate();
      j = {j.name, {n * s, Matrix3d::Identity()}, 1};
      keys = fmt::format("n: {}, {}", list(n), start("s", s, "v", v));
      check.closure = Closure::Prismatic;
      keys += drivable(j.name, false, s);
    } else if (type == "Cylindrical") {
      const double s = distance(), v = rate();
      const double phi = angle(), w = rate();
      j = {j.name, {n * s, turned(n, phi)}, 2};
      keys =
          fmt::format("n: {}, {}, {}", list(n), start("s", s, "v", v), start("phi", phi, "w", w));
      check.closure = Closure::Cylindrical;
    } else if (type == "Universal") {
      const Vector3d n_b = rng_.directionAcross(n);
      const double a = angle(), wa = rate();
      const double b = angle(), wb = rate();
      j = {j.name, {Vector3d::Zero(), turned(n_b, b) * turned(n, a)}, 2};
      keys = fmt::format("n_a: {}, n_b: {}, {}, {}", list(n), list(n_b),
                         start("phi_a", a, "w_a", wa), start("phi_b", b, "w_b", wb));
      check.closure = Closure::Universal;
      check.n_b = n_b;
    } else if (type == "Planar") {
      const Vector3d n_x = rng_.directionAcross(n);
      const Vector3d e_y = n.cross(n_x).normalized(), e_x = e_y.cross(n);
      const double x = distance(), vx = rate();
      const double y = distance(), vy = rate();
      const double phi = angle(), w = rate();
      j = {j.name, {e_x * x + e_y * y, turned(n, phi)}, 3};
      keys =
          fmt::format("n: {}, n_x: {}, {}, {}, {}", list(n), list(n_x), start("s_x", x, "v_x", vx),
                      start("s_y", y, "v_y", vy), start("phi", phi, "w", w));
      check.closure = Closure::Planar;
    } else {
      const bool free = type == "FreeMotion";
      const Vector3d angles{angle(), 0.7 * angle(), angle()}, w{rate(), rate(), rate()};
      Vector3d r = Vector3d::Zero(), v = Vector3d::Zero();
      if (free) {
        r = rng_.vector(0.2, 0.8);
        v = rng_.vector(0, 2);
      }
      j = {j.name,
           {r, frames::TransformationMatrices::axesRotations({1, 2, 3}, angles)},
           free ? 6 : 3};
      const char* fixed = closed_ ? "false" : "true";
      keys = fmt::format(
          "angles_start: {}, angles_fixed: {}, w_rel_a_start: {}, w_rel_a_fixed: {}, "
          "orientationStates: {}",
          list(angles), fixed, list(w), fixed,
          rng_.pick({"automatic", "automatic", "angles", "transformationMatrix", "quaternions"}));
      if (free)
        keys +=
            fmt::format(", r_rel_a: {{start: {}, fixed: {}}}, v_rel_a: {{start: {}, fixed: {}}}",
                        list(r), fixed, list(v), fixed);
      check.closure = Closure::Spherical;
    }
    text_.component(j.name, type, keys);
    if (type != "FreeMotion") m_.closures.push_back(check);
    return j;
  }

  /// Keys of a joint whose axis something will be fixed to.
  std::string drivable(const std::string& name, bool rotational, double start) {
    axes_.push_back({name, rotational, start, false});
    return ", useAxisFlange: true";
  }

  void body(const std::string& frame, const std::string& name, const std::string& starts = "") {
    const double m = rng_.logUniform(0.2, 5), size = rng_.uniform(0.1, 0.4);
    // Principal moments of a body satisfy the triangle inequality: sums of second moments.
    const Vector3d second{rng_.uniform(0.1, 1), rng_.uniform(0.1, 1), rng_.uniform(0.1, 1)};
    const Vector3d principal =
        m * size * size *
        Vector3d(second[1] + second[2], second[2] + second[0], second[0] + second[1]);
    const Vector3d e = rng_.direction();
    const Matrix3d T = turned(e, rng_.uniform(-pi, pi));
    const Matrix3d I = T.transpose() * principal.asDiagonal() * T;
    const Vector3d r_CM = rng_.vector(0, 0.4);
    text_.component(
        name, "Body",
        fmt::format("m: {}, r_CM: {}, I_11: {}, I_22: {}, I_33: {}, I_21: {}, "
                    "I_31: {}, I_32: {}{}",
                    number(m), list(r_CM), number(I(0, 0)), number(I(1, 1)), number(I(2, 2)),
                    number(I(1, 0)), number(I(2, 0)), number(I(2, 1)), starts));
    if (!frame.empty()) text_.connect(frame, name + ".frame_a");
    m_.bodies.push_back(name);
  }

  /// One more body on a joint.
  void grow() {
    const std::string name = text_.newName("body");
    if (!closed_ && rng_.chance(0.08)) {  // a body of its own
      Pose p;
      p.r = rng_.vector(0.5, 1.5);
      const Vector3d v = rng_.vector(0, 2), angles{angle(), 0.7 * angle(), angle()};
      const Vector3d w{rate(), rate(), rate()};
      p.T = frames::TransformationMatrices::axesRotations({1, 2, 3}, angles);
      body("", name,
           fmt::format(", r_0: {{start: {}, fixed: true}}, v_0: {{start: {}, fixed: true}}, "
                       "angles_fixed: true, angles_start: {}, w_0_fixed: true, w_0_start: {}",
                       list(p.r), list(v), list(angles), list(w)));
      places_.push_back({name + ".frame_a", p, -1, 6, name});
      return;
    }
    static const std::vector<std::string> types{"Revolute",  "Revolute",    "Revolute",
                                                "Prismatic", "Cylindrical", "Universal",
                                                "Planar",    "Spherical",   "FreeMotion"};
    const int parent = rng_.chance(0.6) ? static_cast<int>(places_.size()) - 1
                                        : rng_.integer(0, static_cast<int>(places_.size()) - 1);
    const Place from = places_[static_cast<size_t>(parent)];
    std::string frame = from.frame;
    Pose pose = from.pose;
    if (parent > 0 || rng_.chance(0.5)) {
      const Pose p = randomOffset();
      frame = offset(frame, p);
      pose = pose.then(p);
    }
    const Joint j = joint(rng_.pick(types));
    const bool backward = rng_.chance(0.4);
    text_.connect(frame, j.name + (backward ? ".frame_b" : ".frame_a"));
    pose = pose.then(backward ? j.pose.inverse() : j.pose);
    const std::string end = j.name + (backward ? ".frame_a" : ".frame_b");
    if (rng_.chance(0.4)) {
      const Pose p = randomOffset();
      body(offset(end, p), name);
    } else {
      body(end, name);
    }
    places_.push_back({end, pose, parent, j.freedoms, name});
  }

  // --- loops --------------------------------------------------------------------------------

  /// Links in one plane, turned anyhow, closed by the last revolute: three rows of it are
  /// redundant.
  void planarLoop() {
    const Pose base = randomOffset();
    const std::string ground = offset("world.frame_b", base);
    const Vector3d n = rng_.direction();
    const Vector3d e1 = rng_.directionAcross(n).cross(n).normalized(), e2 = n.cross(e1);
    const int links = rng_.integer(3, 4);
    const bool slider = rng_.chance(0.3);
    // Corners of a polygon around the first joint, none of the links too short.
    std::string frame = ground;
    Pose pose;  // relative to `ground`
    int parent = 0;
    for (int i = 0; i < links; ++i) {
      const std::string name = text_.newName("joint");
      ClosureCheck check{Closure::Revolute, name + ".frame_a", name + ".frame_b", n, {0, 1, 0}, 0};
      std::string keys;
      if (slider && i == links - 1) {
        const double direction = rng_.uniform(-pi, pi);
        const Vector3d e = std::cos(direction) * e1 + std::sin(direction) * e2;
        const double s = distance(), v = rate();
        check.closure = Closure::Prismatic;
        check.n = e;
        keys = fmt::format("n: {}, {}", list(e), start("s", s, "v", v));
        pose = pose.then({e * s, Matrix3d::Identity()});
        keys += drivable(name, false, s);
      } else {
        const double phi = rng_.sign() * rng_.uniform(0.4, 1.4), w = rate();
        keys = fmt::format("n: {}, {}", list(n), start("phi", phi, "w", w));
        pose = pose.then({Vector3d::Zero(), turned(n, phi)});
        keys += drivable(name, true, phi);
      }
      axes_.back().inLoop = true;
      text_.component(name, keys.find("phi") == std::string::npos ? "Prismatic" : "Revolute", keys);
      text_.connect(frame, name + ".frame_a");
      m_.closures.push_back(check);
      frame = name + ".frame_b";
      const std::string bodyName = text_.newName("body");
      body(frame, bodyName);
      places_.push_back({frame, base.then(pose), parent, 1, bodyName});
      parent = static_cast<int>(places_.size()) - 1;
      const double direction = rng_.uniform(-pi, pi), length = rng_.uniform(0.3, 0.9);
      const double along = rng_.uniform(-0.2, 0.2);
      const Pose link{length * (std::cos(direction) * e1 + std::sin(direction) * e2) + along * n,
                      Matrix3d::Identity()};
      frame = offset(frame, link);
      pose = pose.then(link);
    }
    const Pose foot{pose.r, Matrix3d::Identity()};
    const std::string name = text_.newName("joint");
    text_.component(name, "Revolute", fmt::format("n: {}", list(n)));
    text_.connect(frame, name + ".frame_b");
    text_.connect(offset(ground, foot), name + ".frame_a");
    m_.closures.push_back(
        {Closure::Revolute, name + ".frame_a", name + ".frame_b", n, {0, 1, 0}, 0});
  }

  /// Freedoms on the way between two places.
  int freedomsBetween(int a, int b) const {
    std::vector<int> up;
    for (int i = a; i >= 0; i = places_[static_cast<size_t>(i)].parent) up.push_back(i);
    int sum = 0;
    for (int i = b; i >= 0; i = places_[static_cast<size_t>(i)].parent) {
      const auto common = std::find(up.begin(), up.end(), i);
      if (common != up.end()) {
        for (auto k = up.begin(); k != common; ++k)
          sum += places_[static_cast<size_t>(*k)].freedoms;
        return sum;
      }
      sum += places_[static_cast<size_t>(i)].freedoms;
    }
    return sum;
  }

  /// Joints and assemblies between places of the tree, where freedoms are left.
  void closeLoops() {
    static const std::vector<std::pair<std::string, int>> kinds{{"Revolute", 5},
                                                                {"Prismatic", 5},
                                                                {"Cylindrical", 4},
                                                                {"Universal", 4},
                                                                {"Planar", 3},
                                                                {"Spherical", 3},
                                                                {"Spherical", 3},
                                                                {"SphericalSpherical", 1},
                                                                {"SphericalSpherical", 1},
                                                                {"UniversalSpherical", 1},
                                                                {"JointUPS", 0},
                                                                {"JointUSR", 0},
                                                                {"JointSSR", 0},
                                                                {"JointUSP", 0},
                                                                {"JointSSP", 0}};
    const int loops = rng_.chance(0.25) ? 2 : 1;
    int taken = 0;
    for (int k = 0, tries = 0; k < loops && tries < 20; ++tries) {
      const int last = static_cast<int>(places_.size()) - 1;
      const int a = rng_.chance(0.5) ? 0 : rng_.integer(0, last), b = rng_.integer(0, last);
      const auto& [type, rows] = rng_.pick(kinds);
      if (a == b || freedomsBetween(a, b) <= rows + taken) continue;
      const bool backward = rng_.chance(0.5);
      closeWith(type, places_[static_cast<size_t>(backward ? b : a)],
                places_[static_cast<size_t>(backward ? a : b)]);
      taken += rows;
      ++k;
    }
    for (Axis& axis : axes_) axis.inLoop = axis.inLoop || taken > 0;
  }

  void closeWith(const std::string& type, const Place& from, const Place& to) {
    const Pose arm_a = randomOffset();
    const std::string frame_a = offset(from.frame, arm_a);
    const Pose a = from.pose.then(arm_a);
    if (!type.starts_with("Joint") && !type.starts_with("SphericalS") &&
        !type.starts_with("UniversalS")) {
      const size_t axes = axes_.size();
      const Joint j = joint(type);
      if (axes_.size() > axes) axes_.back().inLoop = true;
      text_.connect(frame_a, j.name + ".frame_a");
      text_.connect(offset(to.frame, to.pose.to(a.then(j.pose))), j.name + ".frame_b");
      return;
    }
    const Pose arm_b = randomOffset();
    const std::string frame_b = offset(to.frame, arm_b);
    const Pose b = to.pose.then(arm_b);
    rodTo(type, frame_a, a, frame_b, b);
  }

  void rodTo(const std::string& type, const std::string& frame_a, const Pose& a,
             const std::string& frame_b, const Pose& b) {
    const std::string name = text_.newName("rod");
    text_.connect(frame_a, name + ".frame_a");
    text_.connect(frame_b, name + ".frame_b");
    const Vector3d eRod_ia = rng_.direction();
    const Vector3d n1_a = rng_.directionAcross(a.to(b).r.normalized());
    // The last joint of an assembly and the end of its second rod.
    const Vector3d n_b = rng_.direction(), rRod2_ib = rng_.vector(0.2, 0.5);
    const bool revolute = type.ends_with("R"), prismatic = type == "JointUSP" || type == "JointSSP";
    const double q = prismatic ? distance() : angle();
    Vector3d end = b.r;
    if (revolute)
      end = b.then({Vector3d::Zero(), turned(n_b, q)}).then({rRod2_ib, Matrix3d::Identity()}).r;
    if (prismatic) end = b.then({n_b * q + rRod2_ib, Matrix3d::Identity()}).r;
    const double length = (end - a.r).norm();
    const double mass = rng_.chance(0.4) ? rng_.uniform(0.1, 1) : 0;
    const std::string last =
        fmt::format("n_b: {}, rRod2_ib: {}, {}_guess: {}", list(n_b), list(rRod2_ib),
                    revolute ? "phi" : "s", number(revolute ? q * 180 / pi : q));
    if (type == "SphericalSpherical") {
      text_.component(name, type,
                      fmt::format("rodLength: {}, m: {}", number(length), number(mass)));
    } else if (type == "UniversalSpherical") {
      text_.component(name, type,
                      fmt::format("n1_a: {}, rRod_ia: {}", list(across(n1_a, eRod_ia)),
                                  list(Vector3d(eRod_ia * length))));
    } else if (type == "JointUPS") {
      const double c = rng_.uniform(10, 200), d = rng_.uniform(0, 3), s0 = length + distance() / 4;
      text_.component(name, type,
                      fmt::format("n1_a: {}, nAxis_ia: {}, s: {{start: {}}}",
                                  list(across(n1_a, eRod_ia)), list(eRod_ia), number(length)));
      const std::string spring = text_.newName("strut");
      text_.component(spring, "Translational.SpringDamper",
                      fmt::format("c: {}, d: {}, s_rel0: {}", number(c), number(d), number(s0)));
      text_.connect(name + ".bearing", spring + ".flange_a");
      text_.connect(spring + ".flange_b", name + ".axis");
      losses_.push_back(spring + ".lossPower");
      return;
    } else if (type == "JointSSR" || type == "JointSSP") {
      text_.component(
          name, type,
          fmt::format("rod1Length: {}, rod1Mass: {}, {}", number(length), number(mass), last));
    } else {
      text_.component(name, type,
                      fmt::format("n1_a: {}, rRod1_ia: {}, {}", list(across(n1_a, eRod_ia)),
                                  list(Vector3d(eRod_ia * length)), last));
    }
    if (revolute || prismatic) body(name + ".frame_ib", text_.newName("body"));
    m_.closures.push_back({Closure::Rod,
                           name + ".frame_a",
                           revolute || prismatic ? name + ".frame_im" : name + ".frame_b",
                           {0, 0, 1},
                           {0, 1, 0},
                           length});
  }

  /// n, unless it is too near to e: axis 1 of a universal joint and the rod must span a plane.
  static Vector3d across(const Vector3d& n, const Vector3d& e) {
    if (std::abs(n.dot(e)) < 0.9) return n;
    const Vector3d other = std::abs(e[0]) < 0.7 ? Vector3d(1, 0, 0) : Vector3d(0, 1, 0);
    return e.cross(other).normalized();
  }

  // --- signals ------------------------------------------------------------------------------

  const std::string& anyBody() { return rng_.pick(m_.bodies); }

  /// A quantity that moves, and about where it starts.
  std::pair<std::string, double> quantity() {
    if (!axes_.empty() && rng_.chance(0.5)) {
      const Axis& axis = rng_.pick(axes_);
      return {axis.joint + (axis.rotational ? ".phi" : ".s"), axis.start};
    }
    std::vector<const Place*> bodies;
    for (const Place& p : places_) {
      if (!p.body.empty()) bodies.push_back(&p);
    }
    const Place* p = rng_.pick(bodies);
    const int k = rng_.integer(0, 2);
    return {fmt::format("{}.r_0[{}]", p->body, k + 1), p->pose.r[k]};
  }

  /// An expression of about the size 1, of time or of the motion, smooth or with events.
  std::string signal() {
    const int kind = rng_.integer(0, 13);
    const double a = rng_.uniform(-1, 1), b = rng_.uniform(-1, 1);
    const double t1 = rng_.uniform(0.05, 0.95) * m_.stop, t2 = rng_.uniform(0.02, 0.3) * m_.stop;
    const double omega = rng_.logUniform(1, 30), phase = rng_.uniform(-pi, pi);
    switch (kind) {
      case 0:
        return number(a);
      case 1:
      case 2:
        return fmt::format("sin({}*time + {})", number(omega), number(phase));
      case 3:  // a hump that a long step would pass over
        return fmt::format("2*exp(-((time - {})/{})^2)", number(t1), number(t2 / 10));
      case 4:
        return switched("time", t1, a, b);
      case 5:
      case 6: {
        const auto [name, start] = quantity();
        const double threshold = start + rng_.uniform(-0.3, 0.3);
        return switched(name, threshold, a, b);
      }
      case 7: {
        const std::string name = text_.newName("pulse");
        const double width = rng_.uniform(2, 90);
        text_.component(
            name, "Blocks.Pulse",
            fmt::format("amplitude: {}, width: {}, period: {}, offset: {}, startTime: {}",
                        number(a), number(width), number(t2), number(b), number(t1 / 2)));
        return name + ".y";
      }
      case 8: {
        const std::string pulse = text_.newName("gate"), name = text_.newName("switch");
        const double width = rng_.uniform(2, 90);
        text_.component(pulse, "Blocks.BooleanPulse",
                        fmt::format("width: {}, period: {}, startTime: {}", number(width),
                                    number(t2), number(t1 / 2)));
        text_.component(name, "Blocks.Switch",
                        fmt::format("u1: {}, u2: {}.y, u3: {}", number(a), pulse, number(b)));
        return name + ".y";
      }
      case 9:
      case 10:
        return table(kind == 9) + ".y[1]";
      case 11: {
        const std::string name = text_.newName("hysteresis");
        const auto [u, start] = quantity();
        const double low = start + rng_.uniform(-0.3, 0.1), high = low + rng_.uniform(0.02, 0.3);
        text_.component(
            name, "Blocks.Hysteresis",
            fmt::format("uLow: {}, uHigh: {}, u: \"{}\"", number(low), number(high), u));
        m_.hystereses.push_back({name + ".y", u, low, high});
        return fmt::format("(if {}.y then {} else {})", name, number(a), number(b));
      }
      case 12: {
        const auto [u, start] = quantity();
        const double limit = rng_.uniform(0.05, 0.4);
        const std::string name = text_.newName("limiter");
        text_.component(name, "Blocks.Limiter",
                        fmt::format("uMax: {}, uMin: {}, u: \"3*({} - {})\"", number(limit),
                                    number(-limit), u, number(start)));
        return name + ".y";
      }
      default: {
        const auto [u, start] = quantity();
        // Bounded: a force that grows with what it moves runs away to where numbers end.
        const char* kink = rng_.pick(
            {"min(abs({} - {}), 2)", "min(max({} - {}, 0), 2)", "max(min({} - {}, 0.1), -2)"});
        return fmt::format(fmt::runtime(kink), u, number(start));
      }
    }
  }

  /// A model variable with two values, and the check of it.
  std::string switched(const std::string& quantity, double threshold, double above, double below) {
    const std::string name = text_.newName("switched");
    text_.variable(name, fmt::format("if {} > {} then {} else {}", quantity, number(threshold),
                                     number(above), number(below)));
    m_.switches.push_back({name, quantity, threshold, above, below});
    return name;
  }

  std::string table(bool smooth) {
    const std::string name = text_.newName("table");
    std::string rows;
    double t = rng_.uniform(-0.2, 0.3) * m_.stop;
    const int points = rng_.integer(smooth ? 5 : 3, 8);
    for (int i = 0; i < points; ++i) {
      const double y = rng_.uniform(-1, 1);
      rows += fmt::format("{}[{}, {}]", i == 0 ? "" : ", ", number(t), number(y));
      t += rng_.uniform(0.02, 0.3) * m_.stop;
    }
    text_.component(name, "Blocks.CombiTimeTable",
                    fmt::format("table: [{}], smoothness: {}, extrapolation: HoldLastPoint", rows,
                                smooth ? "ContinuousDerivative" : "LinearSegments"));
    return name;
  }

  // --- on the axes of joints ----------------------------------------------------------------

  void actOn(const Axis& axis) {
    const std::string j = axis.joint, domain = axis.rotational ? "Rotational." : "Translational.";
    const std::string flow = axis.rotational ? "tau" : "f", speed = axis.rotational ? "w" : "v";
    const std::string position = axis.rotational ? "phi" : "s";
    const std::string name = text_.newName("on_" + j + "_");
    auto add = [&](const std::string& type, const std::string& keys) {
      text_.component(name, domain + type, keys);
    };
    auto between = [&] {  // from the joint's support to its axis, in either sense
      const bool backward = rng_.chance(0.3);
      text_.connect(j + ".support", name + (backward ? ".flange_b" : ".flange_a"));
      text_.connect(j + ".axis", name + (backward ? ".flange_a" : ".flange_b"));
      return backward ? -1.0 : 1.0;
    };
    const double c = rng_.logUniform(5, 500), d = rng_.uniform(0.05, 2);
    const double force = rng_.logUniform(0.3, 10);
    switch (rng_.integer(0, 11)) {
      case 0:
      case 1: {
        const double stretch = rng_.uniform(-0.5, 0.5), sense = between();
        add("SpringDamper", fmt::format("c: {}, d: {}, {}_rel0: {}", number(c), number(d), position,
                                        number(sense * (axis.start + stretch))));
        losses_.push_back(name + ".lossPower");
        break;
      }
      case 2:
        between();
        add("Damper", fmt::format("d: {}", number(d)));
        losses_.push_back(name + ".lossPower");
        break;
      case 3:
      case 4: {
        const double peak = rng_.chance(0.5) ? 1 : rng_.uniform(1, 1.5);
        add(axis.rotational ? "BearingFriction" : "SupportFriction",
            fmt::format("{}_pos: [[0, {}], [1, {}]], peak: {}", flow, number(force),
                        number(force * 1.2), number(peak)));
        text_.connect(name + ".flange_a", j + ".axis");
        m_.frictions.push_back({name, axis.rotational});
        losses_.push_back(name + ".lossPower");
        break;
      }
      case 5: {
        const std::string pressed = signal();
        add("Brake", fmt::format("mu_pos: [[0, 0.5], [1, 0.4], [2, 0.4]], fn_max: {}, peak: 1.2, "
                                 "f_normalized: \"{}\"",
                                 number(force * 4), pressed));
        text_.connect(name + ".flange_a", j + ".axis");
        m_.frictions.push_back({name, axis.rotational});
        losses_.push_back(name + ".lossPower");
        break;
      }
      case 6: {
        const std::string s = signal();
        add(axis.rotational ? "Torque" : "Force",
            fmt::format("{}: \"{}*{}\"", flow, number(force), s));
        text_.connect(name + ".flange", j + ".axis");
        losses_.push_back(fmt::format("(-{}.{}*{}.{})", name, flow, j, speed));
        break;
      }
      case 7:
        drive(axis, name);
        break;
      case 8:
        if (axis.rotational) {
          clutch(j, name, force);
        } else {
          gap(axis, name);
        }
        break;
      case 9:
        if (axis.rotational) {
          const double play = rng_.uniform(0.05, 0.5), sense = between();
          add("ElastoBacklash", fmt::format("c: {}, d: {}, b: {}, phi_rel0: {}", number(10 * c),
                                            number(d), number(play), number(sense * axis.start)));
          // What its spring does not keep: where spring and damper would pull, that is lost, too.
          const std::string phi =
              fmt::format("({}.phi_rel - {})", name, number(sense * axis.start));
          losses_.push_back(
              fmt::format("({0}.tau - {1}*({2} - max(-{3}, min({3}, {2}))))*{0}.w_rel", name,
                          number(10 * c), phi, number(0.5 * play)));
        } else {
          gap(axis, name);
        }
        break;
      case 10:
        gearedRotor(axis, name);
        break;
      default: {
        const double sense = between();
        add("Spring",
            fmt::format("c: {}, {}_rel0: {}", number(c), position, number(sense * axis.start)));
      }
    }
  }

  /// A stop that the axis meets; only the spring inside pushes.
  void gap(const Axis& axis, const std::string& name) {
    const double c = rng_.logUniform(100, 1e5), d = rng_.chance(0.5) ? 0 : rng_.uniform(0, 20);
    const double play = rng_.uniform(0.02, 0.3);
    const bool backward = rng_.chance(0.5);
    const double s_rel0 = (backward ? -axis.start : axis.start) - play;
    text_.component(name, "Translational.ElastoGap",
                    fmt::format("c: {}, d: {}, s_rel0: {}", number(c), number(d), number(s_rel0)));
    text_.connect(axis.joint + ".support", name + (backward ? ".flange_b" : ".flange_a"));
    text_.connect(axis.joint + ".axis", name + (backward ? ".flange_a" : ".flange_b"));
    m_.gaps.push_back({name, s_rel0, c});
    losses_.push_back(name + ".lossPower");
  }

  /// A motor with an inertia of its own behind a clutch.
  void clutch(const std::string& j, const std::string& name, double torque) {
    const std::string rotor = name + "_rotor", motor = name + "_motor";
    const double J = rng_.logUniform(0.01, 1), w = rng_.uniform(-5, 5);
    const std::string pressed = signal(), driven = signal();
    text_.component(name, "Rotational.Clutch",
                    fmt::format("mu_pos: [[0, 0.5], [1, 0.4], [2, 0.4]], fn_max: {}, peak: 1.1, "
                                "f_normalized: \"{}\"",
                                number(4 * torque), pressed));
    text_.component(rotor, "Rotational.Inertia",
                    fmt::format("J: {}, phi: {{fixed: true}}, w: {{start: {}, fixed: true}}",
                                number(J), number(w)));
    text_.component(motor, "Rotational.Torque",
                    fmt::format("tau: \"{}*{}\"", number(torque), driven));
    text_.connect(motor + ".flange", rotor + ".flange_a");
    text_.connect(rotor + ".flange_b", name + ".flange_a");
    text_.connect(name + ".flange_b", j + ".axis");
    m_.frictions.push_back({name, true});
    m_.axes.push_back(rotor + ".w");
    losses_.push_back(name + ".lossPower");
    losses_.push_back(fmt::format("(-{}.tau*{}.w)", motor, rotor));
  }

  /// An inertia that turns faster than the joint, directly or through a spring.
  void gearedRotor(const Axis& axis, const std::string& name) {
    const std::string mass = name + "_mass",
                      domain = axis.rotational ? "Rotational." : "Translational.";
    const double inertia = rng_.logUniform(0.005, 0.5), c = rng_.logUniform(20, 2000);
    const double ratio = rng_.sign() * rng_.uniform(1.5, 4);
    if (axis.rotational && rng_.chance(0.6)) {
      text_.component(mass, "Rotational.Inertia", fmt::format("J: {}", number(inertia)));
      text_.component(name, "Rotational.IdealGear", fmt::format("ratio: {}", number(ratio)));
    } else {
      const char* keys = axis.rotational
                             ? "J: {}, phi: {{start: {}, fixed: true}}, w: {{fixed: true}}"
                             : "m: {}, s: {{start: {}, fixed: true}}, v: {{fixed: true}}";
      text_.component(mass, domain + (axis.rotational ? "Inertia" : "Mass"),
                      fmt::format(fmt::runtime(keys), number(inertia), number(axis.start)));
      text_.component(name, domain + "Spring", fmt::format("c: {}", number(c)));
    }
    text_.connect(mass + ".flange_b", name + ".flange_a");
    text_.connect(name + ".flange_b", axis.joint + ".axis");
  }

  /// A prescribed motion that begins where the joint is.
  void drive(const Axis& axis, const std::string& name) {
    const std::string domain = axis.rotational ? "Rotational." : "Translational.";
    const std::string q = axis.rotational ? "phi" : "s", v = axis.rotational ? "w" : "v";
    const std::string flow = axis.rotational ? "tau" : "f";
    if (axis.inLoop || !closed_) {
      // Fixed start values, or a loop with too few freedoms, would contradict a prescribed motion:
      // there the drive is a stiff spring between the joint and the motion.
      const std::string spring = name + "_spring";
      const double c = rng_.logUniform(50, 2000), d = rng_.uniform(0.1, 3);
      text_.component(spring, domain + "SpringDamper",
                      fmt::format("c: {}, d: {}", number(c), number(d)));
      text_.connect(name + ".flange", spring + ".flange_a");
      text_.connect(spring + ".flange_b", axis.joint + ".axis");
      losses_.push_back(spring + ".lossPower");
    } else {
      text_.connect(name + ".flange", axis.joint + ".axis");
    }
    const double A = rng_.uniform(0.1, 0.8), omega = rng_.uniform(0.5, 8);
    const double p = rng_.uniform(-pi, pi), q0 = axis.start - A * std::sin(p);
    const std::string argument = fmt::format("({}*time + {})", number(omega), number(p));
    const std::string position = fmt::format("{} + {}*sin{}", number(q0), number(A), argument);
    const std::string velocity = fmt::format("{}*cos{}", number(A * omega), argument);
    losses_.push_back(fmt::format("{}.flange.{}*{}", name, flow, velocity));
    const std::string acceleration = fmt::format("-{}*sin{}", number(A * omega * omega), argument);
    switch (rng_.integer(0, 2)) {
      case 0:
        text_.component(name, domain + "Position",
                        fmt::format("exact: true, {}_ref: \"{}\"", q, position));
        break;
      case 1:
        text_.component(name, domain + "Speed",
                        fmt::format("exact: true, {}: {{start: {}, fixed: true}}, {}_ref: \"{}\"",
                                    q, number(axis.start), v, velocity));
        break;
      default:
        text_.component(
            name, domain + "Move",
            fmt::format("u: [\"{}\", \"{}\", \"{}\"]", position, velocity, acceleration));
    }
  }

  // --- on frames ----------------------------------------------------------------------------

  std::string angularVelocity(const std::string& body) {
    const std::string sensor = body + "_w";
    if (std::find(sensors_.begin(), sensors_.end(), sensor) == sensors_.end()) {
      sensors_.push_back(sensor);
      text_.component(sensor, "AbsoluteAngularVelocity", "resolveInFrame: world");
      text_.connect(body + ".frame_a", sensor + ".frame_a");
    }
    return sensor + ".w";
  }

  void load() {
    const int kind = rng_.integer(0, 9);
    if (kind < 2) {
      worldLoad(kind == 0);
    } else if (kind == 2 && m_.bodies.size() > 1) {
      pairOfTorques();
    } else {
      lineForce();
    }
  }

  void worldLoad(bool force) {
    const std::string body = anyBody(), name = text_.newName(force ? "push" : "twist");
    const double size = rng_.logUniform(0.3, 10);
    std::array<std::string, 3> s;
    for (std::string& x : s)
      x = rng_.chance(0.6) ? fmt::format("{}*{}", number(size), signal()) : "0";
    const char* key = force ? "force" : "torque";
    text_.component(name, force ? "WorldForce" : "WorldTorque",
                    fmt::format("{}: [\"{}\", \"{}\", \"{}\"]", key, s[0], s[1], s[2]));
    text_.connect(name + ".frame_b", body + ".frame_a");
    const std::string v = force ? body + ".v_0" : angularVelocity(body);
    losses_.push_back(
        fmt::format("(-{0}.{1}[1]*{2}[1] - {0}.{1}[2]*{2}[2] - {0}.{1}[3]*{2}[3])", name, key, v));
  }

  void pairOfTorques() {
    const std::string a = anyBody(), b = anyBody(), name = text_.newName("pair");
    if (a == b) return;
    const double size = rng_.logUniform(0.3, 5);
    const std::string s = signal();
    text_.component(name, "Torque",
                    fmt::format("resolveInFrame: world, torque: [\"{}*{}\", {}, 0]", number(size),
                                s, number(size / 2)));
    text_.connect(name + ".frame_a", a + ".frame_a");
    text_.connect(name + ".frame_b", b + ".frame_a");
    const std::string wa = angularVelocity(a), wb = angularVelocity(b);
    losses_.push_back(
        fmt::format("(-{0}.torque[1]*({2}[1] - {1}[1]) - {0}.torque[2]*({2}[2] - "
                    "{1}[2]))",
                    name, wa, wb));
  }

  void lineForce() {
    const int last = static_cast<int>(places_.size()) - 1;
    const int a = rng_.integer(0, last), b = rng_.integer(0, last);
    if (a == b) return;
    const std::string name = text_.newName("line");
    const Place& from = places_[static_cast<size_t>(a)];
    const Place& to = places_[static_cast<size_t>(b)];
    // Between points off the bodies' frames: lines through a joint would have no direction there.
    const Pose arm_a = randomOffset(), arm_b = randomOffset();
    text_.connect(offset(from.frame, arm_a), name + ".frame_a");
    text_.connect(offset(to.frame, arm_b), name + ".frame_b");
    const double s0 = (to.pose.then(arm_b).r - from.pose.then(arm_a).r).norm();
    const double c = rng_.logUniform(5, 300), d = rng_.uniform(0.1, 3);
    const double free = s0 * rng_.uniform(0.6, 1.2), m = rng_.uniform(0.05, 0.5);
    const double fraction = rng_.uniform(0.1, 0.9);
    const bool loaded = rng_.chance(0.5);
    switch (rng_.integer(0, 5)) {
      case 0:
        text_.component(
            name, "Spring",
            fmt::format("c: {}, s_unstretched: {}, m: {}, lengthFraction: {}", number(c),
                        number(free), number(loaded ? m : 0), number(fraction)));
        break;
      case 1:
        text_.component(name, "Damper", fmt::format("d: {}", number(d)));
        losses_.push_back(name + ".lossPower");
        break;
      case 2:
        text_.component(
            name, "SpringDamperParallel",
            fmt::format("c: {}, d: {}, s_unstretched: {}", number(c), number(d), number(free)));
        losses_.push_back(name + ".lossPower");
        break;
      case 3:
        text_.component(
            name, "SpringDamperSeries",
            fmt::format("c: {}, d: {}, s_unstretched: {}", number(c), number(d), number(free)));
        losses_.push_back(name + ".lossPower");
        break;
      default: {
        const bool two = rng_.chance(0.5);
        if (two) {
          text_.component(
              name, "LineForceWithTwoMasses",
              fmt::format("m_a: {}, m_b: {}, L_a: {}, L_b: {}", number(m), number(m / 2),
                          number(fraction * 0.3), number(fraction * 0.2)));
        } else {
          text_.component(name, "LineForceWithMass",
                          fmt::format("m: {}, lengthFraction: {}", number(m), number(fraction)));
        }
        const std::string link = name + "_link";
        text_.component(
            link, "Translational.SpringDamper",
            fmt::format("c: {}, d: {}, s_rel0: {}", number(c), number(d), number(free)));
        text_.connect(name + ".flange_a", link + ".flange_a");
        text_.connect(link + ".flange_b", name + ".flange_b");
        losses_.push_back(link + ".lossPower");
      }
    }
  }

  // --- contacts -----------------------------------------------------------------------------

  /// Grounds near to bodies, and pairs of balls. Of numbers of their own, so that what a seed gave
  /// without contacts it gives with them.
  void contacts() {
    const RandomNumbers kept =
        std::exchange(rng_, RandomNumbers(m_.seed * 0xd1342543de82ef95ULL + 7));
    if (rng_.chance(0.35)) {
      const int count = rng_.integer(1, 3);
      for (int i = 0; i < count; ++i) contact();
    }
    rng_ = kept;
  }

  void contact() {
    const Place& on =
        places_[static_cast<size_t>(rng_.integer(1, static_cast<int>(places_.size()) - 1))];
    const std::string name = text_.newName("contact");
    const double radius = rng_.logUniform(0.02, 0.2), gap = rng_.logUniform(0.01, 0.3);
    const Vector3d n = rng_.direction();
    const bool bounces = rng_.chance(0.6), rough = rng_.chance(0.4);
    std::string law = fmt::format("k: {}", number(rng_.logUniform(1e4, 1e7)));
    if (bounces) law += fmt::format(", restitution: {}", number(rng_.uniform(0.3, 0.95)));
    if (rough) law += fmt::format(", mu: {}, v_creep: 0.01", number(rng_.uniform(0.1, 0.8)));
    if (rng_.chance(0.3)) {
      law += fmt::format(", radius: {}, tubeRadius: {}, flat: 0.1", number(radius),
                         number(radius * rng_.uniform(0.1, 0.6)));
      text_.component(name, "Contact.TorusPlane", fmt::format("{}, n: {}", law, list(n)));
    } else {
      law += fmt::format(", radius: {}", number(radius));
      text_.component(name, "Contact.SpherePlane", fmt::format("{}, n: {}", law, list(n)));
    }
    Pose ground;
    ground.r = on.pose.r - n * (radius + gap);
    text_.connect(offset("world.frame_b", ground), name + ".frame_a");
    text_.connect(on.frame, name + ".frame_b");
    losses_.push_back(name + ".lossPower");
    text_.output(name + ".depth");
  }

  // --- results ------------------------------------------------------------------------------

  void outputs() {
    std::string sum;
    for (const std::string& l : losses_) sum += (sum.empty() ? "" : " + ") + l;
    if (!sum.empty()) {
      text_.component("loss", "Blocks.Integrator", fmt::format("u: \"{}\"", sum));
      m_.loss = "loss.y";
      text_.output(m_.loss);
    }
    for (const char* total : {"totalEnergy", "kineticEnergy", "potentialEnergy"})
      text_.output(total);
    auto vector = [&](const std::string& name) {
      for (int i = 1; i <= 3; ++i) text_.output(fmt::format("{}[{}]", name, i));
    };
    for (const std::string& b : m_.bodies) {
      vector(b + ".r_0");
      vector(b + ".v_0");
      vector(b + ".w_a");
    }
    for (const Axis& axis : axes_)
      m_.axes.push_back(axis.joint + (axis.rotational ? ".phi" : ".s"));
    for (const std::string& a : m_.axes) text_.output(a);
    for (const ClosureCheck& c : m_.closures) {
      for (const std::string& frame : {c.frame_a, c.frame_b}) {
        vector(frame + ".r_0");
        if (c.closure == Closure::Rod || c.closure == Closure::Spherical) continue;
        for (int i = 1; i <= 3; ++i) {
          for (int k = 1; k <= 3; ++k) text_.output(fmt::format("{}.R.T[{},{}]", frame, i, k));
        }
      }
    }
    for (const FrictionCheck& f : m_.frictions) {
      for (const char* v : {"mode", "startForward", "startBackward"})
        text_.output(f.name + "." + v);
      const char* names[] = {"f", "f0_max", "v_relfric", "tau", "tau0_max", "w_relfric"};
      for (int i = 0; i < 3; ++i) text_.output(f.name + "." + names[i + (f.rotational ? 3 : 0)]);
    }
    for (const GapCheck& g : m_.gaps) {
      for (const char* v : {"contact", "s_rel", "f"}) text_.output(g.name + "." + v);
    }
    for (const SwitchCheck& s : m_.switches) {
      text_.output(s.value);
      if (s.quantity != "time") text_.output(s.quantity);
    }
    for (const HysteresisCheck& h : m_.hystereses) {
      text_.output(h.value);
      text_.output(h.quantity);
    }
  }

  RandomNumbers rng_;
  Mechanism m_;
  ModelText text_;
  std::vector<Place> places_;
  std::vector<Axis> axes_;
  std::vector<std::string> losses_;   ///< [W]  terms of the power that leaves the model
  std::vector<std::string> sensors_;  ///< of angular velocity, already there
  bool closed_ = false;               ///< loops: start values are guesses
};

}  // namespace

Mechanism randomMechanism(std::uint64_t seed) { return Generator(seed).make(); }

}  // namespace cardan::random
