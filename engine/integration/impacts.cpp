#include "engine/integration/impacts.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "engine/structure/dense_algebra.h"
#include "engine/text/joined.h"

namespace cardan {
namespace {

constexpr double kApproach = ImpactPair::kApproach;  // [m/s]
constexpr double kHeldFast = 1e-12;    // of the mobility along the normal: a direction that is held
constexpr double kOpen = 1e-8;         // of mobilities, and of shares: nothing
constexpr double kOfRounding = 1e-20;  // of the mobility across
constexpr double kNoMobility = 1e-24;  // [1/kg]
/// Of the mobility along the normal: so little friction leaves of it where surfaces jam.
constexpr double kJammed = 0.05;
constexpr double kMoment = 1e-7;    // [s]  over which forces are those of now
constexpr double kPressed = 1e-4;   // [m/s2]  at which surfaces approach each other
constexpr double kEasy = 1e-2;      // of the slip
constexpr double kLawsHold = 1e-6;  // of the slip
constexpr double kHair = 0.5 * kApproach;
constexpr double kMoreThanHair = 20;  // of the approach: an impulse that is not of it alone

}  // namespace

Impacts::Impacts(Equations& equations, ContactViolations& violations)
    : equations_(equations),
      violations_(violations),
      contacts_(rigidSurfacesOf(equations)),
      frictions_(contacts_.empty() ? std::vector<Contact>() : axialFrictionsOf(equations)),
      passing_(contacts_.size(), 0),
      guided_(contacts_.size(), Guided::unknown),
      isGuided_(contacts_.empty() ? 0 : equations.flatModel().instances.size(), 0) {}

void Impacts::begin() {
  warnings_.clear();
  std::ranges::fill(passing_, 0);
  jamAt_ = kNoJam;
}

bool Impacts::areDue(const Workspace<double>& w) const {
  const View<double> x(const_cast<EvaluationTables<double>&>(w.tables));
  for (size_t i = 0; i < contacts_.size(); ++i) {
    ImpactPair blow;
    contacts_[i].component->blow(x, blow);
    if (blow.closed && !blow.pushed && !passing_[i] && blow.motion()[0] < -kApproach) return true;
  }
  return false;
}

void Impacts::closedPairs(const View<double>& x) {
  pairs_.clear();
  for (size_t i = 0; i < contacts_.size(); ++i) {
    Pair pair{i, {}};
    contacts_[i].component->blow(x, pair.blow);
    if (!pair.blow.closed) passing_[i] = 0;
    const bool touches = pair.blow.closed || pair.blow.rests;
    if (touches && !pair.blow.pushed && !passing_[i]) pairs_.push_back(pair);
  }
}

void Impacts::addFrictions(const View<double>& x) {
  for (size_t i = 0; i < frictions_.size(); ++i) {
    AxialFriction f;
    if (!frictions_[i].component->axialFriction(x, f)) continue;
    Pair pair{i, {.impulse = f.impulse, .v = {0, f.v, 0}}};
    pair.most = f.most;
    pairs_.push_back(pair);
  }
}

Vector3d Impacts::velocityOf(const Pair& pair, const View<double>& x) const {
  if (pair.most > 0) {
    AxialFriction f;
    frictions_[pair.contact].component->axialFriction(x, f);
    return {0, f.v, 0};
  }
  ImpactPair then;
  contacts_[pair.contact].component->blow(x, then);
  return then.v;
}

bool Impacts::tryRespond(Beside beside, double t, const std::vector<double>& y,
                         const std::vector<double>& yp, Completion& completion,
                         Workspace<double>& w) {
  std::ranges::fill(equations_.state.impulses, 0.0);
  equations_.state.impulses[0] = static_cast<int>(beside);
  for (const Pair& pair : pairs_) {
    if (pair.most > 0) equations_.state.impulses[2 + 3 * pair.blow.impulse.index] = 1;
  }
  const bool known = respond(t, y, yp, completion, w);
  std::ranges::fill(equations_.state.impulses, 0.0);
  ++equations_.state.changes;
  return known;
}

/// What impulses of 1 N.s do to the states, and to the velocities of all pairs.
bool Impacts::respond(double t, const std::vector<double>& y, const std::vector<double>& yp,
                      Completion& completion, Workspace<double>& w) {
  const Layout& l = equations_.layout();
  const Eigen::Index count = 3 * pairs_.size();
  std::vector<double>& impulses = equations_.state.impulses;
  const auto accelerations = [&](Eigen::VectorXd& result) {
    std::vector<double> at = y, rates = yp;
    ++equations_.state.changes;
    if (!completion.complete(t, at, rates)) return false;
    for (int i = 0; i < l.size(); ++i) result[i] = l.unknowns[i].differential ? rates[i] : 0;
    return true;
  };
  Eigen::VectorXd with(l.size());
  free_.resize(l.size());
  response_.setZero(l.size(), count);
  mobility_.setZero(count, count);
  if (!accelerations(free_)) return false;
  for (Eigen::Index k = 0; k < count; ++k) {
    const Pair& struck = pairs_[k / 3];
    const bool acts = struck.most > 0 ? k % 3 == 1 : k % 3 == 0 || struck.blow.mu > 0;
    if (!acts) continue;
    double& impulse = impulses[1 + 3 * struck.blow.impulse.index + (struck.most > 0 ? 0 : k % 3)];
    // Large enough for nothing to be lost beside what else accelerates.
    double size = 1;
    for (int pass = 0; pass < 2; ++pass) {
      impulse = size;
      const bool solved = accelerations(with);
      impulse = 0;
      if (!solved && pass == 0) return false;
      if (!solved)
        break;  // so large that 1 moves it by rounding alone: a direction that joints hold
      response_.col(k) = (with - free_) / size;
      const double most = response_.col(k).cwiseAbs().maxCoeff();
      if (!(most > 0)) break;
      size = (1 + free_.cwiseAbs().maxCoeff()) / most;
    }
    const double most = response_.col(k).cwiseAbs().maxCoeff();
    if (!(most > 0)) continue;
    const double scale = kFarAlong / most;
    std::vector<double> moved = y;
    for (int i = 0; i < l.size(); ++i) moved[i] += scale * response_(i, k);
    equations_.evaluateAt(w, t, moved, yp);
    for (size_t j = 0; j < pairs_.size(); ++j) {
      const Vector3d after = velocityOf(pairs_[j], View<double>(w.tables));
      mobility_.block<3, 1>(3 * j, k) = (after - pairs_[j].blow.v) / scale;
    }
  }
  leaveOutGuided();
  return true;
}

/// A mobility along the normal that is the square of an arm of rounding is none.
void Impacts::leaveOutGuided() {
  for (size_t i = 0; i < pairs_.size(); ++i) {
    if (pairs_[i].most > 0) continue;
    const auto row = static_cast<Eigen::Index>(3 * i);
    const double along = mobility_(row, row);
    const double largest = mobility_.diagonal().segment<3>(row).maxCoeff();
    const bool isGuided = along <= std::max(kOfRounding * largest, kNoMobility);
    guided_[pairs_[i].contact] = isGuided ? Guided::yes : Guided::no;
    isGuided_[contacts_[pairs_[i].contact].instance] = isGuided;
    if (!isGuided) continue;
    mobility_.row(row).setZero();
    mobility_.col(row).setZero();
    response_.col(row).setZero();
  }
}

bool Impacts::mayBeGuided(bool atStart, double t, const std::vector<double>& y,
                          const std::vector<double>& yp, Workspace<double>& w) {
  if (contacts_.empty()) return false;
  equations_.evaluateAt(w, t, y, yp);
  closedPairs(View<double>(w.tables));
  std::erase_if(pairs_, [&](const Pair& p) {
    const bool waits = (atStart || !p.blow.rests) && std::abs(p.blow.v[0]) <= kApproach;
    return !waits || guided_[p.contact] != Guided::unknown;
  });
  return !pairs_.empty();
}

void Impacts::findGuided(double t, const std::vector<double>& y, const std::vector<double>& yp,
                         Completion& completion, Workspace<double>& w) {
  for (Pair& p : pairs_) p.blow.mu = 0;
  tryRespond(Beside::nothing, t, y, yp, completion, w);
  std::vector<double> at = y, rates = yp;
  completion.complete(t, at, rates);
}

/// That of all pairs, from the velocities that they have.
ContactProblem Impacts::problem() const {
  const Eigen::Index count = std::ssize(pairs_);
  ContactProblem all{mobility_, Eigen::VectorXd(3 * count), Eigen::VectorXd(count)};
  for (Eigen::Index i = 0; i < count; ++i) {
    const ImpactPair& blow = pairs_[static_cast<size_t>(i)].blow;
    all.q.segment<3>(3 * i) = blow.motion();
    all.mu[i] = blow.mu;
  }
  return all;
}

void Impacts::take(const Eigen::VectorXd& p) {
  for (size_t i = 0; i < pairs_.size(); ++i)
    pairs_[i].p = p.segment<3>(3 * static_cast<Eigen::Index>(i));
}

/// Impulses of all pairs, by their velocities before.
PassiveImpulses Impacts::solve() {
  ContactProblem rest = problem();
  rest.enough = ContactProblem::kNothing;
  const auto restitution = [this](Eigen::Index i, double approach) {
    return approach > kApproach ? pairs_[static_cast<size_t>(i)].blow.restitutionAt(approach) : 0;
  };
  Eigen::VectorXd bounce(rest.mu.size());
  for (Eigen::Index i = 0; i < bounce.size(); ++i)
    bounce[i] = rest.q[3 * i] * restitution(i, -rest.q[3 * i]);
  PassiveImpulses found = law_ == ImpactLaw::poisson
                              ? PassiveImpulses::inTwoPhases(rest, restitution)
                              : PassiveImpulses::of(rest, rest.q, bounce);
  take(found.p);
  return found;
}

bool Impacts::arePressed(double t, const std::vector<double>& y, const std::vector<double>& yp,
                         Workspace<double>& w) {
  closedPairs(View<double>(w.tables));
  std::erase_if(pairs_, [](const Pair& p) { return p.blow.rests || p.blow.v[0] > kApproach; });
  if (pairs_.empty()) return false;
  const Layout& l = equations_.layout();
  std::vector<double> later = y;
  for (int i = 0; i < l.size(); ++i) {
    if (l.unknowns[i].differential) later[i] += kMoment * yp[i];
  }
  equations_.evaluateAt(w, t + kMoment, later, yp);
  const bool pressed = std::ranges::any_of(pairs_, [&](const Pair& p) {
    return velocityOf(p, View<double>(w.tables))[0] - p.blow.v[0] < -kPressed * kMoment;
  });
  equations_.evaluateAt(w, t, y, yp);
  return pressed;
}

std::vector<Impacts::Force> Impacts::forces(double t, const std::vector<double>& y,
                                            const std::vector<double>& yp, Completion& completion,
                                            Workspace<double>& w) {
  std::vector<Force> found;
  equations_.evaluateAt(w, t, y, yp);
  closedPairs(View<double>(w.tables));
  if (pairs_.empty()) return found;
  addFrictions(View<double>(w.tables));
  if (!tryRespond(Beside::forces, t, y, yp, completion, w)) return found;
  std::vector<double> moved = y;
  for (size_t i = 0; i < y.size(); ++i) moved[i] += kMoment * free_[static_cast<Eigen::Index>(i)];
  equations_.evaluateAt(w, t + kMoment, moved, yp);
  ContactProblem ahead = problem();
  for (size_t i = 0; i < pairs_.size(); ++i) {
    const Pair& pair = pairs_[i];
    const Vector3d later = velocityOf(pair, View<double>(w.tables));
    Vector3d v = pair.blow.motion();
    if (std::abs(v[0]) <= kApproach) v[0] = 0;
    if (v.tail<2>().norm() <= kApproach) v.tail<2>().setZero();
    ahead.q.segment<3>(3 * static_cast<Eigen::Index>(i)) = v + later - pair.blow.v;
  }
  take(solveInOneUnit(ahead));
  for (const Pair& pair : pairs_) {
    const bool isFriction = pair.most > 0;
    const Contact& of = isFriction ? frictions_[pair.contact] : contacts_[pair.contact];
    found.push_back({of.instance, isFriction ? Vector3d(pair.p[1] / kMoment, 0, 0)
                                             : Vector3d(pair.p / kMoment)});
  }
  return found;
}

/// `ahead`, with the frictions; those of rotations are as easily moved as the contacts there.
Eigen::VectorXd Impacts::solveInOneUnit(ContactProblem ahead) const {
  const Eigen::Index n = std::ssize(pairs_);
  double contacts = 0;
  for (Eigen::Index i = 0; i < n; ++i) contacts = std::max(contacts, ahead.W(3 * i, 3 * i));
  Eigen::VectorXd unit = Eigen::VectorXd::Ones(3 * n);
  ahead.most.setZero(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const Pair& pair = pairs_[static_cast<size_t>(i)];
    const double own = ahead.W(3 * i + 1, 3 * i + 1);
    if (!(pair.most > 0 && own > 0)) continue;
    if (contacts > 0) unit[3 * i + 1] = std::sqrt(contacts / own);
    ahead.most[i] = pair.most * kMoment / unit[3 * i + 1];
  }
  ahead.W = unit.asDiagonal() * ahead.W * unit.asDiagonal();
  ahead.q = ahead.q.cwiseProduct(unit);
  return ahead.solve().cwiseProduct(unit);
}

std::vector<double> Impacts::openMobilities(double t, const std::vector<double>& y,
                                            const std::vector<double>& yp,
                                            const std::vector<int>& open, Completion& completion,
                                            Workspace<double>& w) {
  std::vector<double> mobilities(open.size(), 0.0);
  const auto isOpen = [&](const Contact& c) { return open[c.instance] != 0; };
  if (std::ranges::count_if(contacts_, isOpen) < 2) return mobilities;
  equations_.evaluateAt(w, t, y, yp);
  closedPairs(View<double>(w.tables));
  std::erase_if(pairs_, [&](const Pair& p) { return !isOpen(contacts_[p.contact]); });
  const auto asks = [](const Pair& p) { return p.blow.sharesLoad; };
  if (pairs_.size() < 2 || std::ranges::none_of(pairs_, asks)) return mobilities;
  for (Pair& pair : pairs_) pair.blow.mu = 0;
  const bool known = tryRespond(Beside::nothing, t, y, yp, completion, w);
  std::vector<double> at = y, rates = yp;
  completion.complete(t, at, rates);
  if (!known) return mobilities;

  const Eigen::Index n = pairs_.size();
  Eigen::MatrixXd normal(n, n);
  Eigen::VectorXd size(n);
  for (Eigen::Index i = 0; i < n; ++i) size[i] = std::sqrt(std::max(0.0, mobility_(3 * i, 3 * i)));
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < n; ++j) {
      const double both = size[i] * size[j];
      normal(i, j) = both > 0 ? mobility_(3 * i, 3 * j) / both : 0;
    }
  }
  // Forces that move nothing: a column each.
  const Eigen::MatrixXd shares = kernel(normal, kOpen);
  const auto takesPart = [&](Eigen::Index i, Eigen::Index column) {
    return std::abs(shares(i, column)) > kOpen * shares.col(column).cwiseAbs().maxCoeff();
  };
  Eigen::VectorXd most = Eigen::VectorXd::Zero(n);
  for (bool changed = true; changed;) {
    changed = false;
    for (Eigen::Index column = 0; column < shares.cols(); ++column) {
      double largest = 0;
      for (Eigen::Index i = 0; i < n; ++i) {
        if (takesPart(i, column)) largest = std::max({largest, most[i], size[i] * size[i]});
      }
      for (Eigen::Index i = 0; i < n; ++i) {
        if (!takesPart(i, column) || most[i] >= largest) continue;
        most[i] = largest;
        changed = true;
      }
    }
  }
  for (Eigen::Index i = 0; i < n; ++i) mobilities[contacts_[pairs_[i].contact].instance] = most[i];
  return mobilities;
}

