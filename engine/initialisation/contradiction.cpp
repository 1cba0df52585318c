#include "engine/initialisation/contradiction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/initialisation/loop_report.h"
#include "engine/structure/dense_algebra.h"

namespace cardan {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr size_t kMostCandidates = 40;
constexpr double kClosed = 1e-8;  // [rad] or of the model's length

class Explanation {
 public:
  Explanation(const Equations& equations, const StartConditions& conditions, LevelRows& problem,
              const Movability& movability, const LeastChangeResult& best, double time,
              Diagnostics& diagnostics)
      : equations_(equations),
        conditions_(conditions),
        problem_(problem),
        movability_(movability),
        best_(best),
        time_(time),
        diagnostics_(diagnostics),
        rows_(problem.list()) {}

  void explain() {
    problem_.setRows(
        without([](const StartRow& r) { return r.kind == StartRow::Kind::condition; }));
    const LeastChangeResult closed = leastChange(problem_, best_.u, movability_);
    if (!closed.converged) {
      gaps(closed);
    } else if (!singleCulprits()) {
      compromise();
    }
    problem_.setRows(rows_);
  }

 private:
  const StartCondition& condition(const StartRow& r) const { return conditions_.all()[r.index]; }

  template <class Predicate>
  std::vector<StartRow> without(Predicate p) const {
    std::vector<StartRow> rest;
    std::copy_if(rows_.begin(), rows_.end(), std::back_inserter(rest),
                 [&](const StartRow& r) { return !p(r); });
    return rest;
  }

  /// The elements of one initial condition (three of an orientation) stand and fall together.
  bool sameStatement(const StartRow& a, const StartRow& b) const {
    if (a.kind != StartRow::Kind::condition || b.kind != StartRow::Kind::condition) return false;
    return a.index == b.index || (condition(a).source == StartCondition::Source::initial &&
                                  condition(a).function == condition(b).function);
  }

  /// Fixed values with a share in the contradiction, the first row of each.
  std::vector<StartRow> candidates() const {
    const double largest = best_.residue.size() > 0 ? best_.residue.cwiseAbs().maxCoeff() : 0.0;
    std::vector<StartRow> list;
    for (size_t i = 0; i < rows_.size(); ++i) {
      if (rows_[i].kind != StartRow::Kind::condition) continue;
      if (std::abs(best_.residue[i]) <= 1e-6 * largest) continue;
      const bool known = std::any_of(list.begin(), list.end(),
                                     [&](const StartRow& r) { return sameStatement(r, rows_[i]); });
      if (!known && list.size() < kMostCandidates) list.push_back(rows_[i]);
    }
    return list;
  }

  /// Everything but one fixed value can be satisfied: one message for each such value.
  bool singleCulprits() {
    bool any = false;
    for (const StartRow& c : candidates()) {
      problem_.setRows(without([&](const StartRow& r) { return sameStatement(r, c); }));
      const LeastChangeResult rest = leastChange(problem_, best_.u, movability_);
      if (!rest.converged) continue;
      say(condition(c), verdict(c, rest), !any);
      any = true;
    }
    return any;
  }

  std::string verdict(const StartRow& c, const LeastChangeResult& rest) {
    // Do the others determine the value, or only limit it? At its limit a value has no slope: look
    // beside it.
    VectorXd beside = rest.u;
    for (int i = 0; i < beside.size(); ++i) beside[i] += 1e-3 * std::sin(i + 1.0);
    BlockMatrix slopes;
    problem_.jacobian(beside, slopes);
    const MatrixXd J = slopes.dense();
    std::vector<StartRow> own;
    std::copy_if(rows_.begin(), rows_.end(), std::back_inserter(own),
                 [&](const StartRow& r) { return sameStatement(r, c); });
    problem_.setRows(own);
    problem_.jacobian(beside, slopes);
    const MatrixXd Jc = slopes.dense();
    VectorXd r(problem_.rows());
    problem_.residue(rest.u, r);
    MatrixXd both(J.rows() + Jc.rows(), J.cols());
    both << J, Jc;
    auto rank = [](const MatrixXd& A) { return A.size() == 0 ? 0 : PivotedQr(A, 1e-7).rank(); };
    const bool determined = rank(both) == rank(J);
    const StartCondition& s = condition(c);
    if (s.source == StartCondition::Source::initial) {
      return fmt::format("is fixed, but the other fixed values {} {} away from it",
                         determined ? "lead to a start" : "allow no start nearer than",
                         plain(r.norm()));
    }
    const double reached = s.wanted + r[0];
    if (s.source == StartCondition::Source::equation) {
      return fmt::format("is an initial equation, but the other conditions leave a residue of {}",
                         plain(r[0]));
    }
    return determined ? fmt::format("is fixed at {} but the other fixed values lead to {}",
                                    plain(s.wanted), plain(reached))
                      : fmt::format("is fixed at {}, which cannot be reached; the nearest is {}",
                                    plain(s.wanted), plain(reached));
  }

