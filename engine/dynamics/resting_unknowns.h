/// RestingUnknowns: unknowns of components that load nothing just now; a matrix has no use for them.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "engine/equations/equations.h"

namespace cardan {

/// In a heap all pairs of bodies may meet, few do. Of those that do not, each row says that its own
/// unknown keeps its value (Component::rests), so that both are left out. Where one wakes, it is known
/// without a look at any derivative which elements the matrix gets: those between all that moves its
/// frames.
class RestingUnknowns {
 public:
  explicit RestingUnknowns(const Equations& equations);

  /// By the modes at an evaluated point. True: others are left out than before. Who rests again is not
  /// left out at once, so that what comes and goes changes little.
  bool update(const Workspace<double>& at);
  /// Elements of y that are left out; rows of the same numbers.
  bool isOut(int unknown) const { return out_[static_cast<size_t>(unknown)] != 0; }
  std::span<const int> out() const { return list_; }

  /// Who is left out, which hangs on who woke before, into an archive or out of it.
  template <class Archive>
  void exchange(Archive& archive) {
    archive(begun_);
    for (Candidate& c : candidates_) archive(c.isOut);
    if (!archive.isReading()) return;
    woken_.clear();
    list();
  }

  /// f(row, column) for all elements that components have which have woken since the last call, by
  /// elements of y; rows of the dynamics by those of their positions.
  template <class F>
  void forEachNew(F f) {
    for (const size_t i : std::exchange(woken_, {})) {
      const Candidate& c = candidates_[i];
      for (const int row : c.rows) {
        for (const int column : c.columns) f(row, column);
      }
    }
  }

 private:
  struct Candidate {
    const Component* component;
    std::vector<int> own;            ///< elements of y
    std::vector<int> rows, columns;  ///< with those of what moves its frames
    bool isOut = false;
  };
  void list();
  void addWhatMoves(const std::vector<int>& frames, const std::vector<int>& stepTo, Candidate& c);

  const Equations& equations_;
  std::vector<Candidate> candidates_;
  std::vector<char> out_;
  std::vector<int> list_;
  std::vector<size_t> woken_;
  bool begun_ = false;
};

}  // namespace cardan
