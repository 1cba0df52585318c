#include "engine/dynamics/resting_unknowns.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>

namespace cardan {
namespace {

constexpr int kMostIdle = 30;  // that rest and are not left out, beside as many as do not rest

}  // namespace

RestingUnknowns::RestingUnknowns(const Equations& equations)
    : equations_(equations), out_(static_cast<size_t>(equations.layout().size()), 0) {
  const FlatModel& flat = equations.flatModel();
  const Layout& l = equations.layout();
  std::vector<std::vector<int>> unknowns(flat.instances.size()), rows(flat.instances.size()),
      frames(flat.instances.size());
  for (size_t u = 0; u < flat.unknowns.size(); ++u)
    unknowns[static_cast<size_t>(flat.unknowns[u].instance)].push_back(l.unknownOffset[u]);
  for (size_t r = 0; r < flat.rows.size(); ++r) {
    for (int k = 0; k < flat.rows[r].size; ++k)
      rows[static_cast<size_t>(flat.rows[r].instance)].push_back(l.rowOffset[r] + k);
  }
  for (size_t f = 0; f < flat.frames.size(); ++f) {
    if (flat.frames[f].instance >= 0)
      frames[static_cast<size_t>(flat.frames[f].instance)].push_back(static_cast<int>(f));
  }
  std::unordered_set<std::string_view> pairs;
  for (const Encounters::Pair& p : flat.encounters.pairs) pairs.insert(p.name);
  std::vector<int> stepTo(static_cast<size_t>(equations_.nodes()), -1);
  for (int i = 0; i < l.edges; ++i)
    stepTo[static_cast<size_t>(l.tree[static_cast<size_t>(i)].far)] = i;
  for (size_t i = 0; i < flat.instances.size(); ++i) {
    const Instance& of = flat.instances[i];
    if (unknowns[i].empty() || unknowns[i] != rows[i] || !pairs.contains(of.name)) continue;
    addWhatMoves(frames[i], stepTo,
                 candidates_.emplace_back(Candidate{of.component, unknowns[i], {}, {}}));
  }
}

/// `stepTo`: per node, the joint of the tree that leads to it, or -1.
void RestingUnknowns::addWhatMoves(const std::vector<int>& frames, const std::vector<int>& stepTo,
                                   Candidate& c) {
  const Layout& l = equations_.layout();
  std::vector<int> steps;
  for (const int f : frames) {
    int node = equations_.nodeOfFrame()[static_cast<size_t>(f)];
    while (stepTo[static_cast<size_t>(node)] >= 0) {
      const int step = stepTo[static_cast<size_t>(node)];
      steps.push_back(step);
      node = l.tree[static_cast<size_t>(step)].near;
    }
  }
  std::ranges::sort(steps);
  steps.erase(std::ranges::unique(steps).begin(), steps.end());
  for (const int step : steps) {
    const Layout::TreeJoint& s = l.tree[static_cast<size_t>(step)];
    for (int i = 0; i < s.nq; ++i) {
      c.columns.push_back(s.q + i);
      if (i < s.nv) c.rows.push_back(s.q + i);
    }
  }
  c.rows.insert(c.rows.end(), c.own.begin(), c.own.end());
  c.columns.insert(c.columns.end(), c.own.begin(), c.own.end());
}

bool RestingUnknowns::update(const Workspace<double>& at) {
  const View<double> x(const_cast<EvaluationTables<double>&>(at.tables));
  bool changed = false;
  int idle = 0, awake = 0;
  for (size_t i = 0; i < candidates_.size(); ++i) {
    Candidate& c = candidates_[i];
    const bool rests = c.component->rests(x);
    if (c.isOut && !rests) {
      c.isOut = false;
      changed = true;
      woken_.push_back(i);
    }
    if (!c.isOut) ++(rests ? idle : awake);
  }
  const bool purge = idle > 0 && (!begun_ || idle > kMostIdle + awake);
  begun_ = true;
  for (Candidate& c : candidates_) {
    if (!purge || c.isOut || !c.component->rests(x)) continue;
    c.isOut = changed = true;
  }
  if (changed) list();
  return changed;
}

/// The unknowns of those that are out.
void RestingUnknowns::list() {
  list_.clear();
  for (const Candidate& c : candidates_) {
    for (const int u : c.own) {
      out_[static_cast<size_t>(u)] = c.isOut ? 1 : 0;
      if (c.isOut) list_.push_back(u);
    }
  }
}

}  // namespace cardan
