/// GuardedFolder: a folder for a while, which is gone afterwards however this process ends.
#pragma once

#include <unistd.h>

#include "apps/cosimulation/child_process.h"
#include "apps/cosimulation/program_files.h"
#include "apps/cosimulation/scratch_folder.h"

namespace cardan::cosimulation {

/// Beside it stands a process that waits for the end of this one, and removes the folder where this one could
/// not. Where that program is not there the folder goes with this object alone.
class GuardedFolder {
 public:
  GuardedFolder() {
    const std::string program = fileOfProgram("cardan-fmu").string();
    if (!program.empty()) guard_ = startServed({program, folder_.path().string()});
  }
  ~GuardedFolder() {
    if (guard_.process < 0) return;
    ::close(guard_.socket);  // which removes the folder first
    endOfProcess(guard_.process);
  }
  GuardedFolder(const GuardedFolder&) = delete;
  GuardedFolder& operator=(const GuardedFolder&) = delete;
  const std::filesystem::path& path() const { return folder_.path(); }

 private:
  ScratchFolder folder_;
  ServedProcess guard_;
};

}  // namespace cardan::cosimulation
