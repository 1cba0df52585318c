// Equations of composites that hold between potentials of their connectors: `a.s = s; b.s = s`. They leave
// flows without an equation, so that a part of the catalogue ties what is connected there, and the flow
// through one of the connectors is what the others at its node leave.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "engine/expression/functions.h"
#include "engine/modelica/flattening.h"
#include "engine/modelica/flow_source.h"
#include "engine/modelica/scalar_expression.h"

namespace cardan::modelica {
namespace {

struct Tie {
  std::string_view connector;
  const char* fixed;     ///< class that gives a constant potential, and its parameter
  const char* constant;  ///< "" for none
  const char* moved;     ///< class that gives a potential of time, and its input
  const char* reference;
  const char* shifted;  ///< class whose flange_b is further by a parameter than its flange_a
  const char* shift;
};

const Tie& tieOf(std::string_view connector) {
  static constexpr Tie all[] = {
      {"rotational flange", "Rotational.Fixed", "phi0", "Rotational.Position", "phi_ref",
       "Rotational.Disc", "deltaPhi"},
      {"translational flange", "Translational.Fixed", "s0", "Translational.Position", "s_ref",
       "Translational.Rod", "L"},
      {"heat port", "Thermal.FixedTemperature", "T", "Thermal.PrescribedTemperature", "T", "", ""},
      {"pin", "", "", "Analog.SignalVoltage", "v", "", ""},
  };
  return *std::ranges::find(all, connector, &Tie::connector);
}

constexpr int kMostReplacements = 100;

/// The value of an expression of numbers, and of names that are given values by chance.
double sampled(const ExpressionNode& e) {
  constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();
  if (const auto n = numberIn(e)) return *n;
  if (e.kind == NodeKind::name)
    return 1 + static_cast<double>(std::hash<std::string>()(e.text) % 9973) / 9973;
  if (e.kind == NodeKind::unary && e.op == Operator::negate) return -sampled(*e.arguments[0]);
  const bool isArithmetic = e.op == Operator::add || e.op == Operator::subtract ||
                            e.op == Operator::multiply || e.op == Operator::divide;
  if (e.kind != NodeKind::binary || !isArithmetic) return kNotKnown;
  return applyOperation(operationOf(e.op), sampled(*e.arguments[0]), sampled(*e.arguments[1]));
}

bool isSame(const Tree& a, const Tree& b) {
  const double x = sampled(*a), y = sampled(*b);
  return std::abs(x - y) <= 1e-12 * (std::abs(x) + std::abs(y));
}

bool hasAnyName(const ExpressionNode& e) {
  return e.kind == NodeKind::name || e.kind == NodeKind::call || e.kind == NodeKind::time ||
         std::ranges::any_of(e.arguments, [](const auto& a) { return hasAnyName(*a); });
}

bool hasChoice(const ExpressionNode& e) {
  return e.kind == NodeKind::conditional ||
         std::ranges::any_of(e.arguments, [](const auto& a) { return hasChoice(*a); });
}

/// Numbers alone are one.
Tree computed(const Tree& e) {
  const double x = hasAnyName(*e) ? std::numeric_limits<double>::quiet_NaN() : sampled(*e);
  return std::isfinite(x) ? numberNode(x) : e;
}

bool isZero(const Tree& e) { return numberIn(*e) == 0; }

}  // namespace

/// Finds the equations of a composite that no unknown is left for but flows, which they do not contain; the
/// connectors that such equations are about.
class Flattening::RelationSearch {
 public:
  RelationSearch(Flattening& flattening, const Instance& instance)
      : f_(flattening), instance_(instance) {}