bool Impacts::bounces(const Pair& pair) const {
  const ImpactPair& blow = pair.blow;
  return law_ == ImpactLaw::poisson ? blow.e > 0 : blow.restitutionAt(-blow.v[0]) > 0;
}

/// Where pairs that push move each other, and bounce.
void Impacts::tellCoupled(double t) {
  int coupled = 0;
  for (size_t i = 0; i < pairs_.size(); ++i) {
    const bool pushes = pairs_[i].p[0] > 0;
    for (size_t j = 0; j < i && pushes; ++j) {
      const Eigen::Index row = 3 * i, column = 3 * j;
      const double between = std::abs(mobility_(row, column));
      if (pairs_[j].p[0] > 0 && between > kHeldFast * mobility_(row, row) &&
          (bounces(pairs_[i]) || bounces(pairs_[j])))
        ++coupled;
    }
  }
  if (coupled == 0) return;
  std::vector<std::string> pushing;
  for (const Pair& pair : pairs_) {
    if (pair.p[0] > 0) pushing.push_back(*contacts_[pair.contact].name);
  }
  warnings_.add(
      "coupled",
      fmt::format("{} act on each other at the same instant: what comes of it hangs on which is "
                  "first, and restitution does not say; all were solved together",
                  namesInQuotes(pushing)),
      t);
}