  /// More than one value would have to go.
  void compromise() {
    bool first = true;
    for (const StartRow& c : candidates()) {
      for (size_t i = 0; i < rows_.size(); ++i) {
        if (rows_[i].kind != c.kind || rows_[i].index != c.index) continue;
        const StartCondition& s = condition(c);
        say(s,
            fmt::format("is fixed at {}, but the fixed values contradict each other: the best "
                        "compromise has {}",
                        plain(s.wanted), plain(s.wanted + best_.residue[i])),
            first);
        first = false;
      }
    }
    if (first) conflict(rows_, best_);
  }

  /// Constraints alone that exclude each other: those with a share in what remains open.
  void conflict(const std::vector<StartRow>& rows, const LeastChangeResult& result) {
    struct Open {
      Concerned owner;
      double residue;
    };
    std::vector<Open> open;
    const double largest = result.residue.size() > 0 ? result.residue.cwiseAbs().maxCoeff() : 0.0;
    const Layout& l = equations_.layout();
    for (int i = 0; i < std::ssize(rows) && i < result.residue.size(); ++i) {
      const StartRow& r = rows[i];
      double residue = std::abs(result.residue[i]);
      if (!(residue > 1e-3 * largest)) continue;
      Concerned owner;
      if (r.kind == StartRow::Kind::condition) {
        owner = {describeCondition(equations_.flatModel(), condition(r)), condition(r).at};
      } else if (r.kind == StartRow::Kind::coordinate) {
        const Layout::TreeJoint& s = l.tree[r.index];
        owner = ownerOfUnknown(equations_.flatModel(), l.unknowns[s.q].name);
      } else {
        owner = ownerOfRow(equations_, r.index);
        residue *= equations_.positionScale(r.index);
      }
      const auto same =
          std::ranges::find_if(open, [&](const Open& o) { return o.owner.who == owner.who; });
      if (same == open.end()) {
        open.push_back({std::move(owner), residue});
      } else {
        same->residue = std::max(same->residue, residue);
      }
    }
    if (open.empty()) open.push_back({{"the model", {}}, largest});
    std::string others;
    for (size_t i = 1; i < open.size(); ++i) {
      others += (i == 1 ? " together with " : ", ") + open[i].owner.who;
    }
    diagnostics_.error(
        open.front().owner.at,
        fmt::format("{}: its constraint cannot be met at the start{}: {} remains open",
                    open.front().owner.who, others, plain(open.front().residue)));
    for (size_t i = 1; i < open.size(); ++i) {
      diagnostics_.note(open[i].owner.at, fmt::format("{} takes part in it, {} remains open",
                                                      open[i].owner.who, plain(open[i].residue)));
    }
  }

  void say(const StartCondition& c, const std::string& text, bool first) {
    const std::string message = describeCondition(equations_.flatModel(), c) + " " + text;
    first ? diagnostics_.error(c.at, message) : diagnostics_.note(c.at, message);
  }

  /// Loops that stay open, and other constraints that stay violated.
  void gaps(const LeastChangeResult& closed) {
    const Layout& l = equations_.layout();
    const FlatModel& b = equations_.flatModel();
    EvaluationPoint at(equations_);
    const std::vector<double> still(l.size(), 0.0);
    const Workspace<double>& w =
        at.evaluateAt(time_, problem_.put(closed.u).data(), still.data(), {.kinematicRows = false});
    std::vector<bool> told(l.nlambda, false);
    bool any = false;
    auto openedBy = [&](int row, const Gap& gap) {
      const std::string size = gap.format(equations_.state.scales.length);
      if (size.empty()) return;
      any = true;
      for (const Closure& c : closuresOf(b, l, equations_.nodeOfFrame())) {
        if (c.row != row) continue;
        diagnostics_.error(
            b.instances[c.instance].at,
            fmt::format("{}: its loop cannot be closed: a gap of {} remains between its frames; {}",
                        b.typeAndName(c.instance), size, jointsOf(c)));
        return;
      }
      std::string what = l.rowNames[row];
      SourceMark mark;
      for (size_t c = 0; c < b.constraints.size(); ++c) {
        if (l.constraintOffset[c] != row) continue;
        what = b.typeAndName(b.constraints[c].instance) + ": '" + b.constraints[c].name + "'";
        mark = b.instances[b.constraints[c].instance].at;
      }
      diagnostics_.error(
          mark, fmt::format("{} cannot be met at the start: the joints around it leave {} open",
                            what, size));
    };
    for (const Layout::CutJoint& c : l.cutJoints) {
      if (c.rows == 0) continue;
      for (int i = 0; i < c.rows; ++i) told[c.row + i] = true;
      openedBy(c.row, gapOf(c, w));
    }
    for (size_t c = 0; c < b.constraints.size(); ++c) {
      const FlatModel::Constraint& constraint = b.constraints[c];
      Gap gap;
      const int row = l.constraintOffset[c];
      for (int i = 0; i < constraint.positionRows; ++i) {
        told[row + i] = true;
        gap.add(w.positionResidues[row + i], constraint.unit == "rad");
      }
      openedBy(row, gap);
    }
    for (int k = 0; k < l.nlambda; ++k) {
      if (told[k] || l.muOfLambda[k] < 0) continue;
      const double g = w.positionResidues[k];
      if (std::abs(g) < kClosed * equations_.positionScale(k)) continue;
      const Concerned owner = ownerOfRow(equations_, k);
      diagnostics_.error(owner.at,
                         fmt::format("{}: the constraint '{}' cannot be met at the start: {} "
                                     "remains",
                                     owner.who, l.rowNames[k], plain(g)));
      any = true;
    }
    if (!any) conflict(problem_.list(), closed);
  }

