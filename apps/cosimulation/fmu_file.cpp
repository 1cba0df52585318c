#include "apps/cosimulation/fmu_file.h"

#include <fmt/format.h>

#include <fstream>
#include <set>
#include <stdexcept>

#include "apps/cosimulation/model_description.h"
#include "apps/cosimulation/zip_file.h"
#include "engine/robots/xml_document.h"

namespace cardan::cosimulation {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFiles = 20'000;
constexpr std::uint64_t kMostBytes = 2'000'000'000;

/// Every path stays in the folder, nothing is a link, and there is room for all.
void requireSafe(const ZipArchive& zip) {
  if (zip.entries().size() > kMostFiles)
    throw std::runtime_error(fmt::format("it holds more than {} files", kMostFiles));
  std::uint64_t bytes = 0;
  for (const ZipArchive::Entry& e : zip.entries()) {
    const fs::path path = e.name;
    bool leaves = e.name.empty() || path.is_absolute() || e.name.find('\\') != std::string::npos;
    for (const fs::path& part : path) leaves = leaves || part == "..";
    if (leaves) throw std::runtime_error("the path '" + e.name + "' in it leads out of its folder");
    if (e.isLink) throw std::runtime_error("'" + e.name + "' in it is a link, not a file");
    bytes = e.size < kMostBytes ? bytes + e.size : kMostBytes;
    if (bytes >= kMostBytes)
      throw std::runtime_error(fmt::format("it holds more than {} MB", kMostBytes / 1'000'000));
  }
}

void unpack(const std::string& file, const fs::path& folder, const std::string& binaries) {
  const ZipArchive zip(file);
  requireSafe(zip);
  fs::create_directories(folder / "resources");
  for (std::size_t i = 0; i < zip.entries().size(); ++i) {
    const std::string& name = zip.entries()[i].name;
    if (name.ends_with('/') || !(name.starts_with(binaries) || name.starts_with("resources/")))
      continue;
    fs::create_directories((folder / name).parent_path());
    std::ofstream out(folder / name, std::ios::binary);
    zip.read(i, [&](std::string_view bytes) {
      out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    });
    out.close();
    if (!out) throw cannotWrite((folder / name).string(), errno);
  }
}

std::string binariesOf(int version) {
  return version == 2 ? "binaries/linux64/" : "binaries/x86_64-linux/";
}

}  // namespace

FmuFile::FmuFile(const std::string& file) : path(file) {
  const ZipArchive zip(file);
  requireSafe(zip);
  std::string xml;
  std::set<std::string> names, platforms;
  for (std::size_t i = 0; i < zip.entries().size(); ++i) {
    const std::string& name = zip.entries()[i].name;
    names.insert(name);
    if (name.starts_with("binaries/") && name.size() > 9)
      platforms.insert(name.substr(9, name.find('/', 9) - 9));
    if (name != "modelDescription.xml") continue;
    if (zip.entries()[i].size > kMaxXmlBytes)
      throw std::runtime_error("its modelDescription.xml is too large");
    zip.read(i, [&](std::string_view bytes) { xml += bytes; });
  }
  if (!names.contains("modelDescription.xml"))
    throw std::runtime_error("it is no FMU, as it holds no modelDescription.xml");
  readModelDescription(xml, *this);
  if (names.contains(library())) return;
  throw std::runtime_error(
      fmt::format("it has no '{}', the library for this machine{}", library(),
                  platforms.empty() ? "; it has none at all"
                                    : fmt::format("; it is for {}", fmt::join(platforms, ", "))));
}

std::string FmuFile::library() const { return binariesOf(version) + identifier + ".so"; }

std::string FmuFile::folder() const {
  const std::lock_guard lock(mutex_);
  if (!unpacked_) {
    auto made = std::make_unique<GuardedFolder>();
    unpack(path, made->path(), binariesOf(version));
    unpacked_ = std::move(made);
  }
  return unpacked_->path().string();
}

}  // namespace cardan::cosimulation
