#include "apps/cardan/zip_file.h"

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
  bool isThere = false;

  LibZip() {
    const LoadedLibrary library(CARDAN_ZIP);
    const auto find = [&](const char* name, auto& f) { return library.find(name, f); };
    isThere = find("zip_open", open) && find("zip_source_buffer", source) &&
              find("zip_source_free", freeSource) && find("zip_file_add", add) &&
              find("zip_file_set_mtime", setTime) &&
              find("zip_file_set_external_attributes", setAttributes) &&
              find("zip_set_file_compression", setCompression) && find("zip_close", close) &&
              find("zip_discard", discard) && find("zip_strerror", error);
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
#else
std::string ZipFile::whyNone() {
  return "an FMU is a zip file, and this program was built without libzip (Debian's package "
         "libzip-dev)";
}
void ZipFile::write(const std::string& path) const { throw cannotWrite(path, 0, "the FMU "); }
#endif

}  // namespace cardan
