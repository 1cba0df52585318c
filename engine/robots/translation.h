/// Translation: from the bodies of a robot to the components and connections of a model.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/robots/model_values.h"
#include "engine/robots/robot.h"
#include "engine/text/imported_model.h"

namespace cardan::robots {

/// Bodies become bodies, joints the joints of the catalogue, in the order in which they turn the body;
/// what lies between them has names of its own.
class Translation {
 public:
  explicit Translation(Robot robot) : robot_(std::move(robot)) {}

  ImportedModel make();

 private:
  void hide(ArgumentList& a) const;
  void findFollowers();
  bool openBetween(int body, int other);
  void addWorld();
  void addBody(int body);
  void addMass(const Body& b);
  void addJoint(int joint);
  void addAxis(int joint, ArgumentList& a);
  std::string commentOf(const Joint& j) const;
  void addMount(const Joint& j);
  void addDrives(int joint);
  void addLift(int body);
  void addActuators(int joint);
  std::string forceOf(const Actuator& a, const std::string& input) const;
  void addStops(const Joint& j, ArgumentList& a);
  void addEquality(const Equality& q, int index);
  void addFollower(const Equality& q);
  void addShapes(const std::vector<Visual>& visuals, const std::string& owner,
                 const std::string& frame);
  void addColliders();
  void addPlace(const Pose& pose, ArgumentList& a) const;
  bool isTurned(const Pose& pose) const { return pose.isTurned(robot_.isComputed ? 1e-15 : 0); }
  /// Adds what lies at `pose`, where that is anywhere else; returns its far frame.
  std::string addOffset(const std::string& from, const Pose& pose, const std::string& name,
                        const XmlElement& e);
  std::string add(const std::string& name, const std::string& type, const ArgumentList& a,
                  const XmlElement& e, const std::string& comment = "");
  void connect(const std::string& a, const std::string& b, const XmlElement& e);
  std::string helper(const std::string& name) { return robot_.names.take(name, ""); }
  std::string frameOf(int body) const;
  const std::string& jointName(int joint) const { return robot_.joint(joint).component; }
  std::string stopParameter(const std::string& name, double value, const XmlElement& e,
                            const std::string& unit);
  bool isDriven(int joint) const;
  /// Without the digits that a computation leaves.
  template <class Value>
  Value tidy(const Value& v) const {
    return robot_.isComputed ? rounded(v) : v;
  }

  Robot robot_;
  ImportedModel model_;
  std::vector<std::vector<int>> jointsOf_;  ///< of a body: into robot_.joints
  std::vector<bool> follows_, leads_;       ///< of a joint: in a constraint
  std::vector<const Equality*> mimics_;     ///< of a joint
  std::vector<bool> isOpen_;                ///< of a joint: its start follows from a constraint
  std::vector<std::vector<const Actuator*>> drives_;  ///< of a joint
  std::map<std::string, std::string> stopParameters_;
};

}  // namespace cardan::robots