/// Pairs that approach and that no impulse parts, all of them where it is not `known` what impulses do:
/// the others are looked at again without them. True: there were some.
bool Impacts::letPass(bool known, double t) {
  bool any = false;
  for (size_t i = 0; i < pairs_.size(); ++i) {
    const Pair& pair = pairs_[i];
    const auto row = static_cast<Eigen::Index>(3 * i);
    if (pair.blow.motion()[0] >= -kApproach || (known && mobility_(row, row) > 0)) continue;
    any = true;
    passing_[pair.contact] = 1;
    violations_.addOf("'" + *contacts_[pair.contact].name + "'",
                      fmt::format("no impulse parts the surfaces, which approach by {:.3g} m/s: "
                                  "they pass through each other",
                                  -pair.blow.v[0]),
                      t, 1);
  }
  return any;
}

/// Friction at its bound against the slip takes from the mobility along the normal all but kJammed.
bool Impacts::isJammed(size_t pair) const {
  const ImpactPair& blow = pairs_[pair].blow;
  const auto row = static_cast<Eigen::Index>(3 * pair);
  const double slip = blow.v.tail<2>().norm(), own = mobility_(row, row);
  if (!blow.rests || !(slip > kApproach)) return false;
  const double pressed = mobility_.block<1, 2>(row, row + 1).dot(blow.v.tail<2>()) / slip;
  return own - blow.mu * pressed < kJammed * own;
}

