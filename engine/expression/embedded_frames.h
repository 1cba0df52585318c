/// The functions of MSL Frames, as a file that is part of the program.
#pragma once

#include <string_view>

namespace cardan {

/// "frames.txt": the functions that orientation_functions.h hands out; "" for other names.
std::string_view embeddedFrames(std::string_view name);

}  // namespace cardan
