#include "apps/cosimulation/types.h"

#include <cstdlib>
#include <string_view>

#include "apps/cosimulation/fmu.h"
#include "components/catalogue.h"

namespace cardan {
namespace {

std::unique_ptr<Component> makeFmu() {
  const char* wish = std::getenv("CARDAN_FMU");
  return cosimulation::makeFmu(!wish || std::string_view(wish) != "refuse");
}

}  // namespace

Catalogue foreignTypes() {
  CatalogueEntry fmu = entryOf(
      "FMU",
      "an FMU of another tool, with its inputs, outputs and, under parameters, its parameters",
      makeFmu);
  fmu.isOpen = true;
  return package("cosimulation", {fmu});
}

const Catalogue& allTypes() {
  static const Catalogue all = joined(catalogue(), foreignTypes());
  return all;
}

}  // namespace cardan
