#include "engine/initialisation/initialisation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "engine/equations/model_equations.h"
#include "engine/initialisation/contradiction.h"
#include "engine/initialisation/loop_report.h"
#include "engine/initialisation/regularisation.h"
#include "engine/initialisation/scaling.h"
#include "engine/initialisation/singular_start.h"
#include "engine/text/listing.h"

namespace cardan {
namespace {

constexpr double kSatisfied = 1e-8;
constexpr double kOtherBranch = 1e-6;  // a proposal further away than this is another solution
constexpr double kSettled = 1e-12;
constexpr int kOtherBranches = 3;
constexpr size_t kMostNamed = 8;

/// Writes proposals into the coordinates of the tree.
class ProposalInto final : public Proposal {
 public:
  ProposalInto(const Layout& layout, std::vector<double>& y) : layout_(layout), y_(y) {}
  void position(JointId j, int k, double q) override {
    if (!std::isfinite(q)) return;
    for (int s = 0; s < layout_.edges; ++s) {
      const Layout::TreeJoint& step = layout_.tree[s];
      if (step.edge != j.index) continue;
      double& x = y_[step.q + k];
      moved = moved || std::abs(q - x) > kSettled * (1 + std::abs(q));
      x = q;
    }
  }
  bool moved = false;

 private:
  const Layout& layout_;
  std::vector<double>& y_;
};

/// Constraints that only say what a coordinate is (Q.Q = 1) leave no choice of branches.
bool offersBranches(const std::vector<StartRow>& constraints,
                    const std::vector<StartRow>& conditions, const StartConditions& all) {
  for (const StartRow& r : constraints) {
    if (r.kind != StartRow::Kind::coordinate) return true;
  }
  for (const StartRow& r : conditions) {
    if (all.all()[r.index].unknown < 0) return true;
  }
  return false;
}

}  // namespace

Initialisation::Initialisation(Equations& equations, const VariableTable& variables,
                               const FlatModel& flatModel, double startTime, InitialOptions options)
    : equations_(equations),
      flatModel_(flatModel),
      time_(startTime),
      options_(std::move(options)),
      conditions_(equations, variables, options_.equations),
      at_(equations) {
  for (UnknownParameter& p : options_.parameters) {
    p.changed = [changed = p.changed, &equations] {
      if (changed) changed();
      equations.parametersChanged();
      ++equations.state.changes;
    };
  }
  for (const Instance& i : flatModel.instances) {
    if (StartProposal* p = i.component->startProposal()) proposers_.push_back(p);
  }
}

InitialReport Initialisation::solve(std::vector<double>& y, std::vector<double>& yp) {
  report_ = {};
  for (const UnknownParameter& p : options_.parameters) {
    *p.target = p.start;
    p.changed();
  }
  resetMeasured();
  conditions_.adopt(at_, time_);
  y_ = conditions_.guess();
  yp_.assign(y_.size(), 0.0);
  scale();
  solvePositions(false);
  scale();
  solveLevel(Level::Velocity, false);
  if (options_.settleModes) options_.settleModes(y_, yp_);
  analyse();
  throwIfStranded();
  accelerations();
  throwIfStranded();
  fillReport();
  equations_.state.measured = at_.valueWorkspace().measured;
  y = y_;
  yp = yp_;
  return report_;
}

/// Angles of cut joints are measured on the branch nearest to their guess.
void Initialisation::resetMeasured() {
  const std::vector<double>& m = conditions_.measured();
  if (m.empty()) return;
  std::copy(m.begin(), m.end(), at_.valueWorkspace().measured.begin());
  std::copy(m.begin(), m.end(), at_.dualWorkspace().measured.begin());
}

Initialisation::Rows Initialisation::rowsOf(Level level) const {
  Rows rows{constraintRows(equations_, level, true), {}, {}};
  for (int c = 0; c < std::ssize(conditions_.all()); ++c) {
    const StartCondition& condition = conditions_.all()[c];
    if (condition.level != level) continue;
    const StartRow row{StartRow::Kind::condition, c};
    if (condition.fixed) rows.conditions.push_back(row);
    if (!condition.fixed && condition.given && condition.unknown < 0)
      rows.wishes.push_back(row.index);
  }
  return rows;
}

/// Positions, on the branches that components propose for their inner joints.
void Initialisation::solvePositions(bool explain) {
  propose();
  solveLevel(Level::Position, explain);
  for (int k = 0; k < kOtherBranches && propose(); ++k) solveLevel(Level::Position, explain);
}

/// Puts in what components propose, one after the other, as a proposal may place the frames of the
/// next one. True if that moved a coordinate.
bool Initialisation::propose() {
  if (proposers_.empty()) return false;
  const std::vector<double> before = y_;
  ProposalInto proposal(equations_.layout(), y_);
  // Each round settles at least one more component of a chain.
  for (size_t round = 0; round <= proposers_.size(); ++round) {
    proposal.moved = false;
    for (StartProposal* p : proposers_) {
      at_.evaluateAt(time_, y_.data(), yp_.data(), {.kinematicRows = false});
      p->propose(View<double>(at_.valueWorkspace().tables), proposal);
    }
    if (!proposal.moved) break;
  }
  for (size_t i = 0; i < y_.size(); ++i) {
    if (std::abs(y_[i] - before[i]) > kOtherBranch * (1 + std::abs(before[i]))) return true;
  }
  return false;
}

/// Positions (q and the states of parts) or velocities, by the least change of their guess.
void Initialisation::solveLevel(Level level, bool explain) {
  const Layout& l = equations_.layout();
  std::vector<int> columns;
  const bool position = level == Level::Position;
  for (int i = 0; i < (position ? l.nq : l.nv); ++i) columns.push_back(position ? i : l.nq + i);
  for (int i = l.xOffset(); position && i < l.lambdaOffset(); ++i) {
    if (l.unknowns[i].differential) columns.push_back(i);
  }
  const Rows rows = rowsOf(level);
  if (!withoutFixed(rows, columns)) {
    std::vector<StartRow> all = rows.constraints;
    all.insert(all.end(), rows.conditions.begin(), rows.conditions.end());
    LevelRows problem(at_, conditions_, time_, y_, yp_, columns, all);
    const Movability movability = problem.movability(conditions_.tiers());
    const LeastChangeResult result = leastChange(problem, problem.current(), movability);
    report_.iterations += result.iterations;
    y_ = problem.put(result.u);
    const bool othersMayHelp = l.nx > 0 || !options_.parameters.empty();
    if (!result.converged && (explain || !othersMayHelp)) {
      Diagnostics diagnostics;
      explainContradiction(equations_, conditions_, problem, movability, result, time_,
                           diagnostics);
      diagnostics.throwIfErrors();
    }
  }
  if (!position) kinematicRates(l, y_.data(), yp_.data());
}

/// The usual case: fixed coordinates are put in, the rest is solved. False: no solution was found
/// this way.
bool Initialisation::withoutFixed(const Rows& rows, const std::vector<int>& columns) {
  std::vector<double> y = y_;
  std::vector<bool> known(y.size(), false);
  std::vector<StartRow> left = rows.constraints;
  for (const StartRow& r : rows.conditions) {
    const StartCondition& c = conditions_.all()[r.index];
    if (c.unknown >= 0 && !known[c.unknown]) {
      y[c.unknown] = c.wanted;
      known[c.unknown] = true;
    } else {
      left.push_back(r);
    }
  }
  std::vector<int> free;
  for (int i : columns) {
    if (!known[i]) free.push_back(i);
  }
  LevelRows problem(at_, conditions_, time_, y, yp_, free, left);
  LeastChangeResult result;
  if (!rows.wishes.empty() && offersBranches(rows.constraints, rows.conditions, conditions_)) {
    // Guesses of sensors, bodies and cut joints count like those of coordinates of their tier.
    LevelRows wishful = problem;
    for (int condition : rows.wishes) wishful.addWish(condition);
    const Movability movability = wishful.movability(conditions_.tiers());
    const Eigen::VectorXd guess = wishful.current();
    result = solveRows(wishful, guess, movability);
    if (result.converged) approach(wishful, guess, movability, result);
    report_.iterations += result.iterations;
  }
  if (!result.converged) {
    result = leastChange(problem, problem.current(), problem.movability(conditions_.tiers()));
    report_.iterations += result.iterations;
  }
  if (result.converged) y_ = problem.put(result.u);
  return result.converged;
}

void Initialisation::analyse() {
  const ConstraintAnalysis a = analyseConstraints(at_, time_, y_, yp_, conditions_.tiers());
  report_.degreesOfFreedom = a.degreesOfFreedom;
  report_.redundantRows = a.redundant;
  for (int k : a.redundant) {
    equations_.state.redundant[k] = true;
    report_.redundantConstraints.push_back(equations_.layout().rowNames[k]);
  }
  report_.states = a.states;
  // Then the states of parts; what prescribes a motion has none, only rates of its signals.
  const Layout& l = equations_.layout();
  std::vector<bool> prescribes(flatModel_.instances.size(), false);
  for (const FlatModel::Constraint& c : flatModel_.constraints) prescribes[c.instance] = true;
  for (int i = 0; i < std::ssize(flatModel_.unknowns); ++i) {
    const Layout::Unknown& u = l.unknowns[l.xOffset() + i];
    if (u.differential && !prescribes[flatModel_.unknowns[i].instance])
      report_.states.push_back(u.name);
  }
  report_.loops =
      describeLoops(flatModel_, equations_.layout(), equations_.nodeOfFrame(), a.redundant);
  warnOfBranches();
  singularPosition_ = a.singularPosition;
  if (a.singularPosition) {
    report_.warnings.push_back(
        "the start is a singular position: the constraints leave more freedoms there than around "
        "it");
  }
}

/// A loop whose joints had to turn far from guesses that nobody gave may have closed on another
/// branch than the one that was meant.
void Initialisation::warnOfBranches() {
  constexpr double kFar = 0.1;  // [rad]
  const Layout& l = equations_.layout();
  std::vector<const StartCondition*> conditionOf(l.unknowns.size(), nullptr);
  for (const StartCondition& c : conditions_.all()) {
    if (c.unknown >= 0 && (c.given || c.fixed)) conditionOf[c.unknown] = &c;
  }
  for (const LoopReport& loop : report_.loops) {
    std::vector<std::string> turned;
    bool told = false;
    for (int i : loop.coordinates) {
      const Layout::Unknown& u = l.unknowns[i];
      if (const StartCondition* c = conditionOf[i]) {
        told = told || !c->fixed;
      } else if (u.unit == "rad" && std::abs(y_[i] - conditions_.guess()[i]) > kFar) {
        turned.push_back(fmt::format("{} by {:.3g} rad", u.name, y_[i] - conditions_.guess()[i]));
      }
    }
    if (told || turned.empty()) continue;
    report_.warnings.push_back(fmt::format(
        "the loop over {} may close in more than one way and no start value says which: moved from "
        "their defaults {}; a guess ('start') for one of them chooses",
        fmt::join(loop.joints, ", "), fmt::join(turned, ", ")));
  }
}

void Initialisation::accelerations() {
  Completion completion(equations_);
  placeFreePoints();
  const bool solved = completion.complete(time_, y_, yp_);
  throwIfRatesOpen(completion);
  const bool floating = !equations_.layout().freePoints.empty();
  if (completion.singular() && !floating) {
    throwIfMassless(completion);
    if (options_.parameters.empty()) {
      if (determinedBeside(completion)) return accelerations();
      throwIfUndetermined(completion);
    }
  }
  const bool done = solved && !(completion.singular() && floating) && options_.parameters.empty();
  if (!done || !satisfied() || !holdsInOwnModes(completion)) {
    together(completion);
    completion.complete(time_, y_, yp_);
  }
  if (completion.singular() && floating) {
    if (!throwIfLoosePoints(completion)) throwIfMassless(completion);
  }
  at_.setPoint(time_, y_.data(), yp_.data());
  scaleTimes(equations_, at_.valueWorkspace(), options_.duration);
  const bool redundant = !report_.redundantRows.empty();
  regularise(equations_, completion, redundant ? at_.velocityRows() : BlockMatrix());
}

/// Lengths of the model at the positions that are known so far.
void Initialisation::scale() {
  scaleLengths(equations_, at_.evaluateAt(time_, y_.data(), yp_.data(), {.kinematicRows = false}));
}

/// A loop in a singular position that nothing leads out of.
void Initialisation::throwIfStranded() {
  if (!singularPosition_) return;
  const int k = strandedAt(at_, time_, y_, yp_, report_.redundantRows);
  if (k < 0) return;
  const Layout& l = equations_.layout();
  std::string who = l.rowNames[k], joints;
  SourceMark at;
  for (const Closure& c : closuresOf(flatModel_, l, equations_.nodeOfFrame())) {
    if (k < c.row || k >= c.row + std::ssize(c.names)) continue;
    who = flatModel_.typeAndName(c.instance);
    at = flatModel_.instances[c.instance].at;
    for (int s : stepsOfLoop(l, c)) {
      joints += flatModel_.instanceOf(flatModel_.edges[l.tree[s].edge]).name + ", ";
    }
    joints = " over " + joints + flatModel_.instances[c.instance].name;
  }
  Diagnostics diagnostics;
  diagnostics.error(
      at,
      fmt::format("{}: the start is a singular position of the loop{}, where several motions "
                  "meet, and the velocities of the start belong to none of them; start beside it",
                  who, joints));
  diagnostics.throwIfErrors();
}

/// The point with all that conditions read: only initial equations read derivatives.
const Workspace<double>& Initialisation::evaluateConditions() {
  at_.setPoint(time_, y_.data(), yp_.data());
  if (!options_.equations.empty()) return at_.evaluateWithFlow();
  return at_.evaluate({.kinematicRows = false, .connectorLoads = true, .measure = true});
}

/// True if all constraints and all fixed conditions of every level hold.
bool Initialisation::satisfied() {
  const Workspace<double>& w = evaluateConditions();
  const Layout& l = equations_.layout();
  for (int k = 0; k < l.nlambda; ++k) {
    const double allowed = kSatisfied * equations_.positionScale(k);
    if (l.muOfLambda[k] >= 0 && !(std::abs(w.positionResidues[k]) < allowed)) return false;
    if (!(std::abs(w.velocityResidues[k]) < allowed)) return false;
  }
  std::vector<double> buffer;
  for (const StartCondition& c : conditions_.all()) {
    if (c.fixed && !(std::abs(c.residue(w, buffer)) < kSatisfied * (1 + std::abs(c.wanted))))
      return false;
  }
  return true;
}

/// Puts what it finds into the problem.
LeastChangeResult Initialisation::solveCoupled(CoupledStart& problem) {
  LeastChangeResult result = solveRows(problem, problem.current(), problem.movability());
  report_.iterations += result.iterations;
  problem.put(result.u);
  return result;
}

/// Limits, branches and contacts of what was found may be others than those of the guess that it was
/// solved in: true if fixed conditions hold in them, too. Fixed coordinates do in any.
bool Initialisation::holdsInOwnModes(Completion& completion) {
  const bool hangs = std::ranges::any_of(conditions_.all(), [](const StartCondition& c) {
    return c.fixed && (c.unknown < 0 || c.level == Level::Acceleration);
  });
  if (!hangs || !settlesAnew(y_, yp_)) return true;
  return completion.complete(time_, y_, yp_) && satisfied();
}

/// True if that changes the modes.
bool Initialisation::settlesAnew(const std::vector<double>& y, const std::vector<double>& yp) {
  if (!options_.settleModes) return false;
  const Modes before = modes();
  options_.settleModes(y, yp);
  return modes() != before;
}

/// What the others alone make of fixed condition k, not the compromise of all of them; nothing: they have no
/// solution.
std::optional<double> Initialisation::valueWithout(int k, Completion& completion) {
  const StartConditions others = conditions_.without(k);
  CoupledStart problem(at_, completion, others, time_, options_.parameters, report_.redundantRows,
                       y_, yp_);
  const LeastChangeResult found = solveCoupled(problem);
  if (!found.converged) return std::nullopt;
  y_ = problem.y();
  yp_ = problem.yp();
  const StartCondition& c = conditions_.all()[k];
  std::vector<double> buffer;
  return c.wanted + c.residue(evaluateConditions(), buffer);
}

/// All levels at once, from what the single levels gave, in the modes that hold at what is found.
void Initialisation::together(Completion& completion) {
  const Modes ofGuess = modes();
  if (solveInOwnModes(completion, y_) || togetherInOtherModes(completion)) return;
  restore(ofGuess);
  if (solvesBeside(unguessed(), [&] { return solveInOwnModes(completion, y_); })) return;
  restore(ofGuess);
  CoupledStart problem(at_, completion, conditions_, time_, options_.parameters,
                       report_.redundantRows, y_, yp_);
  const LeastChangeResult result = solveCoupled(problem);
  if (result.converged) throwIfOtherModes(problem);
  // One level alone may tell better what is wrong.
  y_ = conditions_.guess();
  resetMeasured();
  solvePositions(true);
  solveLevel(Level::Velocity, true);
  Diagnostics diagnostics;
  const int first = problem.rows() - std::ssize(problem.conditionRows());
  for (size_t i = 0; i < problem.conditionRows().size(); ++i) {
    const int k = problem.conditionRows()[i];
    const StartCondition& c = conditions_.all()[k];
    const double r = result.residue[first + i];
    if (std::abs(r) < kSatisfied * (1 + std::abs(c.wanted))) continue;
    const double reached = valueWithout(k, completion).value_or(c.wanted + r);
    diagnostics.error(
        c.at, fmt::format("{} is fixed at {} but the other conditions lead to {}",
                          describeCondition(flatModel_, c), plain(c.wanted), plain(reached)));
  }
  if (diagnostics.errorCount() == 0) {
    const CoupledStart::Row worst = problem.worstRow(result.residue, result.J);
    diagnostics.error(worst.owner.at,
                      fmt::format("{}: no consistent start was found: the equations cannot be "
                                  "solved from these start values, of {} remains {}",
                                  worst.owner.who, worst.what, plain(worst.residue)));
  }
  diagnostics.throwIfErrors();
}

/// In the modes in force, then in those of what was found, until they stay: Newton's method for
/// what consists of branches. Where they lead to each other, steps are shorter and shorter. False: they
/// do not come to rest, or there is no solution in some.
bool Initialisation::solveInOwnModes(Completion& completion, std::vector<double> from) {
  constexpr int kMostRounds = 20;
  double share = 1;
  std::vector<Modes> seen{modes()};
  for (int round = 0; round < kMostRounds; ++round) {
    CoupledStart problem(at_, completion, conditions_, time_, options_.parameters,
                         report_.redundantRows, from, yp_);
    if (!solveCoupled(problem).converged) return false;
    std::vector<double> next = problem.y();
    if (!settlesAnew(next, problem.yp())) {
      y_ = std::move(next);
      yp_ = problem.yp();
      return true;
    }
    if (std::ranges::find(seen, modes()) != seen.end()) {
      share *= 0.5;
      for (size_t i = 0; i < next.size(); ++i) next[i] = std::lerp(from[i], next[i], share);
      options_.settleModes(next, problem.yp());
    }
    seen.push_back(modes());
    from = std::move(next);
  }
  return false;
}

/// The same from the modes of points beside the guess: a body above an elastic floor falls, whatever its
/// height, but on the floor it may rest. The nearest come first, state by state. False: none of them
/// leads to a start in modes that hold there.
bool Initialisation::togetherInOtherModes(Completion& completion) {
  constexpr size_t kMostTried = 50;
  if (!options_.settleModes) return false;
  const Layout& l = equations_.layout();
  options_.settleModes(y_, yp_);
  std::vector<Modes> tried{modes()};
  for (const double distance : {1e-3, 1e-2, 1e-1, 1.0, 10.0}) {
    for (int i = 0; i < l.lambdaOffset(); ++i) {
      const Layout::Unknown& unknown = l.unknowns[i];
      const bool isPosition = i < l.nq && (unknown.unit == "m" || unknown.unit == "rad");
      if (!isPosition && (i < l.xOffset() || !unknown.differential)) continue;
      for (const double side : {-distance, distance}) {
        std::vector<double> beside = y_;
        beside[i] += side * (unknown.unit == "m"     ? equations_.state.scales.length
                             : unknown.unit == "rad" ? 1
                                                     : unknown.nominal);
        options_.settleModes(beside, yp_);
        if (std::ranges::find(tried, modes()) != tried.end()) continue;
        tried.push_back(modes());
        if (solveInOwnModes(completion, std::move(beside))) return true;
        if (tried.size() == kMostTried) return false;
      }
    }
  }
  return false;
}

Initialisation::Modes Initialisation::modes() const {
  return {equations_.state.modes, equations_.state.relations};
}

void Initialisation::restore(const Modes& modes) {
  std::tie(equations_.state.modes, equations_.state.relations) = modes;
  ++equations_.state.changes;
}

/// There is a solution, but in the modes of the guess alone.
void Initialisation::throwIfOtherModes(const CoupledStart& problem) {
  const Modes solved = modes();
  if (!settlesAnew(problem.y(), problem.yp())) return;
  std::string who;
  SourceMark at;
  for (size_t m = 0; who.empty() && m < flatModel_.modes.size(); ++m) {
    const FlatModel::Mode& mode = flatModel_.modes[m];
    if (equations_.state.modes[m] == solved.first[m]) continue;
    who = fmt::format(" ({}: '{}')", flatModel_.typeAndName(mode.instance), mode.name);
    at = flatModel_.instances[mode.instance].at;
  }
  Diagnostics diagnostics;
  diagnostics.error(at,
                    fmt::format("no consistent start was found: what is fixed there can be met by "
                                "another branch alone than the one that then holds{}",
                                who));
  diagnostics.throwIfErrors();
}

/// A free point that nobody gave a guess starts in the middle of what the force elements at it lead
/// to.
void Initialisation::placeFreePoints() {
  const Layout& l = equations_.layout();
  if (l.freePoints.empty()) return;
  struct Place {
    int x;
    std::vector<int> neighbours;  ///< nodes
  };
  std::vector<Place> places;
  auto nodeOf = [&](size_t frame) { return equations_.nodeOfFrame()[frame]; };
  for (const Layout::FreePoint& f : l.freePoints) {
    bool given = false;
    for (int i = 0; i < 3; ++i) {
      given = given || conditions_.guess()[f.x + i] != l.unknowns[f.x + i].start;
    }
    if (given) continue;
    Place place{f.x, {}};
    for (size_t a = 0; a < flatModel_.frames.size(); ++a) {
      if (nodeOf(a) != f.node) continue;
      for (size_t c = 0; c < flatModel_.frames.size(); ++c) {
        const bool same = flatModel_.frames[c].instance == flatModel_.frames[a].instance;
        if (same && nodeOf(c) != f.node) place.neighbours.push_back(nodeOf(c));
      }
    }
    if (!place.neighbours.empty()) places.push_back(std::move(place));
  }
  for (size_t sweep = 0; sweep <= places.size(); ++sweep) {
    for (const Place& p : places) {
      const Workspace<double>& w =
          at_.evaluateAt(time_, y_.data(), yp_.data(), {.kinematicRows = false});
      Vector3d sum = Vector3d::Zero();
      for (int n : p.neighbours) sum += w.frames[n].r_0;
      for (int i = 0; i < 3; ++i) {
        y_[p.x + i] = sum[i] / static_cast<double>(p.neighbours.size());
      }
    }
  }
}

/// Line forces in series leave a free point free across their line where they do not pull. Returns
/// whether a free point takes part in what is not determined (a damper determines one direction of
/// velocity and leaves the others to the positions).
bool Initialisation::throwIfLoosePoints(const Completion& completion) const {
  const Layout& l = equations_.layout();
  const std::vector<int> columns = undeterminedColumns(completion);
  Diagnostics diagnostics;
  bool any = false;
  for (const Layout::FreePoint& f : l.freePoints) {
    const bool named =
        std::ranges::any_of(columns, [&](int c) { return c + l.nq >= f.x && c + l.nq < f.x + 3; });
    any = any || named;
    if (!named || l.unknowns[f.x].differential) continue;
    const FlatModel::Edge& e = flatModel_.edges[f.edge];
    diagnostics.error(
        flatModel_.instanceOf(e).at,
        fmt::format("{}: the forces at '{}', a point without mass, do not determine its place; two "
                    "line forces in series need a PointMass between them, or a third force",
                    flatModel_.typeAndName(e.instance), flatModel_.frames[e.b.index].name));
  }
  diagnostics.throwIfErrors();
  return any;
}

/// The motion may read the rate of what states determine, not of accelerations or forces.
void Initialisation::throwIfRatesOpen(const Completion& completion) const {
  const Layout& l = equations_.layout();
  Diagnostics diagnostics;
  for (int f : completion.openFollowers()) {
    const int unknown = equations_.followers()[f].unknown;
    for (const SignalSource& s : equations_.signals().sources()) {
      if (s.unknown < 0 || unknown < l.unknownOffset[s.unknown] ||
          unknown >= l.unknownOffset[s.unknown] + s.size)
        continue;
      diagnostics.error(
          s.at, fmt::format("the motion reads the rate of '{}', which depends on accelerations, on "
                            "forces or on other rates here, so that it is not known",
                            l.unknowns[unknown].name));
    }
  }
  diagnostics.throwIfErrors();
}

/// Springs alone hold a flange without inertia: its position follows from the states, and a motion that
/// reads its velocity would have to follow from them once more.
void Initialisation::throwIfRateReadByMotion(const Completion& completion) const {
  const Layout& l = equations_.layout();
  Diagnostics diagnostics;
  for (int i : undeterminedParts(completion, l).unknowns) {
    const Layout::Unknown& unknown = l.unknowns[l.xOffset() + i];
    if (!unknown.differential || static_cast<size_t>(i) < flatModel_.unknowns.size()) continue;
    diagnostics.error(
        ownerOfUnknown(flatModel_, unknown.name).at,
        fmt::format(
            "the motion reads the velocity of '{0}', which has no inertia or damping of its "
            "own to determine it; expressions may read it as der({0})",
            unknown.name));
  }
  diagnostics.throwIfErrors();
}

/// A sensor of acceleration at the flange whose position is unknown q, where others are, too, as they place it.
std::optional<int> Initialisation::sensorAt(int q) const {
  const PotentialNetwork& network = equations_.network();
  std::map<int, int> flanges;  // of the nodes
  for (const int node : network.nodeOfFlange) ++flanges[node];
  for (const FlangeId f : flatModel_.inertialFlanges) {
    const int node = network.nodeOfFlange[f.index];
    const auto isThere = [&](const PotentialNetwork::Term& t) {
      return equations_.layout().positionOfSource[t.source] == q;
    };
    const int instance = flatModel_.flanges[f.index].instance;
    if (flanges[node] > 1 && std::ranges::any_of(network.nodes[node].terms, isThere) &&
        !flatModel_.instances[instance].component->evaluates())
      return instance;
  }
  return std::nullopt;
}

void Initialisation::throwIfMassless(const Completion& completion) const {
  const Layout& l = equations_.layout();
  std::vector<int> edges;
  std::string others;
  SourceMark othersAt;
  Diagnostics diagnostics;
  const std::vector<int> open = velocitiesWithoutMass(completion, l);
  if (!open.empty()) throwIfRateReadByMotion(completion);
  for (int v : open) {
    for (const Layout::TreeJoint& s : l.tree) {
      if (v < s.v || v >= s.v + s.nv) continue;
      if (!s.law) {
        if (const auto sensor = sensorAt(s.q)) {
          diagnostics.error(
              flatModel_.instances[*sensor].at,
              fmt::format("{0}: nothing with inertia determines the acceleration of '{1}'; a "
                          "result may be der(der({1}))",
                          flatModel_.typeAndName(*sensor), l.unknowns[s.q].name));
          continue;
        }
        if (others.empty()) othersAt = ownerOfUnknown(flatModel_, l.unknowns[s.q].name).at;
        others += (others.empty() ? "'" : ", '") + l.unknowns[s.q].name + "'";
      } else if (edges.empty() || edges.back() != s.edge) {
        edges.push_back(s.edge);
      }
    }
  }
  for (size_t i = 0; i < edges.size(); ++i) {
    const int instance = flatModel_.edges[edges[i]].instance;
    const std::string who = flatModel_.typeAndName(instance);
    const SourceMark& at = flatModel_.instances[instance].at;
    if (edges.size() == 1) {
      diagnostics.error(
          at, who + ": moves no mass: nothing with inertia hangs on it along its free direction");
    } else if (i == 0) {
      diagnostics.error(
          at, who +
                  ": moves no mass in common with the joints below: they can move so that nothing "
                  "with inertia moves");
    } else {
      diagnostics.note(at, who + " takes part in it");
    }
  }
  if (!others.empty())
    diagnostics.error(othersAt, "nothing with inertia determines the motion of " + others);
  diagnostics.throwIfErrors();
}

/// Variables of the model's own equations to which nobody gave a guess.
std::vector<int> Initialisation::unguessed() const {
  const Layout& l = equations_.layout();
  std::vector<bool> isGiven(l.unknowns.size(), false);
  for (const StartCondition& c : conditions_.all()) {
    if (c.unknown >= 0 && (c.given || c.fixed)) isGiven[c.unknown] = true;
  }
  std::vector<int> all;
  for (int i = 0; i < std::ssize(flatModel_.unknowns); ++i) {
    const int unknown = l.xOffset() + i;
    if (!isGiven[unknown] && flatModel_.instances[flatModel_.unknowns[i].instance].name.empty())
      all.push_back(unknown);
  }
  return all;
}

/// What cannot be solved from where nobody wanted to begin (x^2 = 2 at 0), perhaps can from beside it.
bool Initialisation::solvesBeside(const std::vector<int>& unknowns,
                                  const std::function<bool()>& solve) {
  if (unknowns.empty()) return false;
  const Layout& l = equations_.layout();
  const std::vector<double> y = y_, yp = yp_;
  const Modes before = modes();
  for (const double side : {1.0, -1.0}) {
    std::vector<std::string> places;
    for (int k : unknowns) {
      y_[k] = y[k] + side * l.unknowns[k].nominal;
      places.push_back(fmt::format("'{}' = {}", l.unknowns[k].name, plain(y_[k])));
    }
    settlesAnew(y_, yp_);
    if (solve()) {
      std::string text = fmt::format(
          "the equations could not be solved from 0, the guess where none is given, but from {}; "
          "where there are several solutions, a guess ('start') chooses",
          joinMost(places, kMostNamed));
      if (std::ranges::find(report_.warnings, text) == report_.warnings.end())
        report_.warnings.push_back(std::move(text));
      return true;
    }
    y_ = y;
    yp_ = yp;
    restore(before);
  }
  return false;
}

/// True where the motion is determined beside the guess, and goes on from there: once.
bool Initialisation::determinedBeside(const Completion& completion) {
  if (std::exchange(isBeside_, true)) return false;
  const Layout& l = equations_.layout();
  const std::vector<int> movable = unguessed();
  std::vector<int> open;
  for (int i : undeterminedParts(completion, l).unknowns) open.push_back(l.xOffset() + i);
  const bool isPlain = std::ranges::all_of(open, [&](int k) {
    return !l.unknowns[k].differential && std::ranges::find(movable, k) != movable.end();
  });
  return isPlain && solvesBeside(open, [&] {
           Completion there(equations_);
           return there.complete(time_, y_, yp_) && !there.singular();
         });
}

/// Equations of the model that depend on each other beside the guess as well: no guess would help. Empty: there
/// they do not.
std::vector<std::string> Initialisation::dependentElsewhere() const {
  const Layout& l = equations_.layout();
  std::vector<double> y = y_, yp = yp_;
  for (int i = l.xOffset(); i < l.lambdaOffset(); ++i) {
    if (!l.unknowns[i].differential) y[i] += (1 + std::abs(y[i])) * (0.6 + 0.3 * std::sin(i));
  }
  Completion completion(equations_);
  completion.complete(time_, y, yp);
  std::vector<std::string> texts;
  const ModelEquations* model = equations_.signals().modelEquations();
  if (!completion.singular() || !model) return texts;
  const std::vector<int> dependent = dependentRows(completion);
  for (const ModelEquations::Row& row : model->rows()) {
    const int first = l.rowOffset[row.id.index] - l.nq;
    if (std::ranges::any_of(dependent, [&](int r) { return r >= first && r < first + row.size; }))
      texts.push_back("'" + row.text + "'");
  }
  return texts;
}

/// What holds the same motion several times over (frictions that are stuck on one shaft, the four
/// feet of a table) shares its load anyhow, which is worth a word, and what is differential may
/// follow from its neighbours: neither is an error.
void Initialisation::throwIfUndetermined(const Completion& completion) {
  const Layout& l = equations_.layout();
  std::vector<bool> switches(flatModel_.instances.size(), false);
  for (const FlatModel::Mode& m : flatModel_.modes) switches[m.instance] = true;
  std::vector<std::string> names, forces, sharing;
  SourceMark at;
  bool ofEquations = false;
  const OpenParts open = undeterminedParts(completion, l);
  for (int i : open.unknowns) {
    if (l.unknowns[l.xOffset() + i].differential) return;
    const std::string name = "'" + l.unknowns[l.xOffset() + i].name + "'";
    bool isOwn = false;
    if (i < std::ssize(flatModel_.unknowns)) {
      const int instance = flatModel_.unknowns[i].instance;
      isOwn = flatModel_.instances[instance].name.empty();
      if (switches[instance]) {
        forces.push_back(name);
        const std::string who = flatModel_.typeAndName(instance);
        if (std::ranges::find(sharing, who) == sharing.end()) sharing.push_back(who);
      }
      if (names.empty()) at = flatModel_.instances[instance].at;
    }
    if (names.empty() && at.line == 0)
      at = ownerOfUnknown(flatModel_, l.unknowns[l.xOffset() + i].name).at;
    ofEquations = ofEquations || isOwn;
    names.push_back(name);
  }
  if (forces.size() == 1) return;
  if (!forces.empty()) {
    report_.sharing = fmt::format(
        "{} hold{} the same motion more than once: {} share its load, and {} of these {} would do "
        "without the rest; nothing determines the shares, so at the start they are those of least "
        "norm",
        fmt::join(sharing, " and "), sharing.size() == 1 ? "s" : "", joinMost(forces, kMostNamed),
        std::ssize(forces) - open.combinations, forces.size());
    return;
  }
  if (names.empty()) return;
  Diagnostics diagnostics;
  if (ofEquations) {
    const std::string what =
        fmt::format("the equations do not determine {}", fmt::join(names, ", "));
    const std::vector<std::string> dependent = dependentElsewhere();
    if (dependent.empty()) {
      diagnostics.error(at, what +
                                " at the guess that they start from; give another one, such as "
                                "'{start: 1}' under 'variables'");
    } else {
      diagnostics.error(
          at,
          fmt::format("{}, whatever {} start from: {} {}", what,
                      names.size() == 1 ? "it may" : "they may", joinMost(dependent, kMostNamed),
                      dependent.size() == 1 ? "says nothing of it"
                                            : "say the same of them, or contradict each other"));
    }
    diagnostics.throwIfErrors();
  }
  diagnostics.error(
      at, fmt::format("nothing determines {}: no path leads there, or two parts prescribe "
                      "the same quantity",
                      fmt::join(names, ", ")));
  diagnostics.throwIfErrors();
}

void Initialisation::fillReport() {
  const Workspace<double>& w = evaluateConditions();
  std::vector<double> buffer;
  using Entry = InitialReport::Kind;
  const std::vector<StartCondition>& all = conditions_.all();
  for (size_t i = 0; i < all.size(); ++i) {
    const StartCondition& c = all[i];
    if (!c.fixed && !c.given && c.unknown < 0) continue;
    const Entry kind = c.fixed ? Entry::fixed : Entry::guess;
    if (c.source == StartCondition::Source::start) {
      report_.entries.push_back({c.name, c.unit, kind, c.wanted, c.wanted + c.residue(w, buffer)});
    } else if (c.element == 0) {
      // An orientation or an equation has no value, only a distance from what was asked for.
      double sum = 0;
      for (int e = 0; e < c.size; ++e) sum += std::pow(all[i + e].residue(w, buffer), 2);
      report_.entries.push_back({c.name, "", kind, 0, std::sqrt(sum), true});
    }
  }
  for (const UnknownParameter& p : options_.parameters) {
    report_.parameters.push_back({p.name, p.start, *p.target});
  }
}

std::string InitialReport::format(size_t most) const {
  auto with = [](double x, const std::string& unit) {
    return plain(x) + (unit.empty() || unit == "1" ? "" : " " + unit);
  };
  std::string text = fmt::format("degrees of freedom: {}\n", degreesOfFreedom);
  auto section = [&](Kind kind, const char* title) {
    size_t lines = 0;
    for (const Entry& e : entries) {
      if (e.kind != kind) continue;
      if (lines == 0) text += title;
      if (lines++ >= most) continue;
      if (e.isResidue) {
        text += fmt::format("  {}: {}\n", e.name,
                            std::abs(e.reached) < 1e-9 ? "met" : "missed by " + plain(e.reached));
        continue;
      }
      text += fmt::format("  {} = {}", e.name, with(e.reached, e.unit));
      if (kind == Kind::guess && std::abs(e.moved()) > 1e-9 * (1 + std::abs(e.wanted))) {
        text += fmt::format(", moved by {} from {}", plain(e.moved()), plain(e.wanted));
      }
      text += "\n";
    }
    text += moreLines(lines, most);
  };
  section(Kind::fixed, "fixed at the start:\n");
  section(Kind::guess, "guesses:\n");
  if (!parameters.empty()) text += "parameters found from the initial conditions:\n";
  for (size_t i = 0; i < std::min(most, parameters.size()); ++i) {
    const Parameter& p = parameters[i];
    text += fmt::format("  {} = {}, started from {}\n", p.name, plain(p.reached), plain(p.start));
  }
  text += moreLines(parameters.size(), most);
  if (!states.empty()) text += "states: " + joinMost(states, most) + "\n";
  if (!loops.empty()) text += "loops:\n";
  for (size_t i = 0; i < std::min(most, loops.size()); ++i) text += "  " + loops[i].format() + "\n";
  text += moreLines(loops.size(), most);
  if (!redundantConstraints.empty()) {
    text += "redundant constraints (their reactions are shared out by least norm):\n";
  }
  for (size_t i = 0; i < std::min(most, redundantConstraints.size()); ++i)
    text += "  " + redundantConstraints[i] + "\n";
  text += moreLines(redundantConstraints.size(), most);
  for (const std::string& warning : warnings) text += "warning: " + warning + "\n";
  if (!overlaps.empty()) text += "warning: " + overlaps + "\n";
  return text;
}

}  // namespace cardan
