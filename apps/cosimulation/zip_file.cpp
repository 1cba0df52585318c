#include "apps/cosimulation/zip_file.h"

#ifdef CARDAN_ZIP
#include <zip.h>

#include <cerrno>
#include <ctime>
#endif

#include "engine/results/output_file.h"
#include "engine/text/loaded_library.h"

namespace cardan {

#ifdef CARDAN_ZIP
namespace {

constexpr time_t kTime = 315532800;  // 1980-01-01, the first that a zip file can say
constexpr zip_uint32_t kPlainFile = 0100644U << 16;
constexpr zip_uint32_t kFast = 1;  // a library takes a second otherwise, to be a tenth smaller

struct LibZip {
  decltype(&zip_open) open = nullptr;
  decltype(&zip_source_buffer) source = nullptr;
  decltype(&zip_source_free) freeSource = nullptr;
  decltype(&zip_file_add) add = nullptr;
  decltype(&zip_file_set_mtime) setTime = nullptr;
  decltype(&zip_file_set_external_attributes) setAttributes = nullptr;
  decltype(&zip_set_file_compression) setCompression = nullptr;
  decltype(&zip_close) close = nullptr;
  decltype(&zip_discard) discard = nullptr;
  decltype(&zip_strerror) error = nullptr;
  decltype(&zip_get_num_entries) count = nullptr;
  decltype(&zip_stat_index) stat = nullptr;
  decltype(&zip_file_get_external_attributes) attributes = nullptr;
  decltype(&zip_fopen_index) openFile = nullptr;
  decltype(&zip_fread) readFile = nullptr;
  decltype(&zip_fclose) closeFile = nullptr;
  bool isThere = false;

  LibZip() {
    const LoadedLibrary library(CARDAN_ZIP);
    const auto find = [&](const char* name, auto& f) { return library.find(name, f); };
    isThere = find("zip_open", open) && find("zip_source_buffer", source) &&
              find("zip_source_free", freeSource) && find("zip_file_add", add) &&
              find("zip_file_set_mtime", setTime) &&
              find("zip_file_set_external_attributes", setAttributes) &&
              find("zip_set_file_compression", setCompression) && find("zip_close", close) &&
              find("zip_discard", discard) && find("zip_strerror", error) &&
              find("zip_get_num_entries", count) && find("zip_stat_index", stat) &&
              find("zip_file_get_external_attributes", attributes) &&
              find("zip_fopen_index", openFile) && find("zip_fread", readFile) &&
              find("zip_fclose", closeFile);
  }
};

const LibZip& libZip() {
  static const LibZip library;
  return library;
}

}  // namespace

std::string ZipFile::whyNone() {
  return libZip().isThere ? ""
                          : "an FMU is a zip file, and " CARDAN_ZIP
                            " is not here (Debian's package libzip4)";
}

void ZipFile::write(const std::string& path) const {
  const LibZip& z = libZip();
  int error = 0;
  zip_t* zip = z.open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &error);
  if (!zip) throw cannotWrite(path, errno, "the FMU ");
  const auto fail = [&] {
    const std::string why = z.error(zip);
    z.discard(zip);
    throw FileError("cannot write the FMU '" + path + "': " + why, 0);
  };
  for (const auto& [name, content] : files_) {
    zip_source_t* source = z.source(zip, content.data(), content.size(), 0);
    if (!source) fail();
    const zip_int64_t at = z.add(zip, name.c_str(), source, ZIP_FL_ENC_UTF_8);
    if (at < 0) {
      z.freeSource(source);
      fail();
    }
    z.setTime(zip, at, kTime, 0);
    z.setCompression(zip, at, ZIP_CM_DEFLATE, kFast);
    z.setAttributes(zip, at, 0, ZIP_OPSYS_UNIX, kPlainFile);
  }
  if (z.close(zip) != 0) fail();
}

ZipArchive::ZipArchive(const std::string& path) : path_(path) {
  if (const std::string why = ZipFile::whyNone(); !why.empty()) throw FileError(why, 0);
  const LibZip& z = libZip();
  int error = 0;
  zip_t* zip = z.open(path.c_str(), ZIP_RDONLY, &error);
  if (!zip) throw FileError("'" + path + "' is no zip file", error);
  zip_ = zip;
  const zip_int64_t n = z.count(zip, 0);
  for (zip_int64_t i = 0; i < n; ++i) {
    zip_stat_t stat{};
    z.stat(zip, i, 0, &stat);
    zip_uint8_t system = 0;
    zip_uint32_t attributes = 0;
    z.attributes(zip, i, 0, &system, &attributes);
    const zip_uint32_t kind = system == ZIP_OPSYS_UNIX ? (attributes >> 16) & 0170000U : 0;
    entries_.push_back(
        {stat.name ? stat.name : "", stat.size, kind != 0 && kind != 0100000U && kind != 0040000U});
  }
}

ZipArchive::~ZipArchive() { libZip().discard(static_cast<zip_t*>(zip_)); }

void ZipArchive::read(std::size_t i, const std::function<void(std::string_view)>& take) const {
  const LibZip& z = libZip();
  const Entry& entry = entries_[i];
  zip_file_t* file = z.openFile(static_cast<zip_t*>(zip_), i, 0);
  char bytes[1 << 16];
  std::uint64_t size = 0;
  zip_int64_t n = file ? 1 : -1;
  while (n > 0 && size <= entry.size) {
    n = z.readFile(file, bytes, sizeof bytes);
    if (n > 0) take({bytes, static_cast<std::size_t>(n)});
    if (n > 0) size += n;
  }
  if (file) z.closeFile(file);
  if (n < 0 || size != entry.size)
    throw FileError("'" + path_ + "': '" + entry.name + "' in it is broken", 0);
}
#else
std::string ZipFile::whyNone() {
  return "an FMU is a zip file, and this program was built without libzip (Debian's package "
         "libzip-dev)";
}
void ZipFile::write(const std::string& path) const { throw cannotWrite(path, 0, "the FMU "); }
ZipArchive::ZipArchive(const std::string&) { throw FileError(ZipFile::whyNone(), 0); }
ZipArchive::~ZipArchive() = default;
void ZipArchive::read(std::size_t, const std::function<void(std::string_view)>&) const {}
#endif

}  // namespace cardan
