/// ArticulatedTree: which parts of a model are local to one body or one joint of the spanning tree,
/// and which reach further.
#pragma once

#include <vector>

#include "engine/equations/equations.h"

namespace cardan {

/// What ClusterTree leaves: components that are no rigid bodies, by the cluster or the joint that they
/// belong to. Joint j carries cluster j + 1.
struct ArticulatedTree {
  /// A component that puts loads on the frames of one cluster, as a function of their motion.
  struct Part {
    const Component* component;
    int instance;
    int firstNode;  ///< into `nodes`: the component's slots 1, 2, ...; slot 0 is the world
    int slots;
    bool posed;  ///< its loads depend on where the cluster is, other than by uniform gravity
  };
  /// A component that puts flows on flanges whose potentials are coordinates of one joint.
  struct AxisPart {
    const Component* component;
    int firstFlangeNode;  ///< into `flangeNodes`: the component's slots
    int slots;
  };

  explicit ArticulatedTree(const Equations& equations);

  /// False: something reaches further than one cluster or one joint.
  bool local = true;
  std::vector<Part> parts;          ///< by clusters
  std::vector<int> firstPart;       ///< cluster -> parts; one more than clusters
  std::vector<int> nodes;           ///< see Part
  std::vector<AxisPart> axisParts;  ///< by joints
  std::vector<int> firstAxisPart;   ///< joint -> axisParts; one more than joints
  std::vector<int> flangeNodes;     ///< see AxisPart
  std::vector<int> slotOfFrame;     ///< FrameId -> slot within its component
  std::vector<int> slotOfFlange;    ///< FlangeId -> slot within its component
  int mostSlots = 1, mostFlangeSlots = 1;
  int clusters = 1;

 private:
  void placeComponents(const Equations& equations);
  int takeFrames(const Equations& equations, const std::vector<int>& frames, Part& part);
  int takeFlanges(const Equations& equations, const std::vector<int>& flanges,
                  const std::vector<int>& jointOfEdge, AxisPart& part);
};

}  // namespace cardan