bool Impacts::areJammed(double t, const std::vector<double>& y, const std::vector<double>& yp,
                        Completion& completion, Workspace<double>& w) {
  equations_.evaluateAt(w, t, y, yp);
  closedPairs(View<double>(w.tables));
  const auto mayJam = [](const Pair& p) { return p.blow.rests && p.blow.mu > 0; };
  const bool jammed = std::ranges::any_of(pairs_, mayJam) &&
                      tryRespond(Beside::nothing, t, y, yp, completion, w) && stopSlips();
  jamAt_ = jammed ? t : kNoJam;
  return jammed;
}

/// The impulses that stop what is jammed: as in an impact, for which surfaces that approach by a hair
/// suffice, since where they jam a small impulse does not part them. By more than a hair first, where they
/// are easily found. False: there are none.
bool Impacts::stopSlips() {
  ContactProblem rest = problem();
  std::vector<Eigen::Index> jammed;
  double slip = 0;
  for (Eigen::Index i = 0; i < rest.mu.size(); ++i) {
    if (!isJammed(static_cast<size_t>(i))) continue;
    jammed.push_back(3 * i);
    rest.mu[i] *= 1 + 2 * kJammed;
    slip = std::max(slip, rest.q.segment<2>(3 * i + 1).norm());
  }
  if (jammed.empty()) return false;
  Eigen::VectorXd p;
  double approach = 0;
  for (double easy = kEasy * slip; easy <= slip && !(approach > 0); easy *= 10) {
    rest.q(jammed).setConstant(-easy);
    p = rest.solve();
    if (rest.violation(p) <= kLawsHold * slip) approach = easy;
  }
  if (!(approach > 0)) return false;
  while (approach > kHair) {
    approach = std::max(0.1 * approach, kHair);
    rest.q(jammed).setConstant(-approach);
    p = rest.solveNear(p);
    if (rest.violation(p) > kLawsHold * slip) return false;
  }
  take(p);
  // Not those of the hair alone.
  return std::ranges::any_of(
      jammed, [&](Eigen::Index i) { return p[i] * mobility_(i, i) > kMoreThanHair * approach; });
}

