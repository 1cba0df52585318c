#ifdef CARDAN_HDF5
#include "apps/cardan/hdf5_library.h"

#include "engine/text/loaded_library.h"

namespace cardan {

namespace {

bool load() {
  const LoadedLibrary library(CARDAN_HDF5);
  // Opening it gives the types their numbers.
  bool all = library.find("H5open", H5open) && H5open() >= 0;
  const hid_t* number = nullptr;
#define CARDAN_HDF5_FIND(name) all = all && library.find(#name, name);
#define CARDAN_HDF5_READ(name) \
  if (all = all && library.find(#name, number); all) name = *number;
  CARDAN_HDF5_FUNCTIONS(CARDAN_HDF5_FIND)
  CARDAN_HDF5_NUMBERS(CARDAN_HDF5_READ)
#undef CARDAN_HDF5_FIND
#undef CARDAN_HDF5_READ
  return all;
}

}  // namespace

bool loadHdf5() {
  static const bool loaded = load();
  return loaded;
}

}  // namespace cardan
#endif
