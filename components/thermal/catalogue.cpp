#include "components/catalogue_folders.h"

namespace cardan {
namespace thermal {

// Each stands at the end of the source that its classes are in.
Catalogue transport(), sources(), sensors(), celsiusSources(), celsiusSensors();

Catalogue all() {
  return joined({transport(), sources(), sensors(), celsiusSources(), celsiusSensors()});
}

}  // namespace thermal

Catalogue folders::thermal() { return package("thermal", thermal::all()); }

}  // namespace cardan
