#include "engine/structure/encounter_search.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "components/surface.h"
#include "engine/structure/moving_groups.h"
#include "engine/text/glob.h"
#include "engine/text/listing.h"

namespace cardan {
namespace {

constexpr size_t kMostPairs = 100'000;      ///< more than a run can carry
constexpr size_t kLongestListOfNames = 20;  ///< in a message
constexpr std::string_view kPrefix = "contact";

struct Candidate {
  int instance;
  std::string name;
  int frame;  ///< index of its connector's
};

/// Frame connectors of the shapes.
std::vector<Candidate> findCandidates(const FlatModel& b) {
  std::vector<Candidate> shapes;
  for (const int i : shapesOf(b)) {
    const Instance& instance = b.instances[i];
    const auto frame = b.connectors.find(instance.full(instance.component->surface()->connector()));
    if (frame == b.connectors.end() || frame->second.kind != ConnectorKind::frame) continue;
    shapes.push_back({i, shapeName(instance), frame->second.index});
  }
  return shapes;
}

std::vector<int> framesOf(const std::vector<Candidate>& shapes) {
  std::vector<int> frames;
  for (const Candidate& s : shapes) frames.push_back(s.frame);
  return frames;
}

/// Which shapes the choices of a model file stand for.
class Choosing {
 public:
  using Chosen = std::vector<bool>;  // per shape
  struct Sides {
    Chosen a, b;
    bool isListed;  ///< by two names in full

    bool have(size_t i, size_t j) const { return (a[i] && b[j]) || (a[j] && b[i]); }
  };

  Choosing(const FlatModel& b, const std::vector<Candidate>& shapes,
           const std::vector<EncounterRules::Group>& groups, Diagnostics& diagnostics)
      : b_(b), shapes_(shapes), diagnostics_(diagnostics) {
    for (const EncounterRules::Group& g : groups) {
      Chosen all(shapes.size(), false);
      for (const EncounterRules::Choice& c : g.shapes) {
        const Chosen some = byName(c);
        for (size_t i = 0; i < all.size(); ++i) all[i] = all[i] || some[i];
      }
      groups_.emplace_back(g.name, std::move(all));
    }
  }

  std::vector<Sides> operator()(const std::vector<EncounterRules::Item>& items) {
    std::vector<Sides> sides;
    for (const EncounterRules::Item& item : items) {
      const auto isName = [&](const std::string& text) { return !isGlob(text) && !group(text); };
      sides.push_back({choose(item.a), choose(item.b), isName(item.a.text) && isName(item.b.text)});
    }
    return sides;
  }

 private:
  const Chosen* group(const std::string& name) const {
    for (const auto& [own, chosen] : groups_) {
      if (own == name) return &chosen;
    }
    return nullptr;
  }
  Chosen choose(const EncounterRules::Choice& c) {
    const Chosen* const all = group(c.text);
    return all ? *all : byName(c);
  }
  /// Of what nothing matches an error.
  Chosen byName(const EncounterRules::Choice& c) {
    Chosen chosen;
    for (const Candidate& s : shapes_) {
      chosen.push_back(matchesGlob(s.name, c.text) ||
                       matchesGlob(b_.instances[s.instance].name, c.text));
    }
    if (std::ranges::find(chosen, true) == chosen.end()) report(c);
    return chosen;
  }
  void report(const EncounterRules::Choice& c) {
    std::vector<std::string> names;
    for (const Candidate& s : shapes_) names.push_back(s.name);
    const std::string list = names.empty() ? "the model has no shapes"
                                           : "shapes are " + joinMost(names, kLongestListOfNames);
    std::vector<std::string> known = names;
    for (const auto& [name, chosen] : groups_) known.push_back(name);
    diagnostics_.error(c.at, "no shape matches '" + c.text + "'" +
                                 (isGlob(c.text) ? "; " + list : didYouMean(c.text, known, list)));
  }

  const FlatModel& b_;
  const std::vector<Candidate>& shapes_;
  Diagnostics& diagnostics_;
  std::vector<std::pair<std::string, Chosen>> groups_;
};

class EncounterSearch {
 public:
  EncounterSearch(const FlatModel& b, const EncounterRules& rules, Diagnostics& diagnostics)
      : b_(b), rules_(rules), diagnostics_(diagnostics), shapes_(findCandidates(b)) {
    checkPrefix();
    Choosing choose(b, shapes_, rules.groups, diagnostics);
    if (rules.pairs) pairs_ = choose(*rules.pairs);
    excluded_ = choose(rules.exclude);
  }

