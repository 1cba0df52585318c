#include "engine/equations/solvability.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "engine/structure/matching.h"

namespace cardan {
namespace {

/// What the equations contain, element by element; elements of one array are not told apart.
class Incidence {
 public:
  Incidence(const ModelEquations& equations, const VariableTable& table) : table_(table) {
    for (const ModelEquations::Unknown& u : equations.unknowns()) {
      const int k = std::ssize(first_);
      first_.push_back(unknowns_);
      sizes_.push_back(u.size);
      unknowns_ += u.size;
      for (int d = 0; d <= u.order; ++d) {
        if (const auto v = table.find(u.derivativeName(d))) meaning_[*v] = {k, d == u.order};
      }
    }
    for (size_t r = 0; r < equations.rows().size(); ++r) {
      const ModelEquations::Row& row = equations.rows()[r];
      Contents c;
      std::set<int> seen;
      read(*row.left, c, seen);
      read(*row.right, c, seen);
      for (int i = 0; i < row.size; ++i) {
        highest.push_back(elementsOf(c.highest, c.open));
        any.push_back(elementsOf(c.any, c.open));
        rowOf.push_back(r);
      }
    }
  }

  int unknowns() const { return unknowns_; }
  /// The unknown that an element belongs to.
  size_t unknownOf(int element) const {
    return std::ranges::upper_bound(first_, element) - first_.begin() - 1;
  }

  std::vector<std::vector<int>>
      highest;                        ///< per equation: unknowns whose highest derivative it has
  std::vector<std::vector<int>> any;  ///< per equation: unknowns that it has in any form
  std::vector<size_t> rowOf;

 private:
  struct Contents {
    std::set<int> highest, any;
    bool open = false;  ///< reads what may depend on all of them
  };
  struct Meaning {
    int unknown;
    bool highest;
  };

  void read(const ExpressionVariable& e, Contents& c, std::set<int>& seen) const {
    std::vector<const ExpressionVariable*> open{&e};
    while (!open.empty()) {
      const ExpressionVariable& next = *open.back();
      open.pop_back();
      for (const ExpressionVariable::Source& s : next.sources()) {
        const VariableTable::Variable& v = table_[s.variable];
        if (const auto m = meaning_.find(s.variable); m != meaning_.end()) {
          c.any.insert(m->second.unknown);
          if (m->second.highest) c.highest.insert(m->second.unknown);
        } else if (s.derivative > 0 && !v.expression) {
          c.open = c.open || v.info.level >= Level::Velocity;
        } else if (!v.expression) {
          c.open = c.open || v.info.level >= Level::Acceleration || !v.info.reads.empty();
        }
        c.open = c.open || (s.derivative > 0 && v.expression);
        if (v.expression && seen.insert(s.variable).second) open.push_back(v.expression);
      }
    }
  }

  std::vector<int> elementsOf(const std::set<int>& unknowns, bool open) const {
    std::vector<int> result;
    const auto add = [&](int u) {
      for (int i = 0; i < sizes_[u]; ++i) result.push_back(first_[u] + i);
    };
    for (int u : unknowns) add(u);
    for (int u = 0; open && u < std::ssize(sizes_); ++u) {
      if (!unknowns.contains(u)) add(u);
    }
    return result;
  }

  const VariableTable& table_;
  std::map<int, Meaning> meaning_;  ///< by variable of the table
  std::vector<int> first_, sizes_;  ///< per unknown
  int unknowns_ = 0;
};

std::string plural(size_t n, const char* noun) {
  return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

class Report {
 public:
  Report(const ModelEquations& e, const Incidence& i, Diagnostics& d)
      : equations_(e), incidence_(i), diagnostics_(d) {}

  /// No way to give every unknown an equation.
  void singular(const Matching& m) {
    const size_t equations = incidence_.any.size();
    const size_t unknowns = incidence_.unknowns();
    const std::string count =
        equations == unknowns
            ? std::string("the model's equations must determine all its unknowns")
            : fmt::format("the model's equations must be as many as its unknowns, found {} for {}",
                          equations, plural(unknowns, "unknown"));
    std::set<size_t> told;
    for (const int u : m.unknownsLeft()) {
      const size_t k = incidence_.unknownOf(u);
      if (!told.insert(k).second) continue;
      const ModelEquations::Unknown& unknown = equations_.unknowns()[k];
      diagnostics_.error(unknown.at, count + ": no equation is left for '" + unknown.name + "'");
    }
    told.clear();
    for (const int e : m.equationsLeft()) {
      const size_t r = incidence_.rowOf[e];
      if (!told.insert(r).second) continue;
      const ModelEquations::Row& row = equations_.rows()[r];
      diagnostics_.error(row.left->at(), count + ": '" + row.text + "' " + tooMany(m, e));
    }
  }

  /// Every unknown has an equation, but not every highest derivative.
  void highIndex(const Matching& m) {
    std::set<size_t> told;
    for (const int e : m.equationsLeft()) {
      const size_t r = incidence_.rowOf[e];
      if (!told.insert(r).second) continue;
      const ModelEquations::Row& row = equations_.rows()[r];
      std::set<std::string> tied;
      for (const int u : incidence_.any[e])
        tied.insert("'" + equations_.unknowns()[incidence_.unknownOf(u)].name + "'");
      std::set<std::string> open;
      for (const int u : m.unknownsLeft()) {
        const ModelEquations::Unknown& unknown = equations_.unknowns()[incidence_.unknownOf(u)];
        open.insert("'" + unknown.derivativeName(unknown.order) + "'");
      }
      diagnostics_.error(
          row.left->at(),
          fmt::format(
              "the equations have an index above 1: '{}' holds between states ({}), so that "
              "no equation is left for {}; write the equation differentiated by time, and "
              "this one under 'initial_equations'",
              row.text, fmt::join(tied, ", "), fmt::join(open, ", ")));
    }
  }

 private:
  std::string tooMany(const Matching& m, int equation) const {
    std::set<std::string> names;
    for (const int u : m.contested(equation))
      names.insert("'" + equations_.unknowns()[incidence_.unknownOf(u)].name + "'");
    if (names.empty()) return "contains none of them";
    return fmt::format("is one too many: the others determine {}", fmt::join(names, ", "));
  }

  const ModelEquations& equations_;
  const Incidence& incidence_;
  Diagnostics& diagnostics_;
};

}  // namespace

void checkSolvable(const ModelEquations& equations, const VariableTable& table,
                   Diagnostics& diagnostics) {
  const Incidence incidence(equations, table);
  const Matching any(incidence.any, incidence.unknowns());
  Report report(equations, incidence, diagnostics);
  if (!any.perfect()) return report.singular(any);
  const Matching highest(incidence.highest, incidence.unknowns());
  if (!highest.perfect()) report.highIndex(highest);
}

}  // namespace cardan
