#include "apps/cardan/later.h"

#include "apps/cardan/command.h"
#include "apps/cardan/console.h"
#include "engine/text/diagnostics.h"

namespace cardan {

void requireWhole(const std::string& what) {
  if (addSchema) return;  // null in the first stage, as is all that comes later
  refuse(what +
         " needs the whole program, and this is its first stage, which runs and checks model files "
         "(YAML); './cardan build' builds the rest");
}

}  // namespace cardan
