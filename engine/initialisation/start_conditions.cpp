#include "engine/initialisation/start_conditions.h"

#include <algorithm>
#include <map>

namespace cardan {
namespace {

/// stateSelect first, then whether the user wrote the value.
int tierOf(StateSelect select, bool given) {
  const int rank = select == StateSelect::always ? 2 : select == StateSelect::prefer ? 1 : 0;
  return 2 * rank + (given ? 1 : 0);
}

bool isRow(Level level) { return level != Level::Constant && level != Level::Time; }

}  // namespace

template <class S>
S StartCondition::residue(const Workspace<S>& w, std::vector<S>& buffer) const {
  if (isUnknown) return w.y[unknown] - wanted;
  if (std::ssize(buffer) < size) buffer.resize(size, S(0));
  // A view only reads here; it holds a reference because components write through it.
  View<S> view(const_cast<EvaluationTables<S>&>(w.tables));
  function->evaluate(view, buffer.data());
  return buffer[element] - wanted;
}
template double StartCondition::residue(const Workspace<double>&, std::vector<double>&) const;
template Dual StartCondition::residue(const Workspace<Dual>&, std::vector<Dual>&) const;

StartConditions::StartConditions(const Equations& equations, const VariableTable& variables,
                                 const std::vector<InitialEquation>& equationsAtStart) {
  for (const Layout::Unknown& u : equations.layout().unknowns) guess_.push_back(u.start);
  tiers_.assign(guess_.size(), 0);
  addStarts(equations, variables);
  addInitials(equations, variables);
  for (const InitialEquation& e : equationsAtStart) {
    for (int k = 0; k < e.size; ++k) {
      StartCondition c;
      c.source = StartCondition::Source::equation;
      c.function = e.function;
      c.size = e.size;
      c.element = k;
      c.level = e.level;
      c.fixed = c.given = true;
      c.at = e.at;
      c.name = c.local = e.name;
      all_.push_back(std::move(c));
    }
  }
  guessMeasured(equations, variables);
}

void StartConditions::addStarts(const Equations& equations, const VariableTable& variables) {
  const Layout& l = equations.layout();
  const FlatModel& b = equations.flatModel();
  std::map<std::pair<int, int>, int> unknownOf;
  for (int i = 0; i < l.lambdaOffset(); ++i) {
    const auto elements = variables.knownElements(l.unknowns[i].name);
    if (elements.size() == 1) unknownOf.insert({{elements[0].variable, elements[0].element}, i});
  }
  // What follows a signal may be a state in its place, and begins where the signal is meant to.
  std::map<std::pair<int, int>, int> followerOf;
  for (const SignalSource& s : equations.signals().sources()) {
    for (int k = 0; s.follows && s.variable >= 0 && k < s.size; ++k) {
      followerOf[{s.variable, s.element < 0 ? k : s.element}] = l.unknownOffset[s.unknown] + k;
    }
  }
  for (const VariableTable::Start& s : variables.starts()) {
    const VariableTable::Variable& v = variables[s.of.variable];
    Level level = s.level.value_or(v.info.level);
    if (s.fixed) level = std::max(level, Level::Position);  // also of what is known: it must agree
    if (!isRow(level)) continue;
    StartCondition c;
    c.function = v.function.get();
    c.size = v.size;
    c.element = s.of.element;
    c.wanted = s.start;
    c.level = level;
    c.fixed = s.fixed;
    c.given = s.given;
    c.tier = tierOf(s.select, s.given || s.fixed);
    c.instance = v.instance;
    c.name = variables.nameOf(s.of);
    c.local = c.name;
    c.unit = v.info.unit;
    c.at = s.at;
    if (v.instance >= 0) {
      const Instance& instance = b.instances[v.instance];
      if (s.at.line == 0) c.at = instance.at;
      if (!instance.name.empty() && c.name.starts_with(instance.name + "."))
        c.local = c.name.substr(instance.name.size() + 1);
    }
    if (const auto u = unknownOf.find({s.of.variable, s.of.element}); u != unknownOf.end()) {
      c.unknown = u->second;
      c.isUnknown = v.instance >= 0 && b.instances[v.instance].name.empty();
      tiers_[c.unknown] = c.tier;
      // A default start says no more than the coordinate's own.
      if (s.fixed || s.given) guess_[c.unknown] = s.start;
    } else if (const auto f = followerOf.find({s.of.variable, s.of.element});
               f != followerOf.end()) {
      tiers_[f->second] = c.tier;
      if (s.fixed || s.given) guess_[f->second] = s.start;
    }
    all_.push_back(std::move(c));
  }
}

void StartConditions::addInitials(const Equations& equations, const VariableTable& variables) {
  for (const VariableTable::Initial& i : variables.initials()) {
    // A guess that nobody gave moves nothing.
    if (!i.info.fixed && !i.info.given) continue;
    for (int k = 0; k < i.size; ++k) {
      StartCondition c;
      c.source = StartCondition::Source::initial;
      c.function = i.function.get();
      c.size = i.size;
      c.element = k;
      c.level = i.info.level;
      c.fixed = i.info.fixed;
      c.given = i.info.given;
      c.tier = tierOf(i.info.stateSelect, i.info.given || i.info.fixed);
      c.instance = i.instance;
      c.local = i.info.name;
      c.name = i.info.name;
      if (i.instance >= 0) {
        const Instance& instance = equations.flatModel().instances[i.instance];
        c.at = instance.at;
        c.name = instance.full(i.info.name);
      }
      all_.push_back(std::move(c));
    }
  }
}

void StartConditions::adopt(EvaluationPoint& at, double time) {
  const Layout& l = at.layout();
  int firstOwn = l.nq, firstOwnVelocity = l.nv;
  for (size_t s = l.edges; s < l.tree.size(); ++s) {
    firstOwn = std::min(firstOwn, l.tree[s].q);
    firstOwnVelocity = std::min(firstOwnVelocity, l.tree[s].v);
  }
  auto isOwn = [&](int i) {
    return i >= l.xOffset() || (i < l.nq ? i >= firstOwn : i - l.nq >= firstOwnVelocity);
  };
  if (firstOwn == l.nq && l.nx == 0) return;

  std::vector<StartCondition*> list;
  for (StartCondition& c : all_) {
    // Of an algebraic unknown, too: a variable that is another name of it.
    const bool level = c.level == Level::Position || c.level == Level::Velocity ||
                       (c.level == Level::Acceleration && c.given);
    if (c.source == StartCondition::Source::start && c.unknown < 0 && level) list.push_back(&c);
  }
  std::stable_sort(list.begin(), list.end(), [](const auto* a, const auto* b) {
    return a->fixed != b->fixed ? a->fixed : a->tier > b->tier;
  });
  struct Dependence {
    int unknown = -1;
    int count = 0;
    double residue = 0, slope = 0;
  };
  std::vector<Dependence> found(list.size());
  std::vector<Dual> buffer;
  const std::vector<double> still(guess_.size(), 0.0);
  at.setPoint(time, guess_.data(), still.data());
  at.columns(
      list.empty() ? 0 : l.lambdaOffset(), {.kinematicRows = false, .measure = true},
      [](Workspace<Dual>& w, int c, int lane, double on) { w.y[c].setLane(lane, on); },
      [&](const Workspace<Dual>& w, int c, int lane) {
        for (size_t i = 0; i < list.size(); ++i) {
          const Dual r = list[i]->residue(w, buffer);
          if (r.lane(lane) == 0) continue;
          found[i] = {c, found[i].count + 1, r.v, r.lane(lane)};
        }
      });
  std::vector<bool> known(guess_.size(), false);
  for (const StartCondition& c : all_) {
    if (c.unknown >= 0 && (c.given || c.fixed)) known[c.unknown] = true;
  }
  for (size_t i = 0; i < list.size(); ++i) {
    const Dependence& d = found[i];
    if (d.count != 1 || !isOwn(d.unknown) || known[d.unknown]) continue;
    tiers_[d.unknown] = std::max(tiers_[d.unknown], list[i]->tier);
    if (!list[i]->fixed && !list[i]->given) continue;
    known[d.unknown] = true;
    guess_[d.unknown] -= d.residue / d.slope;
  }
}

void StartConditions::guessMeasured(const Equations& equations, const VariableTable& variables) {
  const Layout& l = equations.layout();
  measured_.assign(l.measuredSize, 0.0);
  for (const Layout::CutJoint& c : l.cutJoints) {
    const FlatModel::Edge& e = equations.flatModel().edges[c.edge];
    const std::string prefix = equations.flatModel().instanceOf(e).name + ".";
    for (size_t i = 0; i < e.positions.size(); ++i) {
      double& q = measured_[c.measured + i];
      q = e.positions[i].start;
      const auto elements = variables.knownElements(prefix + e.positions[i].name);
      if (elements.size() != 1) continue;
      for (const VariableTable::Start& s : variables.starts()) {
        if (s.of.variable == elements[0].variable && s.of.element == elements[0].element &&
            (s.given || s.fixed)) {
          q = s.start;
        }
      }
    }
  }
}

}  // namespace cardan