  std::set<const Component*> find(const std::vector<const Component*>& connectors) {
    for (const Component* c : connectors) {
      if (*flowSourceOf(*c)->potential) flows_.emplace(c, std::ssize(flows_));
    }
    if (flows_.empty()) return {};
    findSetByOthers();
    findUnknowns();
    readValues();
    readEquations();
    const std::vector<int> given = matched(contents_, std::ssize(flows_) + std::ssize(unknowns_));
    std::map<std::string, PotentialRow>& definitions = f_.potentialRows_[&instance_];
    for (const auto& [c, u] : unknowns_) {
      const auto r = std::ranges::find(given, u) - given.begin();
      if (r < std::ssize(given) && contents_[r].isOfPotentials) definitions[c->path] = rows_[r];
    }
    size_t count = 0, open = flows_.size();
    for (const int u : given) open -= u >= 0 && u < std::ssize(flows_) ? 1 : 0;
    std::vector<Relation> found;
    for (size_t r = 0; r < rows_.size(); ++r) {
      if (given[r] >= 0 || !contents_[r].isOfPotentials || contents_[r].isElsewhere) continue;
      ++count;
      if (rows_[r].equation) found.push_back({&instance_, rows_[r].equation});
    }
    if (found.empty() || count != found.size() || count > open) return {};
    f_.relations_.insert(f_.relations_.end(), found.begin(), found.end());
    return named_;
  }

 private:
  /// What an equation, or a value, has of the unknowns of its composite.
  struct Contents {
    std::set<int> unknowns;
    bool isOfPotentials = true;  ///< no flows, no rates
    bool isElsewhere = false;    ///< it gives what is no unknown here
  };

  /// The unknown that each equation gives: those of `first` before the others.
  static std::vector<int> matched(const std::vector<Contents>& rows, int unknowns) {
    std::vector<int> rowOf(unknowns, -1), given(rows.size(), -1);
    std::vector<bool> seen;
    const auto augment = [&](const auto& self, int row) -> bool {
      for (const int u : rows[row].unknowns) {
        if (seen[u]) continue;
        seen[u] = true;
        if (rowOf[u] >= 0 && !self(self, rowOf[u])) continue;
        rowOf[u] = row;
        given[row] = u;
        return true;
      }
      return false;
    };
    for (const bool isOfPotentials : {false, true}) {
      for (size_t r = 0; r < rows.size(); ++r) {
        if (rows[r].isOfPotentials != isOfPotentials || rows[r].isElsewhere) continue;
        seen.assign(unknowns, false);
        augment(augment, static_cast<int>(r));
      }
    }
    return given;
  }

  /// Others (Booleans) are given by the equations that have them on a side alone, which give nothing else.
  static bool isReal(const Component& c) { return c.type.kind == TypeKind::real; }

  /// A variable of the composite; null for what is none.
  const Component* ownVariable(const Expression& e, const Scope& scope) {
    const Component* c = f_.translation_.variableIn(e, scope);
    return c && c->parent == &instance_ ? c : nullptr;
  }

  /// Variables that equations of `when`, or from outside, give.
  void findSetByOthers() {
    for (const FlatEquation& e : f_.equations_) {
      const Equation& equation = *e.equation;
      if (equation.kind == EquationKind::when) {
        for (const Equation::Branch& b : equation.branches) {
          for (const Equation& one : b.equations) {
            if (one.left) isSet_.insert(ownVariable(*one.left, e.scope));
          }
        }
      }
      if (equation.kind != EquationKind::equal || e.scope.instance == &instance_) continue;
      const Component* left = ownVariable(*equation.left, e.scope);
      if (!left && f_.translation_.variableIn(*equation.left, e.scope)) continue;
      isSet_.insert(left ? left : ownVariable(*equation.right, e.scope));
    }
  }

  void findUnknowns() {
    for (const auto& c : instance_.components) {
      if (c->isRemoved || c->inner || !c->type.isSimple() || c->isParameter() ||
          !c->sizes.empty() || isSet_.contains(c.get()) ||
          (c->isInput() && !c->element->isProtected && !c->value()) ||
          (c->type.isSignal() && f_.isDrivenInside(*c)))
        continue;
      unknowns_.emplace(c.get(), std::ssize(flows_) + std::ssize(unknowns_));
    }
  }

