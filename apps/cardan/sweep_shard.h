/// Shards: the parts of a study that processes on several machines do, each on its own.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace cardan {

/// Part `part` (from 1) of `parts`: the runs part, part + parts, part + 2 parts, ...
struct Shard {
  long part = 1, parts = 1;

  long runsOf(long runs) const { return (runs - part + parts) / parts; }
  /// Number (from 0) of the shard's k-th run (from 0).
  long run(long k) const { return part - 1 + k * parts; }
  bool isWhole() const { return parts == 1; }
};

/// The environment's value of a name; null where there is none.
using Environment = std::function<const char*(const char* name)>;

/// Reads "k/n"; "auto": from the variables of Slurm (arrays and srun), OpenMPI, PMI (mpiexec), alone
/// or together; "auto/n": the same where the number of an array's tasks is not told (PBS, Torque).
/// Throws std::invalid_argument with what is wrong.
Shard readShard(const std::string& text, const Environment& environment);

}  // namespace cardan
