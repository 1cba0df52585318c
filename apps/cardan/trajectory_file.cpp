#include "apps/cardan/trajectory_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "apps/cardan/run_record.h"
#include "engine/results/output_file.h"

#ifdef CARDAN_HDF5
#include "apps/cardan/hdf5_library.h"
#endif

namespace cardan {

#ifdef CARDAN_HDF5
namespace {

constexpr size_t kPieceValues = 1 << 17;

/// One of HDF5's objects, closed at its end. What could not be made is an error of the file.
class Hdf5Object {
 public:
  Hdf5Object(hid_t id, herr_t (*close)(hid_t), const std::string& path) : id_(id), close_(close) {
    if (id < 0) throw cannotWrite(path, errno, "trajectories to ");
  }
  ~Hdf5Object() { close_(id_); }
  Hdf5Object(const Hdf5Object&) = delete;
  Hdf5Object& operator=(const Hdf5Object&) = delete;
  operator hid_t() const { return id_; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

/// A new HDF5 file with the group /runs.
class NewTrajectories {
 public:
  explicit NewTrajectories(const std::string& path)
      : path_(path),
        file_(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose, path),
        runs_(H5Gcreate2(file_, "runs", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose, path),
        timeless_(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, path) {
    check(H5Pset_obj_track_times(timeless_, 0));  // the same bytes for the same runs
  }

  void add(const RecordPlace& place, std::ifstream& records) {
    const std::string name = std::to_string(place.run + 1);
    const Hdf5Object group(H5Gcreate2(runs_, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                           H5Gclose, path_);
    addTexts(group, name, "names", place.names);
    addTexts(group, name, "units", place.units);
    addValues(group, place, records);
  }

  void link(const std::string& file, const std::string& run) {
    check(H5Lcreate_external(file.c_str(), ("/runs/" + run).c_str(), runs_, run.c_str(),
                             H5P_DEFAULT, H5P_DEFAULT));
  }
  /// What has been written is on the disk.
  void flush() { check(H5Fflush(file_, H5F_SCOPE_LOCAL)); }

 private:
  void check(herr_t flag) const {
    if (flag < 0) throw cannotWrite(path_, errno, "trajectories to ");
  }

  /// `lines`: texts with a line end each.
  void addTexts(hid_t group, const std::string& run, const char* name, const std::string& lines) {
    const auto [there, isNew] = known_.try_emplace({name, lines}, "/runs/" + run + "/" + name);
    if (!isNew) {
      check(H5Lcreate_hard(file_, there->second.c_str(), group, name, H5P_DEFAULT, H5P_DEFAULT));
      return;
    }
    // Texts of one length, which every reader knows.
    size_t longest = 1;
    std::vector<std::string> each;
    for (size_t at = 0, end = 0; at < lines.size(); at = end + 1) {
      end = lines.find('\n', at);
      each.push_back(lines.substr(at, end - at));
      longest = std::max(longest, each.back().size() + 1);
    }
    std::string block;
    for (std::string& text : each) {
      text.resize(longest, '\0');
      block += text;
    }
    const Hdf5Object type(H5Tcopy(H5T_C_S1), H5Tclose, path_);
    check(H5Tset_size(type, longest));
    check(H5Tset_strpad(type, H5T_STR_NULLTERM));
    check(H5Tset_cset(type, H5T_CSET_UTF8));
    const hsize_t size = each.size();
    const Hdf5Object space(H5Screate_simple(1, &size, nullptr), H5Sclose, path_);
    const Hdf5Object set(H5Dcreate2(group, name, type, space, H5P_DEFAULT, timeless_, H5P_DEFAULT),
                         H5Dclose, path_);
    check(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, block.data()));
  }

  void addValues(hid_t group, const RecordPlace& place, std::ifstream& records) {
    const auto rows = static_cast<hsize_t>(place.rows),
               columns = static_cast<hsize_t>(place.columns);
    const hsize_t size[2] = {rows, columns};
    const Hdf5Object space(H5Screate_simple(2, size, nullptr), H5Sclose, path_);
    const Hdf5Object set(
        H5Dcreate2(group, "values", H5T_IEEE_F64LE, space, H5P_DEFAULT, timeless_, H5P_DEFAULT),
        H5Dclose, path_);
    const hsize_t most = std::max<hsize_t>(1, kPieceValues / columns);
    std::vector<double> values;
    records.seekg(place.values);
    for (hsize_t first = 0; first < rows; first += most) {
      const hsize_t start[2] = {first, 0}, count[2] = {std::min(most, rows - first), columns};
      values.resize(count[0] * count[1]);
      records.read(reinterpret_cast<char*>(values.data()),
                   static_cast<std::streamsize>(values.size() * sizeof(double)));
      const Hdf5Object memory(H5Screate_simple(2, count, nullptr), H5Sclose, path_);
      check(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, count, nullptr));
      check(H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values.data()));
    }
  }

  std::string path_;
  Hdf5Object file_, runs_, timeless_;
  /// Texts that are in the file, and where.
  std::map<std::pair<std::string, std::string>, std::string> known_;
};

/// Makes a file that gets its name when it is whole.
template <class F>
void writeWhole(const std::string& path, F fill) {
  if (!loadHdf5()) throw FileError(kHdf5Missing, 0);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // errors are told by us
  const std::string part = path + ".part";
  {
    NewTrajectories file(part);
    fill(file);
    file.flush();
  }
  if (std::rename(part.c_str(), path.c_str()) != 0) throw cannotWrite(path, errno);
}

/// Names of the runs in a file.
std::vector<std::string> runsIn(const std::string& path) {
  const Hdf5Object file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, path);
  const Hdf5Object runs(H5Gopen2(file, "runs", H5P_DEFAULT), H5Gclose, path);
  H5G_info_t info;
  if (H5Gget_info(runs, &info) < 0) throw cannotWrite(path, errno, "trajectories to ");
  std::vector<std::string> names;
  for (hsize_t i = 0; i < info.nlinks; ++i) {
    char name[24];  // a number
    H5Lget_name_by_idx(runs, ".", H5_INDEX_NAME, H5_ITER_INC, i, name, sizeof(name), H5P_DEFAULT);
    names.emplace_back(name);
  }
  return names;
}

}  // namespace

bool knowsHdf5() { return loadHdf5(); }

void writeTrajectories(const std::string& records, const std::vector<bool>& wanted,
                       const std::string& path) {
  std::map<long, RecordPlace> places;
  forEachRecord(records, [&](const RecordPlace& place) {
    if (place.run >= 0 && place.run < static_cast<long>(wanted.size()) && wanted[place.run])
      places[place.run] = place;
  });
  if (places.empty()) return;
  writeWhole(path, [&](NewTrajectories& file) {
    std::ifstream from(records, std::ios::binary);
    for (const auto& [run, place] : places) file.add(place, from);
  });
}

void linkTrajectories(const std::vector<std::string>& files, const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  writeWhole(path, [&](NewTrajectories& all) {
    std::set<std::string> known;
    for (const std::string& file : files) {
      for (const std::string& run : runsIn((folder / file).string())) {
        if (known.insert(run).second) all.link(file, run);
      }
    }
  });
}

#else

bool knowsHdf5() { return false; }
void writeTrajectories(const std::string&, const std::vector<bool>&, const std::string&) {
  throw FileError(kHdf5Missing, 0);
}
void linkTrajectories(const std::vector<std::string>&, const std::string&) {
  throw FileError(kHdf5Missing, 0);
}

#endif

}  // namespace cardan
