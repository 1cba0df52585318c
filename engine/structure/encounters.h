/// Encounters: which shapes of a model may touch each other, and why the others do not; as plain data.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/text/diagnostics.h"

namespace cardan {

/// What a model file says of the pairs among its shapes.
struct EncounterRules {
  /// A shape's name, a glob over such names or the name of a group.
  struct Choice {
    std::string text;
    SourceMark at;
  };
  struct Group {
    std::string name;
    std::vector<Choice> shapes;
  };
  /// Every one of `a` with every one of `b`, whichever comes first in the model.
  struct Item {
    Choice a, b;
    SourceMark at;
  };

  std::vector<Group> groups;
  std::optional<std::vector<Item>> pairs;  ///< none: all that can meet
  std::vector<Item> exclude;
};

struct Encounters {
  struct Pair {
    int a = -1, b = -1;      ///< instances, in the order of the file
    std::string name;        ///< of the component between them: "contact.foot.floor"
    SourceMark at;           ///< of the last item that lists it, or else names it; or of `a`
    double mass = 1;         ///< [kg]  of what moves together with the lighter of the two
    std::vector<int> items;  ///< of EncounterRules::pairs, those that name it
    bool isListed = false;   ///< one of them by two names in full
  };
  struct LeftOut {
    std::string a, b, why;
  };

  std::vector<Pair> pairs;
  std::vector<LeftOut> leftOut;  ///< of those that the rules ask for
};

}  // namespace cardan
