/// Trajectories of many runs as one HDF5 file:
///
///   /runs/17/values  [rows, columns]  of run 17; the first column is time
///   /runs/17/names   [columns]        "time", "revolute.phi", ...; one data set for all runs that
///   /runs/17/units   [columns]        have the same
#pragma once

#include <string>
#include <vector>

namespace cardan {

/// False where there is no HDF5, or was none for the build: what is below throws FileError then.
bool knowsHdf5();
/// What to do where it is false.
inline constexpr const char* kHdf5Missing =
    "this program was built without HDF5, or does not find it any more: install it (on Debian: "
    "apt-get install libhdf5-dev) and build again";

/// Writes the records of a file for those runs (from 0) that are `wanted`, the last one of each;
/// the file gets its name when it is whole. Where there are none it is not made.
void writeTrajectories(const std::string& records, const std::vector<bool>& wanted,
                       const std::string& path);
/// A file with the runs of several others as links to them. `files`: names seen from its folder.
void linkTrajectories(const std::vector<std::string>& files, const std::string& path);

}  // namespace cardan