  void readValues() {
    for (const auto& c : instance_.components) {
      const auto u = unknowns_.find(c.get());
      if (u == unknowns_.end() || !c->value()) continue;
      rows_.push_back({nullptr, c.get()});
      Contents& row = contents_.emplace_back();
      row.unknowns.insert(u->second);
      row.isOfPotentials = isReal(*c);
      if (isReal(*c)) read(*c->value()->expression, c->value()->scope, row);
    }
  }

  void readEquations() {
    for (const FlatEquation& e : f_.equations_) {
      if (e.scope.instance != &instance_) continue;
      const bool isConditional = e.equation->kind == EquationKind::conditional;
      if (!isConditional && e.equation->kind != EquationKind::equal) continue;
      const size_t count = isConditional ? e.branches[0].equations.size() : 1;
      for (size_t k = 0; k < count; ++k) {
        rows_.push_back({&e, nullptr});
        contents_.emplace_back().isOfPotentials = !isConditional;
        readAll(e, contents_.back());
      }
    }
  }

  void readAll(const FlatEquation& whole, Contents& row) {
    forSimple({&whole, 1}, [&](const FlatEquation& e) {
      if (e.equation->kind != EquationKind::equal) return;
      row.isElsewhere = row.isElsewhere || !f_.inputNamed(*e.equation->left, e.scope).empty();
      for (const auto* side : {&*e.equation->left, &*e.equation->right}) {
        const auto u = unknowns_.find(ownVariable(*side, e.scope));
        if (u == unknowns_.end() || isReal(*u->first)) continue;
        row.unknowns.insert(u->second);
        row.isOfPotentials = false;
        return;
      }
      read(*e.equation->left, e.scope, row);
      read(*e.equation->right, e.scope, row);
    });
  }

  void read(const Expression& e, const Scope& scope, Contents& row) {
    forNames(e, [&](const Expression& name, bool isRate) {
      try {
        for (const Target& t : f_.targetsOf(name, scope)) {
          if (t.kind != Target::Kind::component) continue;
          row.isOfPotentials = row.isOfPotentials && !isRate;
          count(t, row);
        }
      } catch (const Refusal&) {
        row.isElsewhere = true;  // said where it is written
      }
    });
  }

  /// What a name stands for is of this kind.
  void count(const Target& t, Contents& row) {
    const Component& c = *t.component;
    if (const auto u = unknowns_.find(&c); u != unknowns_.end()) {
      if (isReal(c)) row.unknowns.insert(u->second);
    } else if (const auto f = flows_.find(&c); f != flows_.end()) {
      if (t.tail != flowSourceOf(c)->flows[0].name) {
        named_.insert(&c);
        return;
      }
      row.unknowns.insert(f->second);
      row.isOfPotentials = false;
    } else if (c.type.isSimple() && !c.isParameter() && !c.type.isSignal() && !c.element->isInput &&
               !isSet_.contains(&c)) {
      row.isElsewhere = true;
    }
  }

