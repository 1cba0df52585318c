/// libhdf5, which is loaded when a study asks for it: with the forty libraries that it brings along it
/// would take half of the program's time for a small model, in every run.
#pragma once

#include <hdf5.h>

namespace cardan {

/// Loads it, once. False: it is not on this machine.
bool loadHdf5();

// Its functions and types under their own names, which hide those of its header here; null before.
inline decltype(&::H5open) H5open = nullptr;
inline decltype(&::H5check_version) H5check_version = nullptr;
inline decltype(&::H5Dclose) H5Dclose = nullptr;
inline decltype(&::H5Dcreate2) H5Dcreate2 = nullptr;
inline decltype(&::H5Dwrite) H5Dwrite = nullptr;
inline decltype(&::H5Eset_auto2) H5Eset_auto2 = nullptr;
inline decltype(&::H5Fclose) H5Fclose = nullptr;
inline decltype(&::H5Fcreate) H5Fcreate = nullptr;
inline decltype(&::H5Fflush) H5Fflush = nullptr;
inline decltype(&::H5Fopen) H5Fopen = nullptr;
inline decltype(&::H5Gclose) H5Gclose = nullptr;
inline decltype(&::H5Gcreate2) H5Gcreate2 = nullptr;
inline decltype(&::H5Gget_info) H5Gget_info = nullptr;
inline decltype(&::H5Gopen2) H5Gopen2 = nullptr;
inline decltype(&::H5Lcreate_external) H5Lcreate_external = nullptr;
inline decltype(&::H5Lcreate_hard) H5Lcreate_hard = nullptr;
inline decltype(&::H5Lget_name_by_idx) H5Lget_name_by_idx = nullptr;
inline decltype(&::H5Pclose) H5Pclose = nullptr;
inline decltype(&::H5Pcreate) H5Pcreate = nullptr;
inline decltype(&::H5Pset_obj_track_times) H5Pset_obj_track_times = nullptr;
inline decltype(&::H5Sclose) H5Sclose = nullptr;
inline decltype(&::H5Screate_simple) H5Screate_simple = nullptr;
inline decltype(&::H5Sselect_hyperslab) H5Sselect_hyperslab = nullptr;
inline decltype(&::H5Tclose) H5Tclose = nullptr;
inline decltype(&::H5Tcopy) H5Tcopy = nullptr;
inline decltype(&::H5Tset_cset) H5Tset_cset = nullptr;
inline decltype(&::H5Tset_size) H5Tset_size = nullptr;
inline decltype(&::H5Tset_strpad) H5Tset_strpad = nullptr;
inline hid_t H5P_CLS_DATASET_CREATE_ID_g = -1, H5T_C_S1_g = -1, H5T_IEEE_F64LE_g = -1,
             H5T_NATIVE_DOUBLE_g = -1;

}  // namespace cardan
