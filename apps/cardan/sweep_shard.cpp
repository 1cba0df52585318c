#include "apps/cardan/sweep_shard.h"

#include <algorithm>
#include <stdexcept>

#include "engine/text/plain_number.h"

namespace cardan {
namespace {

constexpr long kMostShards = 1'000'000;

class ShardFromEnvironment {
 public:
  ShardFromEnvironment(const Environment& environment, std::optional<long> tasks)
      : environment_(environment), tasks_(tasks) {}

  Shard find() const {
    // Ranks within a task of an array: each task is divided further.
    const Shard task = arrayTask(), rank = rankOf();
    const Shard shard{(task.part - 1) * rank.parts + rank.part, task.parts * rank.parts};
    if (!found_) {
      throw std::invalid_argument(
          "'auto' needs the variables of Slurm, OpenMPI, PMI or PBS, and there are none; give "
          "--shard K/N");
    }
    return shard;
  }

 private:
  std::optional<long> number(const char* name) const {
    const char* text = environment_(name);
    return text ? plainNumber<long>(text) : std::nullopt;
  }

  Shard arrayTask() const {
    if (const auto id = number("SLURM_ARRAY_TASK_ID")) {
      const auto count = number("SLURM_ARRAY_TASK_COUNT");
      const long least = number("SLURM_ARRAY_TASK_MIN").value_or(1);
      const long step = number("SLURM_ARRAY_TASK_STEP").value_or(1);
      if (!count && !tasks_)
        throw std::invalid_argument("SLURM_ARRAY_TASK_COUNT is not set; give --shard auto/N");
      return counted((*id - least) / std::max(1L, step) + 1, count.value_or(tasks_.value_or(1)));
    }
    for (const char* name : {"PBS_ARRAY_INDEX", "PBS_ARRAYID"}) {
      const auto index = number(name);
      if (!index) continue;
      if (!tasks_) {
        throw std::invalid_argument(std::string(name) +
                                    " does not tell how many tasks there are; give --shard "
                                    "auto/N, the tasks being 1 to N");
      }
      return counted(*index, *tasks_);
    }
    return {};
  }

  Shard rankOf() const {
    struct Names {
      const char *rank, *size;
    };
    // Slurm counts ranks in steps of srun only: a batch script has the variables of a rank, too.
    for (const Names& n :
         {Names{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}, Names{"PMI_RANK", "PMI_SIZE"},
          Names{"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}}) {
      const auto rank = number(n.rank), size = number(n.size);
      if (rank && size) return counted(*rank + 1, *size);
    }
    return {};
  }

  Shard counted(long part, long parts) const {
    if (part < 1 || part > parts || parts > kMostShards) {
      throw std::invalid_argument("the environment makes this shard " + std::to_string(part) +
                                  " of " + std::to_string(parts));
    }
    found_ = true;
    return {part, parts};
  }

  const Environment& environment_;
  std::optional<long> tasks_;
  mutable bool found_ = false;
};

}  // namespace

Shard readShard(const std::string& text, const Environment& environment) {
  const size_t slash = text.find('/');
  const std::string first = text.substr(0, slash);
  const auto parts = slash == text.npos ? std::nullopt : plainNumber<long>(text.substr(slash + 1));
  const bool goodParts = parts && *parts >= 1 && *parts <= kMostShards;
  if (first == "auto" && (slash == text.npos || goodParts))
    return ShardFromEnvironment(environment, parts).find();
  const auto part = plainNumber<long>(first);
  if (part && goodParts && *part >= 1 && *part <= *parts) return {*part, *parts};
  throw std::invalid_argument("a shard must be K/N with 1 <= K <= N, or auto, found '" + text +
                              "'");
}

}  // namespace cardan
