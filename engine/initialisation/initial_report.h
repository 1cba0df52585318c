/// InitialReport: what was asked for at the start, and what came of it.
#pragma once

#include <limits>
#include <string>
#include <vector>

namespace cardan {

/// One loop of the model, opened at one component.
struct LoopReport {
  std::string cut;                  ///< the component that closes it ("j4")
  std::vector<std::string> joints;  ///< that move in it, in the order of the loop, `cut` the last
  int closures = 0;                 ///< equations of `cut` on position level
  std::vector<std::string> redundant;  ///< those among them that the others imply
  /// Coordinates (indices into y) of the joints of the tree in it, without those that an assembly
  /// of joints holds: it chooses its branch itself.
  std::vector<int> coordinates;

  /// "loop over j1, j2, j3, j4"
  std::string name() const;
  /// "loop over j1, j2, j3, j4, opened at j4: 3 of 5 closure equations are redundant: ..."
  std::string format() const;
};

/// The account of a start.
struct InitialReport {
  enum class Kind { fixed, guess };
  struct Entry {
    std::string name;
    std::string unit;
    Kind kind = Kind::guess;
    double wanted = 0;
    double reached = 0;
    bool isResidue = false;  ///< an orientation or an equation: `reached` is the distance from it
    double moved() const { return reached - wanted; }
  };
  struct Parameter {
    std::string name;
    double start = 0;
    double reached = 0;
  };

  int degreesOfFreedom = 0;
  std::vector<Entry> entries;         ///< start values, in the order of the model
  std::vector<Parameter> parameters;  ///< unknown ones, as determined
  std::vector<int> redundantRows;     ///< multipliers whose rows say nothing new; zero at the start
  std::vector<std::string> redundantConstraints;  ///< their names
  std::vector<LoopReport> loops;
  std::vector<std::string>
      states;  ///< coordinates that determine all others, two a degree of freedom
  std::vector<std::string> warnings;  ///< what is legal but may surprise
  std::string sharing;   ///< a warning: stuck parts on one motion; a run finds their shares itself
  std::string overlaps;  ///< a warning: shapes push each other apart from here
  int iterations = 0;

  /// Plain lines for `cardan check`; of long lists the first `most`.
  std::string format(size_t most = std::numeric_limits<size_t>::max()) const;
};

}  // namespace cardan
