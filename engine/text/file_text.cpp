#include "engine/text/file_text.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace cardan {

std::optional<std::string> readFileText(const std::string& path, size_t most, const char* what,
                                        Diagnostics& diagnostics) {
  const auto close = [](std::FILE* f) { std::fclose(f); };
  const std::unique_ptr<std::FILE, decltype(close)> file(std::fopen(path.c_str(), "rb"), close);
  std::string text;
  if (file) {
    // Pipes have no size to ask for.
    char buffer[65536];
    size_t n = 0;
    while (text.size() <= most && (n = std::fread(buffer, 1, sizeof buffer, file.get())) > 0)
      text.append(buffer, n);
  }
  if (!file || std::ferror(file.get()) != 0) {
    diagnostics.error({path, 0, 0},
                      std::string("cannot read the ") + what + ": " + std::strerror(errno));
    return std::nullopt;
  }
  return text;
}

}  // namespace cardan
