#include "engine/robots/mjcf/contacts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <set>

#include "engine/robots/colliders.h"
#include "engine/robots/mjcf/values.h"
#include "engine/robots/model_values.h"

namespace cardan::robots::mjcf {
namespace {

/// How much of a constraint's force MuJoCo has at a depth r [m].
double impedanceAt(const std::array<double, 5>& s, double r) {
  const auto within = [](double x) { return std::clamp(x, 1e-4, 0.9999); };
  const double least = within(s[0]), most = within(s[1]), middle = within(s[3]);
  const double power = std::max(1.0, s[4]), x = s[2] > 1e-15 ? r / s[2] : 1;
  if (x >= 1) return most;
  const double y = x <= middle ? std::pow(x / middle, power) * middle
                               : 1 - (1 - middle) * std::pow((1 - x) / (1 - middle), power);
  return least + y * (most - least);
}

/// [m]  Where the constraint bears what it touches: (1 - d) g d_max^2 tau^2 zeta^2/d^2, d at that depth.
double restDepth(const std::array<double, 5>& impedance, double tau_zeta, double g) {
  const double scale = std::clamp(impedance[1], 1e-4, 0.9999) * std::clamp(tau_zeta, 1e-6, 10.0);
  const auto excess = [&](double r) {
    const double d = impedanceAt(impedance, r);
    return r - (1 - d) * g * scale * scale / (d * d);
  };
  double low = 0, high = 1e-12;
  while (excess(high) < 0) high *= 2;
  for (int i = 0; i < 60; ++i) {
    const double between = (low + high) / 2;
    (excess(between) < 0 ? low : high) = between;
  }
  return high;
}

/// As the figures of a law are worth.
double shortened(double x) { return rounded(x, x, 3); }

/// Colliders that say the same of their contacts.
struct Class {
  ContactSettings settings;
  std::vector<int> members;
  std::set<int> carriers;
  std::string group;
};

class RuleMaker {
 public:
  RuleMaker(const GeomContacts& contacts, Robot& robot, ImportReport& report)
      : contacts_(contacts), robot_(robot), report_(report) {
    const double g = robot.gravity.stableNorm();
    if (g > 0) g_ = g;
    for (size_t b = 0; b < robot.bodies.size(); ++b) {
      const Body& body = robot.bodies[b];
      carrier_.push_back(!body.joints.empty() ? static_cast<int>(b) : carrierOf(body.parent));
    }
    for (const GeomContacts::Pair& p : contacts.pairs) explicit_.insert(std::minmax(p.a, p.b));
  }

  /// Pairs that a run will carry.
  size_t countPairs() const {
    const std::set<std::pair<int, int>> excluded(contacts_.exclude.begin(),
                                                 contacts_.exclude.end());
    size_t count = explicit_.size();
    const int colliders = std::ssize(robot_.colliders);
    for (int a = 0; a < colliders; ++a) {
      for (int b = 0; b < a; ++b) {
        const int body_a = robot_.colliders[a].body, body_b = robot_.colliders[b].body;
        if (!explicit_.contains({b, a}) && fit(contacts_.settings[a], contacts_.settings[b]) &&
            mayMeet(carrierOf(body_a), carrierOf(body_b)) && !excluded.contains({body_a, body_b}) &&
            !excluded.contains({body_b, body_a}))
          ++count;
      }
    }
    return count;
  }

  void make() {
    nameColliders();
    findClasses();
    chooseClasses();
    addNeighbours();
    for (const auto& [a, b] : contacts_.exclude) exclude(on(a, false), on(b, false));
    for (const GeomContacts::Pair& p : contacts_.pairs) addExplicit(p);
    reportEllipsoids();
    ContactRules& rules = robot_.contacts;
    const bool isAll = classes_.size() == 1 && rules.pairs->size() == 1 && !rules.groups.empty();
    if (isAll) {
      rules.pairs.reset();
      rules.groups.clear();
    }
  }

