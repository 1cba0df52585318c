#ifdef CARDAN_HDF5
#include "apps/cardan/hdf5_library.h"

#include <type_traits>

#include "engine/text/loaded_library.h"

namespace cardan {

namespace {

bool load() {
  const LoadedLibrary library(CARDAN_HDF5);
  const auto has = [&]<class T>(const char* name, T& found) {
    if constexpr (std::is_same_v<T, hid_t>) {  // a number: that in a variable of this name
      const hid_t* variable = nullptr;
      if (!library.find(name, variable)) return false;
      found = *variable;
      return true;
    } else {
      return library.find(name, found);
    }
  };
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
