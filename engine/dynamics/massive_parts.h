/// MassiveParts: how the loads of parts that are more than rigid bodies depend on accelerations.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "engine/equations/equations.h"

namespace cardan {

/// Parts that a cluster has not taken over: masses on lines, rotors, shafts, gears.
class MassiveParts {
 public:
  /// What moves a part: a frame, in three or six directions (of its origin, then, where the part feels
  /// that, about it; resolved in world), or one velocity.
  struct End {
    int cluster;  ///< that the frame moves with; 0: a velocity
    int index;    ///< into Workspace::frames; among all velocities
    int first;    ///< direction of the part
    int directions;
  };
  struct Part {
    struct Share {
      int node, end;  ///< index into Workspace::flanges; into `ends`, -1: it does not move
      double coefficient;
    };
    const Component* component;
    std::vector<End> ends;
    std::vector<int> still;  ///< indices into Workspace::frames: those that do not move
    std::vector<Share> flanges;
    int directions = 0;
  };

  explicit MassiveParts(const Equations& equations);

  /// False: a part has unknowns or joints of its own, or is moved by what is none of these.
  bool fits() const { return fits_; }
  const std::vector<Part>& parts() const { return parts_; }
  /// For derivatives() at the motion of `at`, evaluated by clusters.
  void begin(const Workspace<double>& at);
  /// Loads along the directions of a part by the accelerations in these.
  using Derivatives = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Eigen::Block<Derivatives> derivatives(const Part& part, const Workspace<double>& at);

 private:
  void place(int instance, const std::vector<int>& frames, const std::vector<int>& flanges);
  static int addEnd(Part& part, int cluster, int index, int directions);
  bool examine(Part& part, Workspace<double>& probe);

  const Equations& equations_;
  bool fits_ = true;
  std::vector<Part> parts_;
  bool readSignals_ = false;
  Workspace<Dual> work_;
  Derivatives D_;  ///< as large as the largest part, in whole registers
};

}  // namespace cardan