std::vector<std::string> Impacts::tellJammed(double t) {
  std::vector<std::string> jammed;
  for (size_t i = 0; i < pairs_.size(); ++i) {
    if (isJammed(i)) jammed.push_back(*contacts_[pairs_[i].contact].name);
  }
  warnings_.add("jam",
                fmt::format("{} jams: friction presses the surfaces together as much as they push "
                            "each other apart, no finite force lets them slide on, and the slip "
                            "stops at once",
                            namesInQuotes(jammed)),
                t);
  return jammed;
}

/// The velocities jump.
void Impacts::move(std::vector<double>& y) const {
  for (size_t i = 0; i < y.size(); ++i) {
    for (size_t k = 0; k < pairs_.size(); ++k) {
      for (int d = 0; d < 3; ++d) y[i] += response_(i, 3 * k + d) * pairs_[k].p[d];
    }
  }
}

std::vector<std::string> Impacts::strike(double t, std::vector<double>& y, std::vector<double>& yp,
                                         Completion& completion, Workspace<double>& w) {
  closedPairs(View<double>(w.tables));
  if (std::exchange(jamAt_, kNoJam) == t && tryRespond(Beside::nothing, t, y, yp, completion, w) &&
      stopSlips()) {
    move(y);
    return tellJammed(t);
  }
  std::vector<std::string> struck;
  for (const Pair& pair : pairs_) {
    if (pair.blow.motion()[0] < -kApproach) struck.push_back(*contacts_[pair.contact].name);
  }
  if (struck.empty()) return struck;
  const std::string names = namesInQuotes(struck);
  const bool known = tryRespond(Beside::nothing, t, y, yp, completion, w);
  if (letPass(known, t)) return struck;
  const PassiveImpulses found = solve();
  if (found.part < 1) {
    warnings_.add(
        "gain",
        fmt::format("the impact of {}: its restitution and friction together would give "
                    "energy, or allow no impulse; it parts with {:.3g} of its restitution",
                    names, found.part),
        t, 1 - found.part);
  }
  if (found.left > kApproach) {
    double fastest = kApproach;
    for (const Pair& pair : pairs_) fastest = std::max(fastest, -pair.blow.motion()[0]);
    violations_.add(names,
                    fmt::format("the impact of {}: no impulses were found that satisfy all its "
                                "laws; what was nearest leaves {:.3g} m/s",
                                names, found.left),
                    t, found.left / fastest);
  }
  tellCoupled(t);
  move(y);
  return struck;
}

}  // namespace cardan