 private:
  /// The body that a rigid group moves with; -1: it stands.
  int carrierOf(int body) const { return body < 0 ? -1 : carrier_[body]; }
  int carrierOfCollider(int c) const { return carrierOf(robot_.colliders[c].body); }
  /// They move relative to each other, and no joint ties them together.
  bool mayMeet(int carrier_a, int carrier_b) const {
    const auto hangsOn = [&](int b, int a) {
      return a >= 0 && b >= 0 && carrierOf(robot_.bodies[b].parent) == a;
    };
    return carrier_a != carrier_b && !hangsOn(carrier_a, carrier_b) &&
           !hangsOn(carrier_b, carrier_a);
  }
  const std::string& nameOf(int c) const { return robot_.colliders[c].component; }
  ContactLaw law(const ContactSettings& both) const { return lawOf(both, g_, contacts_.leastTime); }
  static bool fit(const ContactSettings& a, const ContactSettings& b) {
    return (a.type & b.affinity) != 0 || (b.type & a.affinity) != 0;
  }

  void nameColliders() {
    std::set<int> named;
    for (const auto& [a, b] : explicit_) named.insert({a, b});
    for (size_t c = 0; c < robot_.colliders.size(); ++c) {
      Collider& collider = robot_.colliders[c];
      if (!contacts_.settings[c].touches() && !named.contains(c)) continue;
      takeName(collider, "_geom", robot_);
      if (collider.element != robot_.element)
        report_.convert(*collider.element, "collision", collider.component);
    }
  }

  void findClasses() {
    std::map<ContactSettings, size_t> known;
    for (size_t c = 0; c < robot_.colliders.size(); ++c) {
      const ContactSettings& s = contacts_.settings[c];
      if (!s.touches()) continue;
      const auto [at, isNew] = known.emplace(s, classes_.size());
      if (isNew) classes_.push_back({s, {}, {}, ""});
      classes_[at->second].members.push_back(c);
      classes_[at->second].carriers.insert(carrierOfCollider(c));
    }
  }

  /// Which classes touch; the law of the most pairs is that of all.
  void chooseClasses() {
    struct Choice {
      Class *a, *b;
      ContactLaw law;
    };
    std::vector<Choice> chosen;
    std::vector<std::pair<ContactLaw, double>> laws;
    for (size_t i = 0; i < classes_.size(); ++i) {
      for (size_t k = i; k < classes_.size(); ++k) {
        Class &a = classes_[i], &b = classes_[k];
        const bool isOneBody = a.carriers.size() == 1 && a.carriers == b.carriers;
        if (isOneBody || !fit(a.settings, b.settings)) continue;
        chosen.push_back({&a, &b, law(bothOf(a.settings, b.settings))});
        const ContactLaw& found = chosen.back().law;
        auto known = std::ranges::find(laws, found, &std::pair<ContactLaw, double>::first);
        if (known == laws.end()) known = laws.insert(known, {found, 0});
        known->second += static_cast<double>(a.members.size()) * b.members.size();
      }
    }
    ContactRules& rules = robot_.contacts;
    rules.pairs.emplace();
    if (!laws.empty()) {
      const auto most = std::ranges::max_element(laws, {}, &std::pair<ContactLaw, double>::second);
      rules.law = most->first;
    }
    for (const Choice& c : chosen) {
      const bool isOther = c.law != *rules.law;
      rules.pairs->push_back(
          {groupOf(*c.a), groupOf(*c.b), isOther ? std::optional(c.law) : std::nullopt});
    }
  }

  const std::string& groupOf(Class& c) {
    if (!c.group.empty()) return c.group;
    c.group = robot_.names.take("geoms" + std::to_string(robot_.contacts.groups.size() + 1), "");
    ContactRules::Group& group = robot_.contacts.groups.emplace_back();
    group.name = c.group;
    for (const int m : c.members) group.members.push_back(nameOf(m));
    return c.group;
  }

