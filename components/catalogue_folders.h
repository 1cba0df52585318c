/// The folders of the catalogue; each lists its own classes in its catalogue.cpp.
#pragma once

#include "components/catalogue_entry.h"

namespace cardan::folders {

Catalogue parts();
Catalogue joints();
Catalogue assemblies();
Catalogue rolling();
Catalogue constraints();
Catalogue forces();
Catalogue contact();
Catalogue sensors();
Catalogue rotational();
Catalogue translational();
Catalogue blocks();
Catalogue electrical();
Catalogue thermal();
Catalogue visualizers();

}  // namespace cardan::folders
