// PNG by libpng, where it was found.
#include "engine/picture/still.h"

#ifdef CARDAN_PNG
#include <png.h>

#include <stdexcept>
#endif

namespace cardan {

const char* whyNoPng() {
  return "this program was built without libpng (on Debian: apt-get install libpng-dev, then build "
         "again)";
}

#ifdef CARDAN_PNG

bool canWritePng() { return true; }

std::string formatPng(const Image& image) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = static_cast<png_uint_32>(image.width);
  png.height = static_cast<png_uint_32>(image.height);
  png.format = PNG_FORMAT_RGB;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(png);
  std::string bytes(size, '\0');
  if (!png_image_write_to_memory(&png, bytes.data(), &size, 0, image.rgb.data(), 0, nullptr))
    throw std::runtime_error(std::string("libpng: ") + png.message);
  bytes.resize(size);
  return bytes;
}

#else

bool canWritePng() { return false; }
std::string formatPng(const Image&) { return {}; }

#endif

}  // namespace cardan
