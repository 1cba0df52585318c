/// What this build is.
#pragma once

namespace cardan {

extern const char* const version;   ///< of the project
extern const char* const revision;  ///< git describe at configure time; empty outside a repository

}  // namespace cardan