  /// What stays open of a constraint, lengths and angles apart.
  struct Gap {
    double metres = 0, radians = 0;  ///< squares of them
    void add(double residue, bool isAngle) { (isAngle ? radians : metres) += residue * residue; }
    /// "0.2 m and 0.1 rad"; empty: closed.
    std::string format(double length) const {
      std::string text;
      if (std::sqrt(metres) > kClosed * length) text = fmt::format("{:.4g} m", std::sqrt(metres));
      if (std::sqrt(radians) > kClosed) {
        text += fmt::format("{}{:.4g} rad", text.empty() ? "" : " and ", std::sqrt(radians));
      }
      return text;
    }
  };

  static Gap gapOf(const Layout::CutJoint& c, const Workspace<double>& w) {
    ClosureRows<double> rows;
    c.closure->closure(relativeMotion(w.frames[c.a], w.frames[c.b]), rows);
    Gap gap;
    for (int i = 0; i < rows.count; ++i) gap.add(rows.rows[i].g, rows.rows[i].lin.isZero());
    return gap;
  }

  std::string jointsOf(const Closure& c) const {
    const Layout& l = equations_.layout();
    const FlatModel& b = equations_.flatModel();
    std::vector<std::string> names;
    if (c.moves) names.push_back(b.instances[c.instance].name);
    for (int i : stepsOfLoop(l, c)) {
      names.push_back(b.instanceOf(b.edges[l.tree[i].edge]).name);
    }
    return names.empty() ? "the loop has no joint that could move"
                         : fmt::format("joints of the loop: '{}'", fmt::join(names, "', '"));
  }

  const Equations& equations_;
  const StartConditions& conditions_;
  LevelRows& problem_;
  const Movability& movability_;
  const LeastChangeResult& best_;
  double time_;
  Diagnostics& diagnostics_;
  std::vector<StartRow> rows_;
};

}  // namespace

void explainContradiction(const Equations& equations, const StartConditions& conditions,
                          LevelRows& problem, const Movability& movability,
                          const LeastChangeResult& best, double time, Diagnostics& diagnostics) {
  Explanation(equations, conditions, problem, movability, best, time, diagnostics).explain();
}

Concerned ownerOfRow(const Equations& equations, int multiplier) {
  const Layout& l = equations.layout();
  const FlatModel& b = equations.flatModel();
  auto instance = [&](int i) { return Concerned{b.typeAndName(i), b.instances[i].at}; };
  for (const Layout::CutJoint& c : l.cutJoints) {
    if (multiplier >= c.row && multiplier < c.row + c.rows)
      return instance(b.edges[c.edge].instance);
  }
  for (size_t c = 0; c < b.constraints.size(); ++c) {
    const int rows = b.constraints[c].positionRows + b.constraints[c].velocityRows;
    if (multiplier >= l.constraintOffset[c] && multiplier < l.constraintOffset[c] + rows)
      return instance(b.constraints[c].instance);
  }
  const size_t relation = multiplier - l.firstRelation;
  if (relation < equations.network().relations.size())
    return ownerOfUnknown(b, equations.network().relations[relation].name + ".");
  return {l.rowNames[multiplier], {}};
}

Concerned ownerOfUnknown(const FlatModel& b, const std::string& unknown) {
  // The longest name that the unknown's begins with.
  const Instance* owner = nullptr;
  int which = 0;
  for (size_t i = 0; i < b.instances.size(); ++i) {
    const Instance& candidate = b.instances[i];
    const size_t begin = unknown.starts_with("der(") ? 4 : 0;
    const std::string prefix = candidate.full("");
    if (unknown.compare(begin, prefix.size(), prefix) != 0) continue;
    if (owner && owner->name.size() >= candidate.name.size()) continue;
    owner = &candidate;
    which = i;
  }
  if (!owner) return {"'" + unknown + "'", {}};
  return {b.typeAndName(which), owner->at};
}

std::string describeCondition(const FlatModel& flatModel, const StartCondition& condition) {
  const std::string variable = "'" + condition.local + "'";
  return condition.instance < 0 ? variable
                                : flatModel.typeAndName(condition.instance) + ": " + variable;
}

std::string plain(double x) {
  // Rounding of the solution is nobody's concern.
  if (std::abs(x) < 1e-12) x = 0;
  return fmt::format("{:.6g}", x);
}

}  // namespace cardan
