#include "engine/robots/mjcf/height_fields.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace cardan::robots::mjcf {
namespace {

namespace fs = std::filesystem;

constexpr int kMostSide = 2000;

/// Numbers of rows and of columns, then the elevations; false: that is not in it.
bool readFile(const fs::path& path, HeightField& f) {
  std::ifstream file(path, std::ios::binary);
  std::array<std::int32_t, 2> n{};
  if (!file.read(reinterpret_cast<char*>(n.data()), sizeof n)) return false;
  f.rows = n[0];
  f.columns = n[1];
  if (std::min(f.rows, f.columns) < 2 || std::max(f.rows, f.columns) > kMostSide) return false;
  std::vector<float> data(static_cast<size_t>(f.rows) * static_cast<size_t>(f.columns));
  const auto bytes = static_cast<std::streamsize>(sizeof(float) * data.size());
  if (!file.read(reinterpret_cast<char*>(data.data()), bytes) || file.peek() != EOF) return false;
  f.elevation.assign(data.begin(), data.end());
  return std::ranges::all_of(f.elevation, [](double x) { return std::isfinite(x); });
}

}  // namespace

HeightField readHeightField(const XmlElement& e, const Conventions& conventions,
                            Diagnostics& diagnostics) {
  HeightField f;
  f.element = &e;
  f.name = assetName(e);
  f.file = conventions.pathOf(textOf(e, "file"));
  const std::string owner = "hfield '" + f.name + "'";
  if (const auto size = numbers(e, "size", 4, 4, owner, diagnostics)) {
    if (std::ranges::all_of(*size, [](double x) { return x > 0; })) {
      f.half = {(*size)[0], (*size)[1]};
      f.rise = (*size)[2];
    } else {
      diagnostics.error(e.mark(*e.attribute("size")), owner + ": 'size' must be positive");
    }
  } else if (!e.attribute("size")) {
    diagnostics.error(e.mark(), owner + ": 'size' of <hfield> must be given");
  }
  if (!f.file.empty()) return f;
  const double rows = number(e, "nrow", 0, owner, diagnostics),
               columns = number(e, "ncol", 0, owner, diagnostics);
  if (!(std::min(rows, columns) >= 2 && std::max(rows, columns) <= kMostSide)) {
    diagnostics.error(e.mark(), owner + ": 'nrow' and 'ncol' must be 2 to " +
                                    std::to_string(kMostSide) + ", where no file says them");
    return f;
  }
  f.rows = static_cast<int>(rows);
  f.columns = static_cast<int>(columns);
  const auto count = static_cast<size_t>(f.rows) * static_cast<size_t>(f.columns);
  const auto given = numbers(e, "elevation", count, count, owner, diagnostics);
  f.elevation.assign(count, 0);
  if (!given) return f;
  // They are written from high y on.
  for (int i = 0; i < f.rows; ++i)
    std::copy_n(given->begin() + std::ptrdiff_t{i} * f.columns, f.columns,
                f.elevation.begin() + std::ptrdiff_t{f.rows - 1 - i} * f.columns);
  return f;
}

std::vector<std::vector<double>> heightsOf(const HeightField& field, const std::string& robot,
                                           std::string& why) {
  HeightField f = field;
  if (!f.file.empty() && (f.file.find('\0') != std::string::npos ||
                          !readFile(fs::path(robot).parent_path() / f.file, f))) {
    why = "of '" + f.file + "' no heights can be read: a file of MuJoCo's own format has them";
    return {};
  }
  if (f.elevation.empty()) {
    why = "hfield '" + f.name + "' has no heights";
    return {};
  }
  const auto [low, high] = std::ranges::minmax(f.elevation);
  const double by = high > low ? f.rise / (high - low) : 0;
  std::vector<std::vector<double>> rows(f.rows);
  for (size_t i = 0; i < f.elevation.size(); ++i)
    rows[i / static_cast<size_t>(f.columns)].push_back((f.elevation[i] - low) * by);
  return rows;
}

}  // namespace cardan::robots::mjcf
