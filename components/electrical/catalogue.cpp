#include "components/catalogue_folders.h"

namespace cardan {
namespace electrical {

// Each stands at the end of the source that its classes are in.
Catalogue basic(), emfs(), opAmps(), voltages(), ideal(), currents(), sensors();

Catalogue all() {
  return joined(basic(), emfs(), opAmps(), voltages(), ideal(), currents(), sensors());
}

}  // namespace electrical

Catalogue folders::electrical() { return package("electrical", electrical::all()); }

}  // namespace cardan