  /// The colliders that touch of a body, or of all that moves with it.
  std::vector<int> on(int body, bool isWhole) const {
    std::vector<int> all;
    for (size_t c = 0; c < robot_.colliders.size(); ++c) {
      const int at = robot_.colliders[c].body;
      if ((isWhole ? carrierOf(at) : at) == body && contacts_.settings[c].touches())
        all.push_back(c);
    }
    return all;
  }

  void exclude(const std::vector<int>& all_a, const std::vector<int>& all_b) {
    for (const int a : all_a) {
      for (const int b : all_b) {
        const bool isExplicit = explicit_.contains(std::minmax(a, b));
        if (!isExplicit && fit(contacts_.settings[a], contacts_.settings[b]) &&
            carrierOfCollider(a) != carrierOfCollider(b))
          robot_.contacts.exclude.push_back({nameOf(a), nameOf(b), std::nullopt});
      }
    }
  }

  /// A model leaves out by itself what a joint joins, but not across all six freedoms.
  void addNeighbours() {
    for (size_t b = 0; b < robot_.bodies.size(); ++b) {
      const Body& body = robot_.bodies[b];
      const int parent = carrierOf(body.parent);
      int freedoms = 0;
      for (const Joint& j : body.joints) freedoms += j.type == JointType::ball ? 3 : 1;
      if (parent >= 0 && freedoms >= 6) exclude(on(b, true), on(parent, true));
    }
  }

  void addExplicit(const GeomContacts::Pair& p) {
    const Collider &a = robot_.colliders[p.a], &b = robot_.colliders[p.b];
    std::string why;
    if (carrierOf(a.body) == carrierOf(b.body)) why = "its geoms are fixed to each other";
    if (!canTouch(a, b)) why = "an ellipsoid touches ground alone, and ground no other ground";
    if (!why.empty()) {
      report_.ignore(*p.element, "collision", a.name + ", " + b.name, why);
      report_.warn(a.name, p.element->mark(), "<pair> is left out: " + why);
      return;
    }
    report_.convert(*p.element, "collision", a.name + ", " + b.name);
    robot_.contacts.pairs->push_back({a.component, b.component, law(p.settings)});
  }
  static bool canTouch(const Collider& a, const Collider& b) {
    using Kind = Collider::Kind;
    const bool ground_a = Collider::isGround(a.kind), ground_b = Collider::isGround(b.kind);
    if (ground_a || ground_b) return ground_a != ground_b;
    return a.kind != Kind::ellipsoid && b.kind != Kind::ellipsoid;
  }

  void reportEllipsoids() {
    const auto meets = [&](const Collider& a) {
      const auto& all = robot_.colliders;
      for (size_t b = 0; b < all.size(); ++b) {
        const ContactSettings &mine = contacts_.settings[&a - all.data()],
                              &other = contacts_.settings[b];
        if (fit(mine, other) && !Collider::isGround(all[b].kind) &&
            carrierOf(a.body) != carrierOf(all[b].body))
          return true;
      }
      return false;
    };
    for (const Collider& c : robot_.colliders) {
      if (c.kind == Collider::Kind::ellipsoid && meets(c))
        report_.leaveOut(*c.element, "collision", c.component, "an ellipsoid touches ground alone");
    }
  }

