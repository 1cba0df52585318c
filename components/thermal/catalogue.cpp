#include "components/catalogue_folders.h"

namespace cardan {
namespace thermal {

Catalogue all();  // at the end of thermal.cpp

}  // namespace thermal

Catalogue folders::thermal() { return package("thermal", thermal::all()); }

}  // namespace cardan
