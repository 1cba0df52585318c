#include "engine/initialisation/start_overlaps.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "components/surface.h"
#include "engine/structure/encounter_search.h"
#include "engine/text/listing.h"

namespace cardan {
namespace {

constexpr double kShallow = 0.05;     // of the in-radius
constexpr size_t kMostOverlaps = 10;  // in a message

struct Overlap {
  double share = 0;  ///< [1]  of the in-radius
  std::string text;
};

}  // namespace

std::string startOverlaps(const Equations& equations, const FlatModel& flat,
                          const VariableTable& variables, double time, const std::vector<double>& y,
                          const std::vector<double>& yp) {
  if (flat.encounters.pairs.empty()) return "";
  Workspace<double> w = equations.makeWorkspace<double>();
  equations.evaluateAt(w, time, y, yp, {});
  const View<double> view(w.tables);
  std::vector<Overlap> overlaps;
  for (const Encounters::Pair& pair : flat.encounters.pairs) {
    const Instance &a = flat.instances[pair.a], &b = flat.instances[pair.b];
    const double radius =
        std::min(a.component->surface()->inRadius(), b.component->surface()->inRadius());
    double gap = 0;
    const auto found = variables.find(pair.name + ".gap");
    if (!found) continue;
    variables[*found].function->evaluate(view, &gap);
    if (!(-gap > kShallow * radius)) continue;
    overlaps.push_back({-gap / radius, fmt::format("'{}' and '{}' by {:.3g} m", shapeName(a),
                                                   shapeName(b), -gap)});
  }
  if (overlaps.empty()) return "";
  std::ranges::stable_sort(overlaps, std::greater(), &Overlap::share);
  std::vector<std::string> texts;
  for (const Overlap& o : overlaps) texts.push_back(o.text);
  return fmt::format(
      "shapes overlap at the start by more than {:g} % of the smaller one's in-radius and will "
      "push each other apart: {}; another start, or 'exclude' of 'contacts', keeps them from it",
      100 * kShallow, joinMost(texts, kMostOverlaps));
}

}  // namespace cardan
