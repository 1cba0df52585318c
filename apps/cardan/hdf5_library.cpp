#ifdef CARDAN_HDF5
#include "apps/cardan/hdf5_library.h"

#include <dlfcn.h>

namespace cardan {

namespace {

/// What `library` calls `name`; false: nothing.
template <class T>
bool find(void* library, const char* name, T*& found) {
  found = reinterpret_cast<T*>(dlsym(library, name));
  return found;
}
/// The number that it has in a variable of this name.
bool find(void* library, const char* name, hid_t& number) {
  const hid_t* variable = nullptr;
  if (!find(library, name, variable)) return false;
  number = *variable;
  return true;
}

bool load() {
  void* library = dlopen(CARDAN_HDF5, RTLD_NOW | RTLD_LOCAL);
  if (!library) return false;
  const auto has = [library](const char* name, auto& found) { return find(library, name, found); };
  if (!has("H5open", H5open) || H5open() < 0) return false;  // gives the types their numbers
  return has("H5check_version", H5check_version) && has("H5Dclose", H5Dclose) &&
         has("H5Dcreate2", H5Dcreate2) && has("H5Dwrite", H5Dwrite) &&
         has("H5Eset_auto2", H5Eset_auto2) && has("H5Fclose", H5Fclose) &&
         has("H5Fcreate", H5Fcreate) && has("H5Fflush", H5Fflush) && has("H5Fopen", H5Fopen) &&
         has("H5Gclose", H5Gclose) && has("H5Gcreate2", H5Gcreate2) &&
         has("H5Gget_info", H5Gget_info) && has("H5Gopen2", H5Gopen2) &&
         has("H5Lcreate_external", H5Lcreate_external) && has("H5Lcreate_hard", H5Lcreate_hard) &&
         has("H5Lget_name_by_idx", H5Lget_name_by_idx) && has("H5Pclose", H5Pclose) &&
         has("H5Pcreate", H5Pcreate) && has("H5Pset_obj_track_times", H5Pset_obj_track_times) &&
         has("H5Sclose", H5Sclose) && has("H5Screate_simple", H5Screate_simple) &&
         has("H5Sselect_hyperslab", H5Sselect_hyperslab) && has("H5Tclose", H5Tclose) &&
         has("H5Tcopy", H5Tcopy) && has("H5Tset_cset", H5Tset_cset) &&
         has("H5Tset_size", H5Tset_size) && has("H5Tset_strpad", H5Tset_strpad) &&
         has("H5P_CLS_DATASET_CREATE_ID_g", H5P_CLS_DATASET_CREATE_ID_g) &&
         has("H5T_C_S1_g", H5T_C_S1_g) && has("H5T_IEEE_F64LE_g", H5T_IEEE_F64LE_g) &&
         has("H5T_NATIVE_DOUBLE_g", H5T_NATIVE_DOUBLE_g);
}

}  // namespace

bool loadHdf5() {
  static const bool loaded = load();
  return loaded;
}

}  // namespace cardan
#endif