  const GeomContacts& contacts_;
  Robot& robot_;
  ImportReport& report_;
  double g_ = 9.81;           ///< [m/s2]
  std::vector<int> carrier_;  ///< of a body
  std::vector<Class> classes_;
  std::set<std::pair<int, int>> explicit_;  ///< colliders
};

}  // namespace

void readContactSettings(const XmlElement& full, const std::string& owner, ContactSettings& s,
                         Diagnostics& diagnostics) {
  const auto whole = [&](const char* name, int& value) {
    constexpr double kMost = std::numeric_limits<int>::max();
    value =
        static_cast<int>(std::clamp(number(full, name, value, owner, diagnostics), -kMost, kMost));
  };
  whole("contype", s.type);
  whole("conaffinity", s.affinity);
  whole("condim", s.dimension);
  whole("priority", s.priority);
  s.mix = std::max(0.0, number(full, "solmix", s.mix, owner, diagnostics));
  const bool isPair = full.name == "pair";
  if (const auto f = numbers(full, "friction", 1, isPair ? 5 : 3, owner, diagnostics)) {
    const size_t rolling = isPair ? 3 : 2;  // of a pair behind two across
    s.mu = std::max(0.0, (*f)[0]);
    if (f->size() > rolling) s.rolling = std::max(0.0, (*f)[rolling]);
  }
  const auto list = [&](const char* name, auto& values) {
    if (const auto v = numbers(full, name, 1, values.size(), owner, diagnostics))
      std::copy(v->begin(), v->end(), values.begin());
  };
  list("solref", s.reference);
  list("solimp", s.impedance);
}

ContactSettings bothOf(const ContactSettings& a, const ContactSettings& b) {
  if (a.priority != b.priority) return a.priority > b.priority ? a : b;
  ContactSettings both;
  both.dimension = std::max(a.dimension, b.dimension);
  both.mu = std::max(a.mu, b.mu);
  both.rolling = std::max(a.rolling, b.rolling);
  const double sum = a.mix + b.mix, weight = sum > 1e-15 ? a.mix / sum : 0.5;
  const bool isTimed = a.reference[0] > 0 && b.reference[0] > 0;
  for (size_t i = 0; i < both.reference.size(); ++i) {
    const double x = a.reference[i], y = b.reference[i];
    both.reference[i] = isTimed ? std::lerp(y, x, weight) : std::min(x, y);
  }
  for (size_t i = 0; i < both.impedance.size(); ++i)
    both.impedance[i] = std::lerp(b.impedance[i], a.impedance[i], weight);
  return both;
}

std::array<double, 2> solved(std::array<double, 2> reference, double leastTime) {
  if ((reference[0] > 0) != (reference[1] > 0)) reference = {0.02, 1};
  if (reference[0] > 0) reference[0] = std::max(reference[0], leastTime);
  return reference;
}

ContactLaw lawOf(const ContactSettings& s, double g, double leastTime) {
  constexpr double kLeastRestitution = 0.05;
  const auto [first, second] = solved(s.reference, leastTime);
  double tau_zeta = 0.02, ratio = 1;  // of what has no stiffness
  if (first > 0) {
    tau_zeta = first * second;
    ratio = second;
  } else if (first < 0) {  // stiffness 1/(tau zeta)^2, damping 2/tau
    tau_zeta = 1 / std::sqrt(-first);
    ratio = -second * tau_zeta / 2;
  }
  ContactLaw law;
  law.penetration = shortened(restDepth(s.impedance, tau_zeta, g));
  law.restitution = kLeastRestitution;
  if (ratio < 1) {
    const double e = std::exp(-std::numbers::pi * ratio / std::sqrt(1 - ratio * ratio));
    law.restitution = std::max(kLeastRestitution, shortened(e));
  }
  if (s.dimension <= 1) return law;
  law.mu = s.mu;
  constexpr int kRolling = 6;  // below it nothing resists rolling
  if (s.dimension >= kRolling) law.rolling = s.rolling;
  return law;
}

void makeContacts(const GeomContacts& contacts, Robot& robot, ImportReport& report) {
  constexpr size_t kMostPairs = 4000;  // each has friction of its own: three unknowns
  RuleMaker rules(contacts, robot, report);
  if (const size_t pairs = rules.countPairs(); pairs > kMostPairs) {
    const std::string why = "more than " + std::to_string(kMostPairs) + " pairs of geoms may touch";
    for (const Collider& c : robot.colliders) report.leaveOut(*c.element, "collision", c.name, why);
    report.warn("", robot.element->mark(),
                "contacts are left out: " + std::to_string(pairs) +
                    " pairs of geoms may touch, more than a run carries; 'contype' and "
                    "'conaffinity' say which need not");
    robot.colliders.clear();
    return;
  }
  rules.make();
  tellCutHulls(robot, report);
}

}  // namespace cardan::robots::mjcf
