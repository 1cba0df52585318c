/// libhdf5, which is loaded when a study asks for it: with the forty libraries that it brings along it
/// would take half of the program's time for a small model, in every run.
#pragma once

#include <hdf5.h>

namespace cardan {

/// Loads it, once. False: it is not on this machine.
bool loadHdf5();

// Its functions, and the numbers of its types.
#define CARDAN_HDF5_FUNCTIONS(F) \
  F(H5open)                      \
  F(H5check_version)             \
  F(H5Dclose)                    \
  F(H5Dcreate2)                  \
  F(H5Dwrite)                    \
  F(H5Eset_auto2)                \
  F(H5Fclose)                    \
  F(H5Fcreate)                   \
  F(H5Fflush)                    \
  F(H5Fopen)                     \
  F(H5Gclose)                    \
  F(H5Gcreate2)                  \
  F(H5Gget_info)                 \
  F(H5Gopen2)                    \
  F(H5Lcreate_external)          \
  F(H5Lcreate_hard)              \
  F(H5Lget_name_by_idx)          \
  F(H5Pclose)                    \
  F(H5Pcreate)                   \
  F(H5Pset_obj_track_times)      \
  F(H5Sclose)                    \
  F(H5Screate_simple)            \
  F(H5Sselect_hyperslab)         \
  F(H5Tclose)                    \
  F(H5Tcopy)                     \
  F(H5Tset_cset)                 \
  F(H5Tset_size)                 \
  F(H5Tset_strpad)
#define CARDAN_HDF5_NUMBERS(F) \
  F(H5P_CLS_DATASET_CREATE_ID_g) F(H5T_C_S1_g) F(H5T_IEEE_F64LE_g) F(H5T_NATIVE_DOUBLE_g)

// Under their own names, which hide those of its header here; null before.
#define CARDAN_HDF5_FUNCTION(name) inline decltype(&::name) name = nullptr;
#define CARDAN_HDF5_NUMBER(name) inline hid_t name = -1;
CARDAN_HDF5_FUNCTIONS(CARDAN_HDF5_FUNCTION)
CARDAN_HDF5_NUMBERS(CARDAN_HDF5_NUMBER)
#undef CARDAN_HDF5_FUNCTION
#undef CARDAN_HDF5_NUMBER

}  // namespace cardan
