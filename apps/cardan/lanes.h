/// Lanes: the widest registers that this machine has, where the build holds a program for them.
#pragma once

#include <string>

namespace cardan {

/// `--lanes N` in front of a command.
inline constexpr const char* kLanesOption = "--lanes";

/// Becomes the program of this installation that is compiled for N lanes, or for the widest registers
/// of the machine where nothing is asked for. Returns where this program is the one, or the only one;
/// an error text where N was asked for and cannot be had.
///
/// A program of one width never holds numbers of another: the choice is between whole programs.
std::string becomeProgramFor(int argc, char** argv);

}  // namespace cardan