  Flattening& f_;
  const Instance& instance_;
  std::map<const Component*, int> unknowns_, flows_;  ///< and their numbers, flows first
  std::set<const Component*> isSet_;                  ///< by others
  std::set<const Component*> named_;                  ///< connectors
  std::vector<PotentialRow> rows_;
  std::vector<Contents> contents_;  ///< of the rows
};

std::set<const Component*> Flattening::findRelations(
    const Instance& instance, const std::vector<const Component*>& connectors) {
  return RelationSearch(*this, instance).find(connectors);
}

/// The difference of both sides, or of a variable and its value.
Tree Flattening::differenceIn(const PotentialRow& row) {
  const auto [left, right] = row.equation
                                 ? sidesOf(*row.equation)
                                 : Sides{nameNode(translation_.nameHere(row.declared->path)),
                                         translation_.tree(*row.declared->value())};
  return differenceOf(left, right);
}

/// A number of parameters alone.
bool Flattening::isOfParameters(const ExpressionNode& e) const {
  if (e.kind == NodeKind::time) return false;
  if (e.kind == NodeKind::name) {
    const Component* c = folding_.model().find(e.text.substr(0, e.text.find('[')));
    return c && c->isParameter();
  }
  return std::ranges::all_of(e.arguments, [&](const auto& a) { return isOfParameters(*a); });
}

/// The expression with what defines the variables of a composite put in; `own`: this one's variable stays.
Tree Flattening::withDefinitions(Tree e, const Instance& instance, const PotentialRow& own) {
  const auto& definitions = potentialRows_[&instance];
  for (int round = 0; e && round < kMostReplacements; ++round) {
    Tree with;
    forAtoms(*e, [&](const ScalarAtom& a) {
      const std::string path = fullName(a.name);
      const auto definition = definitions.find(path);
      const bool isOwn =
          definition == definitions.end() || (definition->second.equation == own.equation &&
                                              definition->second.declared == own.declared);
      if (with || isOwn || a.order > 0) return;
      const Tree value = valueIn(definition->second, a.name);
      if (!value) return;
      with = replaced(e, [&](const ScalarAtom& b) {
        return b.name == a.name && b.order == 0 ? value : nullptr;
      });
    });
    if (!with) break;
    e = with;
  }
  return e;
}

/// A name of the body that is written, in full.
std::string Flattening::fullName(const std::string& name) const {
  const std::string& body = translation_.body().path;
  return body.empty() ? name : body + "." + name;
}

/// What a row says of a name that it is linear in; null where it says nothing.
Tree Flattening::valueIn(const PotentialRow& row, const std::string& name) {
  const auto form = linearIn(differenceIn(row), name);
  if (!form || isZero(form->factor)) return nullptr;
  return negativeOf(quotientOf(form->rest, form->factor));
}

/// Equations that define variables of composites by potentials say so.
void Flattening::solveDefinitions() {
  for (const auto& [instance, rows] : potentialRows_) {
    inBody(folding_.bodyOf(*instance), [&, &in = *instance, &all = rows] {
      for (const auto& [path, row] : all) {
        if (!row.equation) continue;
        guarded([&, &name = path, &one = row] {
          const Component* c = in.find(name.substr(in.path.size() + 1));
          const FlatEquation& e = *one.equation;
          if (translation_.variableIn(*e.equation->left, e.scope) == c ||
              translation_.variableIn(*e.equation->right, e.scope) == c)
            return;
          const std::string here = translation_.nameHere(name);
          // What it is multiplied with by choice may hang on it.
          const auto form = linearIn(differenceIn(one), here);
          if (form && hasChoice(*form->factor)) return;
          if (const Tree value = valueIn(one, here)) solved_[&e] = {nameNode(here), value};
        });
      }
    });
  }
}

std::string Flattening::tiedTo(std::string potential) const {
  for (auto j = joined_.find(potential); j != joined_.end() && j->second != potential;
       j = joined_.find(potential))
    potential = j->second;
  return potential;
}

void Flattening::writeRelations() {
  if (relations_.empty()) return;
  std::map<std::string, std::vector<Driven*>> sets;  // by the potential
  for (Driven& d : driven_) {
    if (*d.source->potential) guarded([&] { sets[potentialOf(d)].push_back(&d); });
  }
  std::vector<Bond> bonds;
  for (const Relation& r : relations_) {
    guarded([&] {
      Bond bond = writeRelation(r, sets);
      const std::string a = tiedTo(bond.sets[0]), b = tiedTo(bond.sets[1]);
      if (a == b) {
        refuseUnsupported(
            r.equation->scope.mark(r.equation->equation->at),
            "this holds between connectors that others tie to each other already, so that "
            "what flows through each of them is not determined");
      }
      joined_[b.empty() ? a : b] = b.empty() ? b : a;
      bonds.push_back(std::move(bond));
    });
  }
  // From the ends of each tree to its root, whose balance is that of the whole tree.
  for (bool isDone = false; !isDone;) {
    isDone = true;
    for (Bond& bond : bonds) {
      for (const int k : {0, 1}) {
        const std::string& set = bond.sets[k];
        const auto isOpen = [&](const Bond& other) {
          return !other.isDone && (other.sets[0] == set || other.sets[1] == set);
        };
        if (bond.isDone || tiedTo(set) == set || std::ranges::count_if(bonds, isOpen) != 1)
          continue;
        guarded([&] { writeBalance(bond, k, sets.at(set)); });
        bond.isDone = true;
        isDone = false;
      }
    }
  }
}

/// What flows through a connector is what all others at its node leave.
void Flattening::writeBalance(const Bond& bond, int side, const std::vector<Driven*>& atNode) {
  Driven& driven = *bond.ends[side];
  const std::string flow = driven.source->flows[0].name;
  if (bond.total.empty() && readsFlow(*driven.connector, *driven.source)) {
    refuseUnsupported(driven.connector->mark(),
                      "'" + driven.connector->path + "." + flow +
                          "' is a reaction, which equations cannot read by itself");
  }
  Tree sum = numberNode(0);
  for (const std::string& end : connections_.endsAt(driven.connector->path)) {
    const auto own = std::ranges::find(atNode, end, [](const Driven* d) { return d->end(); });
    if (own != atNode.end() && *own == &driven) continue;
    const std::string name = own == atNode.end() ? end : (*own)->connector->path;
    sum = sumOf(sum, nameNode(translation_.nameHere(name) + "." + flow));
  }
  driven.balance = negativeOf(sum);
  if (bond.total.empty()) return;
  const Tree one = nameNode(translation_.nameHere(driven.connector->path) + "." + flow),
             total = nameNode(bond.total);
  bond.ends[1 - side]->balance = side == 0 ? differenceOf(total, productOf(bond.ratio, one))
                                           : quotientOf(differenceOf(total, one), bond.ratio);
}

/// Where the equations of a composite are about what both flows do to its motion together, k a + b, that is
/// one unknown: the part in their place carries the rest.
void Flattening::uniteFlows(Bond& bond, const Tree& ratio) {
  Driven &a = *bond.ends[0], &b = *bond.ends[1];
  if (a.source->connector == "pin") {
    // All of it flows through the branch in its place, but what the equations leave.
    const Tree current = nameNode(translation_.nameHere(besides(*a.connector, "_tie")) + ".i");
    b.total = translation_.nameHere(besides(*b.connector, "_total"));
    a.balance = current;
    a.input = numberNode(0);
    b.balance = differenceOf(nameNode(b.total), current);
    b.input = negativeOf(nameNode(b.total));
    bond.isDone = true;
    return;
  }
  const auto flowOf = [&](const Driven& d) {
    return translation_.nameHere(d.connector->path) + "." + d.source->flows[0].name;
  };
  const std::string x = flowOf(a), y = flowOf(b),
                    total = translation_.nameHere(besides(*b.connector, "_total"));
  const Instance& instance = ownerOf(*a.connector);
  const auto reads = [&](const Expression& e, const Scope& scope) {
    bool found = false;
    forNames(e, [&](const Expression& name, bool) {
      const auto t = evaluation_.componentNamed(name, scope);
      for (const Driven* d : {&a, &b}) {
        found = found || (t && t->component == d->connector && t->tail == d->source->flows[0].name);
      }
    });
    return found;
  };
  for (const auto& c : instance.components) {
    if (c->value() && !c->isParameter() && reads(*c->value()->expression, c->value()->scope))
      return;
  }
  std::vector<const FlatEquation*> united;
  for (const FlatEquation& e : equations_) {
    if (e.scope.instance != &instance || dropped_.contains(&e)) continue;
    if (e.equation->kind == EquationKind::conditional) return;
    if (e.equation->kind != EquationKind::equal) continue;
    if (!reads(*e.equation->left, e.scope) && !reads(*e.equation->right, e.scope)) continue;
    const auto first = linearIn(differenceIn({&e, nullptr}), x);
    const auto second = first ? linearIn(first->rest, y) : std::nullopt;
    if (!second || !isSame(first->factor, productOf(ratio, second->factor))) return;
    united.push_back(&e);
  }
  for (const FlatEquation* e : united) united_.push_back({e, x, y, total});
  bond.total = total;
  bond.ratio = ratio;
  a.input = numberNode(0);
  b.input = negativeOf(nameNode(total));
  b.total = total;
}

/// Puts a part of the catalogue in the place of the equation.
Flattening::Bond Flattening::writeRelation(
    const Relation& r, const std::map<std::string, std::vector<Driven*>>& sets) {
  const SourceMark at = r.equation->scope.mark(r.equation->equation->at);
  for (const Instance* i = &folding_.bodyOf(*r.instance); i != &folding_.model();
       i = &folding_.around(*i))
    notFoldable_.insert(i);
  if (!notFoldable_.empty()) throw Refusal{};  // in another go
  const auto refuse = [&](const std::string& why) -> Refusal {
    return {at, "an equation between potentials of connectors " + why, ErrorKind::unsupported};
  };
  Tree rest =
      withDefinitions(differenceIn({r.equation, nullptr}), *r.instance, {r.equation, nullptr});
  struct Term {
    Driven* driven;
    std::string potential;
    Tree factor;
  };
  std::vector<Term> terms;
  for (const auto& [potential, members] : sets) {
    const auto own = std::ranges::find_if(
        members, [&](const Driven* d) { return &ownerOf(*d->connector) == r.instance; });
    if (own == members.end()) continue;
    const auto form = linearIn(rest, potential);
    if (!form) throw refuse("must be linear in them");
    rest = form->rest;
    if (isZero(form->factor)) continue;
    if (!isOfParameters(*form->factor)) throw refuse("must have factors that are constant");
    terms.push_back({*own, potential, form->factor});
  }
  if (terms.empty()) throw refuse("that are one leaves open what flows through each of them");
  if (terms.size() > 2) throw refuse("must be of one or two of them");
  dropped_.insert(r.equation);
  const Term& a = terms[0];
  const std::string end = a.driven->end(), name = besides(*a.driven->connector, "_tie");
  const Tree given = computed(negativeOf(quotientOf(rest, a.factor)));
  if (terms.size() == 1) {
    writeGiven(*a.driven, name, given, at);
    const bool isBranch = a.driven->balance != nullptr;
    return {{a.potential, ""}, {a.driven, nullptr}, "", nullptr, isBranch};
  }
  const Term& b = terms[1];
  const Tree ratio = computed(negativeOf(quotientOf(b.factor, a.factor)));
  writeTied(*a.driven, *b.driven, name, ratio, given, at);
  Bond bond{{a.potential, b.potential}, {a.driven, b.driven}, "", nullptr, false};
  uniteFlows(bond, ratio);
  return bond;
}

/// Equations of two flows that one unknown stands for, once it is known what is an acceleration in them.
void Flattening::writeUnited() {
  for (const United& u : united_) {
    guarded([&] {
      const auto first = linearIn(differenceIn({u.equation, nullptr}), u.first);
      const auto second = linearIn(first->rest, u.second);
      solved_[u.equation] = {numberNode(0),
                             sumOf(productOf(second->factor, nameNode(u.total)), second->rest)};
    });
  }
}

void Flattening::ground(const std::string& pin, const std::string& name, const SourceMark& at) {
  addPart(name + "_ground", "Analog.Ground", {}, at);
  out_->connections.push_back({pin, name + "_ground.p", at});
}

void Flattening::addPart(const std::string& name, const char* type,
                         const std::vector<std::pair<const char*, Tree>>& arguments,
                         const SourceMark& at) {
  ImportedModel::Part part{name, type, emptyMap(at), "", at, at};
  for (const auto& [key, value] : arguments)
    addEntry(part.arguments, key, expressionNode(value, at), at);
  out_->components.push_back(std::move(part));
}

/// The potential at a connector is `value`.
void Flattening::writeGiven(Driven& d, const std::string& name, const Tree& value,
                            const SourceMark& at) {
  const Tie& tie = tieOf(d.source->connector);
  const bool isPin = d.source->connector == "pin";
  const bool isRead = readsFlow(*d.connector, *d.source);
  if (isPin && isZero(value) && !isRead) return ground(d.end(), name, at);
  if (isPin) {
    d.balance = nameNode(name + ".i");
    d.input = numberNode(0);
  }
  const std::string end = isPin ? "p" : d.source->connector == "heat port" ? "port" : "flange";
  if (!isPin && isOfParameters(*value)) {
    addPart(name, tie.fixed, {{tie.constant, value}}, at);
  } else if (d.source->connector.ends_with("flange")) {
    addPart(name, tie.moved, {{"exact", truthNode(true)}, {tie.reference, value}}, at);
  } else {
    addPart(name, tie.moved, {{tie.reference, value}}, at);
  }
  if (isPin) ground(name + ".n", name, at);
  out_->connections.push_back({d.end(), name + "." + end, at});
}

/// a = ratio b + shift
void Flattening::writeTied(const Driven& a, const Driven& b, const std::string& name,
                           const Tree& ratio, const Tree& shift, const SourceMark& at) {
  const Tie& tie = tieOf(a.source->connector);
  const auto connect = [&](const std::string& x, const std::string& y) {
    out_->connections.push_back({x, y, at});
  };
  const bool isAlike = a.source == b.source, isOne = isAlike && numberIn(*ratio) == 1;
  if (isOne && a.source->connector == "pin") {
    addPart(name, tie.moved, {{tie.reference, shift}}, at);
    connect(a.end(), name + ".p");
    connect(b.end(), name + ".n");
  } else if (isOne && isZero(shift)) {
    connect(a.end(), b.end());
  } else if (isOne && *tie.shift && isOfParameters(*shift)) {
    addPart(name, tie.shifted, {{tie.shift, shift}}, at);
    connect(a.end(), name + ".flange_b");
    connect(b.end(), name + ".flange_a");
  } else if (isZero(shift) && a.source->connector.ends_with("flange") &&
             b.source->connector.ends_with("flange")) {
    const bool isTurning = a.source->connector.starts_with("rotational");
    if (isAlike && isTurning) {
      addPart(name, "Rotational.IdealGear", {{"ratio", ratio}}, at);
      connect(a.end(), name + ".flange_a");
      connect(b.end(), name + ".flange_b");
      return;
    }
    // A pinion, and for a lever one more on its shaft.
    const Driven& turning = isTurning ? a : b;
    const Driven& sliding = isTurning ? b : a;
    addPart(name, "Rotational.IdealGearR2T",
            {{"ratio", isTurning || isAlike ? ratio : quotientOf(numberNode(1), ratio)}}, at);
    if (isAlike) {
      addPart(name + "_a", "Rotational.IdealGearR2T", {{"ratio", numberNode(1)}}, at);
      connect(name + "_a.flangeR", name + ".flangeR");
      connect(a.end(), name + "_a.flangeT");
      connect(b.end(), name + ".flangeT");
      return;
    }
    connect(turning.end(), name + ".flangeR");
    connect(sliding.end(), name + ".flangeT");
  } else {
    refuseUnsupported(
        at,
        "an equation between potentials of connectors must be one of equality, a shift or "
        "a ratio that is constant");
  }
}

}  // namespace cardan::modelica