  Encounters run() {
    if (shapes_.size() < 2) return {};
    bodies_.emplace(b_, framesOf(shapes_));
    for (size_t i = 0; i < shapes_.size(); ++i) {
      for (size_t j = i + 1; j < shapes_.size(); ++j) consider(i, j);
      if (found_.pairs.size() <= kMostPairs) continue;
      diagnostics_.error(b_.instances[shapes_[i].instance].at,
                         "more than " + std::to_string(kMostPairs) +
                             " pairs of shapes may touch: name those that do under 'pairs' of "
                             "'contacts'");
      break;
    }
    return std::move(found_);
  }

 private:
  /// Names of contacts begin with a word that no component may have then.
  void checkPrefix() {
    if (shapes_.empty()) return;
    for (const Instance& i : b_.instances) {
      if (i.parent >= 0 || i.name.substr(0, i.name.find_first_of(".[")) != kPrefix) continue;
      diagnostics_.error(i.at, "component name '" + i.name +
                                   "' is taken: in a model with shapes 'contact' is for the "
                                   "results of their contacts; give the component another one");
      return;
    }
  }

  void consider(size_t i, size_t j) {
    Encounters::Pair pair = asked(i, j);
    if (rules_.pairs && pair.items.empty()) return;
    const Candidate &a = shapes_[i], &b = shapes_[j];
    const auto leaveOut = [&](const char* why) { found_.leftOut.push_back({a.name, b.name, why}); };
    if (std::ranges::any_of(excluded_, [&](const auto& sides) { return sides.have(i, j); }))
      return leaveOut("excluded");
    const int body = bodies_->of(a.frame), other = bodies_->of(b.frame);
    if (body == other) {
      const bool isFixed = body == MovingGroups::kWorld;
      if (pair.isListed) {
        diagnostics_.error(pair.at, "'" + a.name + "' and '" + b.name + "' never touch: " +
                                        (isFixed ? "both are fixed in the world"
                                                 : "they are fixed to each other"));
      }
      return leaveOut(isFixed ? "both fixed in the world" : "on the same body");
    }
    if (bodies_->areJoined(body, other) && !pair.isListed) return leaveOut("joined by a joint");
    if (!names_.insert(pair.name).second) {
      diagnostics_.error(pair.at, "two pairs of shapes would be named '" + pair.name +
                                      "': give one of the shapes another name");
      return;
    }
    // What has no mass, as a floor that something moves, bears the other one.
    const double mine = bodies_->mass(body), others = bodies_->mass(other);
    const double mass = mine > 0 && others > 0 ? std::min(mine, others) : std::max(mine, others);
    if (mass > 0 && std::isfinite(mass)) pair.mass = mass;
    found_.pairs.push_back(std::move(pair));
  }

  /// The pair with what the rules say of it.
  Encounters::Pair asked(size_t i, size_t j) const {
    const Candidate &a = shapes_[i], &b = shapes_[j];
    Encounters::Pair pair;
    pair.a = a.instance;
    pair.b = b.instance;
    pair.name = std::string(kPrefix) + "." + a.name + "." + b.name;
    pair.at = b_.instances[a.instance].at;
    for (size_t k = 0; k < pairs_.size(); ++k) {
      if (!pairs_[k].have(i, j)) continue;
      pair.items.push_back(k);
      if (pairs_[k].isListed || !pair.isListed) pair.at = (*rules_.pairs)[k].at;
      pair.isListed = pair.isListed || pairs_[k].isListed;
    }
    return pair;
  }

  const FlatModel& b_;
  const EncounterRules& rules_;
  Diagnostics& diagnostics_;
  std::vector<Candidate> shapes_;
  std::optional<MovingGroups> bodies_;
  std::vector<Choosing::Sides> pairs_, excluded_;
  std::set<std::string> names_;
  Encounters found_;
};

}  // namespace

std::string shapeName(const Instance& instance) {
  constexpr std::string_view kPart = ".shape";
  return instance.name.ends_with(kPart)
             ? instance.name.substr(0, instance.name.size() - kPart.size())
             : instance.name;
}

std::vector<int> shapesOf(const FlatModel& b) {
  std::vector<std::pair<int, int>> places;  // of the whole that it is a part of, and its own
  for (int i = 0; i < std::ssize(b.instances); ++i) {
    if (b.instances[i].component->surface()) places.emplace_back(b.wholeOf(i), i);
  }
  std::ranges::sort(places);
  std::vector<int> shapes;
  for (const auto& [whole, i] : places) shapes.push_back(i);
  return shapes;
}

Encounters findEncounters(const FlatModel& flatModel, const EncounterRules& rules,
                          Diagnostics& diagnostics) {
  return EncounterSearch(flatModel, rules, diagnostics).run();
}

}  // namespace cardan
